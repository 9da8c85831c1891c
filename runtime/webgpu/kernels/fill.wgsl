// Fills params.n words from word params.first with params.value.
struct Params { first: u32, n: u32, value: u32, unused: u32 }

@group(0) @binding(0) var<storage, read_write> to: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let i = id.x + id.y * groups.x * 64u;
  if (i < params.n) { to[params.first + i] = params.value; }
}
