// Applies each operation to each triple of f32, given and returned as bits.
@group(0) @binding(0) var<storage, read_write> operands: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<uniform> params: vec4<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i >= params.x) { return; }
  let bits = operands[3u * i];
  let a = bitcast<f32>(bits);
  let b = bitcast<f32>(operands[3u * i + 1u]);
  let c = bitcast<f32>(operands[3u * i + 2u]);
  let at = 13u * i;
  results[at] = bitcast<u32>(a + b);
  results[at + 1u] = bitcast<u32>(a - b);
  results[at + 2u] = bitcast<u32>(a * b);
  results[at + 3u] = bitcast<u32>(a / b);
  results[at + 4u] = bitcast<u32>(sqrt(a));
  results[at + 5u] = bitcast<u32>(fma(a, b, c));
  results[at + 6u] = bitcast<u32>(a * b + c);
  results[at + 7u] = bitcast<u32>(-a);
  results[at + 8u] = bitcast<u32>(round(a));
  results[at + 9u] = bitcast<u32>(f32(bitcast<i32>(bits)));
  results[at + 10u] = bitcast<u32>(f32(bits));
  results[at + 11u] = bitcast<u32>(fma(a, b, 0x1.8p+23f) - 0x1.8p+23f);
  results[at + 12u] = select(0u, 1u, a != a);
}
