// Copies params.n bytes from byte params.source of one buffer to byte
// params.target of another. A thread writes one word of the target and keeps the
// bytes of it that lie outside the range.
struct Params { target_at: u32, source_at: u32, n: u32, unused: u32 }

@group(0) @binding(0) var<storage, read_write> to: array<u32>;
@group(0) @binding(1) var<storage, read_write> origin: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let word = params.target_at / 4u + id.x + id.y * groups.x * 64u;
  let end = params.target_at + params.n;
  if (word * 4u >= end) { return; }
  var value = 0u;
  if (word * 4u < params.target_at || word * 4u + 4u > end) { value = to[word]; }
  else if ((params.target_at - params.source_at) % 4u == 0u) { // whole words of both
    to[word] = origin[(params.source_at + (word * 4u - params.target_at)) / 4u];
    return;
  }
  for (var k = 0u; k < 4u; k++) {
    let at = word * 4u + k;
    if (at >= params.target_at && at < end) {
      let source = params.source_at + (at - params.target_at);
      let byte = (origin[source / 4u] >> (source % 4u * 8u)) & 0xffu;
      value = (value & ~(0xffu << (k * 8u))) | (byte << (k * 8u));
    }
  }
  to[word] = value;
}
