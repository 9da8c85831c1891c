enable f16;
// Applies each operation to each pair of f16, given as the halves of a word.
@group(0) @binding(0) var<storage, read_write> operands: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<uniform> params: vec4<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i >= params.x) { return; }
  let pair = unpack2x16float(operands[i]);
  let a = f16(pair.x);
  let b = f16(pair.y);
  results[3u * i] = bitcast<u32>(f32(a + b));
  results[3u * i + 1u] = bitcast<u32>(f32(a * b));
  results[3u * i + 2u] = bitcast<u32>(f32(a / b));
}
