// words
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> c: array<u32>;
@group(0) @binding(3) var<storage, read_write> d: array<u32>;
@group(0) @binding(4) var<storage, read_write> e: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> f: array<i32>;
struct Params {
  n: i32,
  num_groups: u32,
}
@group(0) @binding(6) var<uniform> params: Params;
fn half_bits(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let sign = (bits >> 16u) & 0x8000u;
  let a = bits & 0x7fffffffu;
  if (a > 0x7f800000u) {
    let payload = (a >> 13u) & 0x3ffu;
    return sign | 0x7c00u | select(payload, 0x200u, payload == 0u);
  }
  if (a >= 0x477ff000u) { return sign | 0x7c00u; }
  if (a >= 0x38800000u) { return sign | ((a - 0x38000000u + 0xfffu + ((a >> 13u) & 1u)) >> 13u); }
  if (a < 0x33000000u) { return sign; }
  let shift = 126u - (a >> 23u);
  let m = (a & 0x7fffffu) | 0x800000u;
  let kept = m >> shift;
  let lost = m << (32u - shift);
  return sign | (kept + select(0u, 1u, lost > 0x80000000u || (lost == 0x80000000u && (kept & 1u) != 0u)));
}
fn own_a(i: i32, x: u32) {
  let shift = (u32(i) % 4u) * 8u;
  a[(u32(i) >> 2u)] = (a[(u32(i) >> 2u)] & ~(0xffu << shift)) | ((x & 0xffu) << shift);
}
fn own_b(i: i32, x: i32) {
  let shift = (u32(i) % 2u) * 16u;
  b[u32(i) >> 2u][(u32(i) >> 1u) % 2u] = (b[u32(i) >> 2u][(u32(i) >> 1u) % 2u] & ~(0xffffu << shift)) | ((u32(x) & 0xffffu) << shift);
}
fn own_c(i: i32, x: f32) {
  let shift = (u32(i) % 2u) * 16u;
  c[(u32(i) >> 1u)] = (c[(u32(i) >> 1u)] & ~(0xffffu << shift)) | ((to_bits_f16(x) & 0xffffu) << shift);
}
fn own_d(i: i32, x: bool) {
  let shift = (u32(i) % 4u) * 8u;
  d[(u32(i) >> 2u)] = (d[(u32(i) >> 2u)] & ~(0xffu << shift)) | ((select(0u, 1u, x) & 0xffu) << shift);
}
fn store_e(i: i32, x: u32) {
  let shift = (u32(i) % 4u) * 8u;
  atomicAnd(&e[u32(i) / 4u], ~(0xffu << shift));
  atomicOr(&e[u32(i) / 4u], (x & 0xffu) << shift);
}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let group_index = workgroup.y * workgroups.x + workgroup.x;
  if (group_index >= params.num_groups) { return; }
  let group_id = i32(group_index);
  let local_id = i32(local_index);
  let thread_id = group_id * 64 + local_id;
  let n = params.n;
  let i = thread_id * 4;
  if (i < n) {
    b[u32(i) >> 2u] = vec2<u32>((u32(1) & 0xffffu) | ((u32(i32(-1)) & 0xffffu) << 16u), (u32(2) & 0xffffu) | ((u32(3) & 0xffffu) << 16u));
    d[u32(i) >> 2u] = select(0u, 1u, true) | (select(0u, 1u, false) << 8u) | (select(0u, 1u, true) << 16u) | (select(0u, 1u, true) << 24u);
  } else {
    own_a(i, 7u);
    own_b(i, i32(-7));
    own_c(i, 1.0f);
    own_d(i, i < 9);
    store_e(i, 1u);
    store_e(i + 1, 2u);
    f[i] = 3;
  }
}
// chunks
@group(0) @binding(0) var<storage, read_write> a_m0: array<u32>;
@group(0) @binding(1) var<storage, read_write> a_m1: array<u32>;
@group(0) @binding(2) var<storage, read_write> b_m0: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> b_m1: array<vec4<u32>>;
struct Params {
  num_groups: u32,
}
@group(0) @binding(4) var<uniform> params: Params;
fn store_vector_b(i: i32, x: vec4<u32>) {
  let piece = u32(i) >> 26u;
  let at = i & 67108863;
  if (piece == 0u) {
    b_m0[u32(at) >> 3u] = x;
    return;
  }
  b_m1[u32(at) >> 3u] = x;
  return;
}
fn own_a_m0(i: i32, x: u32) {
  let shift = (u32(i) % 4u) * 8u;
  a_m0[(u32(i) >> 2u)] = (a_m0[(u32(i) >> 2u)] & ~(0xffu << shift)) | ((x & 0xffu) << shift);
}
fn own_a_m1(i: i32, x: u32) {
  let shift = (u32(i) % 4u) * 8u;
  a_m1[(u32(i) >> 2u)] = (a_m1[(u32(i) >> 2u)] & ~(0xffu << shift)) | ((x & 0xffu) << shift);
}
fn own_a(i: i32, x: u32) {
  let piece = u32(i) >> 27u;
  let at = i & 134217727;
  if (piece == 0u) {
    own_a_m0(at, x);
    return;
  }
  own_a_m1(at, x);
  return;
}
fn own_b_m0(i: i32, x: i32) {
  let shift = (u32(i) % 2u) * 16u;
  b_m0[u32(i) >> 3u][(u32(i) >> 1u) % 4u] = (b_m0[u32(i) >> 3u][(u32(i) >> 1u) % 4u] & ~(0xffffu << shift)) | ((u32(x) & 0xffffu) << shift);
}
fn own_b_m1(i: i32, x: i32) {
  let shift = (u32(i) % 2u) * 16u;
  b_m1[u32(i) >> 3u][(u32(i) >> 1u) % 4u] = (b_m1[u32(i) >> 3u][(u32(i) >> 1u) % 4u] & ~(0xffffu << shift)) | ((u32(x) & 0xffffu) << shift);
}
fn own_b(i: i32, x: i32) {
  let piece = u32(i) >> 26u;
  let at = i & 67108863;
  if (piece == 0u) {
    own_b_m0(at, x);
    return;
  }
  own_b_m1(at, x);
  return;
}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let group_index = workgroup.y * workgroups.x + workgroup.x;
  if (group_index >= params.num_groups) { return; }
  let group_id = i32(group_index);
  let local_id = i32(local_index);
  let thread_id = group_id * 64 + local_id;
  let i = thread_id * 8;
  store_vector_b(i, vec4<u32>((u32(1) & 0xffffu) | ((u32(i32(-1)) & 0xffffu) << 16u), (u32(2) & 0xffffu) | ((u32(3) & 0xffffu) << 16u), (u32(1) & 0xffffu) | ((u32(i32(-1)) & 0xffffu) << 16u), (u32(2) & 0xffffu) | ((u32(3) & 0xffffu) << 16u)));
  own_a(i, 7u);
  own_b(i + 8, i32(-7));
}
