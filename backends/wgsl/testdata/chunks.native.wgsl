// k
@group(0) @binding(0) var<storage, read> xs_m0: array<f32>;
@group(0) @binding(1) var<storage, read> xs_m1: array<f32>;
@group(0) @binding(2) var<storage, read_write> ys_m0: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> ys_m1: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> ys_m2: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> hs_m0: array<atomic<i32>>;
@group(0) @binding(6) var<storage, read_write> hs_m1: array<atomic<i32>>;
struct Params {
  n: i32,
  num_groups: u32,
}
@group(0) @binding(7) var<uniform> params: Params;
fn load_xs(i: i32) -> f32 {
  let piece = u32(i) >> 25u;
  let at = i & 33554431;
  if (piece == 0u) {
    return xs_m0[at];
  }
  return xs_m1[at];
}
fn store_ys_m0(i: i32, x: u32) {
  let shift = (u32(i) % 4u) * 8u;
  atomicAnd(&ys_m0[u32(i) / 4u], ~(0xffu << shift));
  atomicOr(&ys_m0[u32(i) / 4u], (x & 0xffu) << shift);
}
fn store_ys_m1(i: i32, x: u32) {
  let shift = (u32(i) % 4u) * 8u;
  atomicAnd(&ys_m1[u32(i) / 4u], ~(0xffu << shift));
  atomicOr(&ys_m1[u32(i) / 4u], (x & 0xffu) << shift);
}
fn store_ys_m2(i: i32, x: u32) {
  let shift = (u32(i) % 4u) * 8u;
  atomicAnd(&ys_m2[u32(i) / 4u], ~(0xffu << shift));
  atomicOr(&ys_m2[u32(i) / 4u], (x & 0xffu) << shift);
}
fn store_ys(i: i32, x: u32) {
  let piece = u32(i) >> 27u;
  let at = i & 134217727;
  if (piece == 0u) {
    store_ys_m0(at, x);
    return;
  }
  if (piece == 1u) {
    store_ys_m1(at, x);
    return;
  }
  store_ys_m2(at, x);
  return;
}
fn atomic_add_hs(i: i32, x: i32) -> i32 {
  let piece = u32(i) >> 25u;
  let at = i & 33554431;
  if (piece == 0u) {
    return atomicAdd(&hs_m0[at], x);
  }
  return atomicAdd(&hs_m1[at], x);
}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let group_index = workgroup.y * workgroups.x + workgroup.x;
  if (group_index >= params.num_groups) { return; }
  let group_id = i32(group_index);
  let local_id = i32(local_index);
  let thread_id = group_id * 64 + local_id;
  let n = params.n;
  let i = thread_id;
  if (i < n) {
    let x = load_xs(i);
    store_ys(i, conv_f32_u32(x) & 0xffu);
    _ = atomic_add_hs(i, conv_f32_i32(x));
    {
      let at_t1 = i32(0);
      var word_t2 = word_hs(at_t1);
      loop {
        let old = word_t2;
        let new_5 = old * 3;
        let next_t5 = new_5;
        if (next_t5 == word_t2) { break; }
        let swap_t3 = exchange_hs(at_t1, word_t2, next_t5);
        if (swap_t3 == word_t2) { break; }
        word_t2 = swap_t3;
      }
    }
  }
}
