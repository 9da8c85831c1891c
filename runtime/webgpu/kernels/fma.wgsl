// The two operations of floats.wgsl that kernels rely on, on triples of f32, given and returned as bits.
@group(0) @binding(0) var<storage, read_write> operands: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<uniform> params: vec4<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i >= params.x) { return; }
  let a = bitcast<f32>(operands[3u * i]);
  let b = bitcast<f32>(operands[3u * i + 1u]);
  let c = bitcast<f32>(operands[3u * i + 2u]);
  results[2u * i] = bitcast<u32>(fma(a, b, c));
  results[2u * i + 1u] = bitcast<u32>(fma(a, b, 0x1.8p+23f) - 0x1.8p+23f);
}
