// Applies each operation to each pair of f64.
@group(0) @binding(0) var<storage, read_write> operands: array<f64>;
@group(0) @binding(1) var<storage, read_write> results: array<f64>;
@group(0) @binding(2) var<uniform> params: vec4<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i >= params.x) { return; }
  let a = operands[2u * i];
  let b = operands[2u * i + 1u];
  results[4u * i] = a + b;
  results[4u * i + 1u] = a * b;
  results[4u * i + 2u] = a / b;
  results[4u * i + 3u] = sqrt(abs(a));
}
