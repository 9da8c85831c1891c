// k, from a.fut:3:1-9
@group(0) @binding(0) var<storage, read> xs: array<u32>;
@group(0) @binding(1) var<storage, read_write> ys: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> hs: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> failure: array<atomic<u32>>;
struct Params {
  n: i32,
  k: vec2<u32>,
  num_groups: u32,
}
@group(0) @binding(4) var<uniform> params: Params;
fn words_from_u64(x: u64) -> vec2<u32> {
  return vec2<u32>(u32(x & 0xfffffffflu), u32(x >> 32u));
}
// Whether this is the first failure: then the caller notes the values.
fn claim_failure(site: u32) -> bool {
  loop {
    let swap = atomicCompareExchangeWeak(&failure[0], 0u, site);
    if (swap.exchanged) { return true; }
    if (swap.old_value != 0u) { return false; }
  }
  return false;
}
fn note_value(at: i32, w: vec2<u32>) {
  atomicStore(&failure[at], w.x);
  atomicStore(&failure[at + 1], w.y);
}
fn load_xs(i: i32) -> u32 {
  return ((xs[(u32(i) >> 2u)] >> ((u32(i) & 3u) * 8u)) & 0xffu);
}
fn store_ys(i: i32, x: i32) {
  let shift = (u32(i) % 2u) * 16u;
  atomicAnd(&ys[u32(i) / 2u], ~(0xffffu << shift));
  atomicOr(&ys[u32(i) / 2u], (u32(x) & 0xffffu) << shift);
}
fn atomic_add_hs(i: i32, x: f32) -> f32 {
  var w = atomicLoad(&hs[i]);
  loop {
    let old = bitcast<f32>(w);
    let next = bitcast<u32>((old + x));
    if (next == w) { return old; }
    let swap = atomicCompareExchangeWeak(&hs[i], w, next);
    if (swap.exchanged) { return old; }
    w = swap.old_value;
  }
  return f32();
}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let group_index = workgroup.y * workgroups.x + workgroup.x;
  if (group_index >= params.num_groups) { return; }
  let group_id = i32(group_index);
  let local_id = i32(local_index);
  let thread_id = group_id * 64 + local_id;
  let n = params.n;
  let k = bitcast<i64>(u64_from_words(params.k));
  var tmp: array<f64, 2>;
  if (atomicLoad(&failure[0]) != 0u) { return; }
  let i = thread_id;
  if (i < n) {
    let x = load_xs(i);
    if (!(bitcast<i64>(u64(x)) < k)) {
      if (claim_failure(1u)) {
        note_value(2, words_from_u64(bitcast<u64>(bitcast<i64>(u64(x)))));
        note_value(4, words_from_u64(bitcast<u64>(k)));
      }
      return;
    }
    let y = extractBits((i32(x) * 300), 0u, 16u);
    store_ys(i, y);
    tmp[0] = conv_i32_f64(y);
    _ = atomic_add_hs(i32(x), conv_f64_f32(tmp[0]));
    {
      let at_t1 = i32(0);
      var word_t2 = atomicLoad(&hs[at_t1]);
      loop {
        let old = bitcast<f32>(word_t2);
        let new_7 = sqrt_f32(old);
        let next_t5 = bitcast<u32>(new_7);
        if (next_t5 == word_t2) { break; }
        let swap_t3 = atomicCompareExchangeWeak(&hs[at_t1], word_t2, next_t5);
        if (swap_t3.exchanged) { break; }
        word_t2 = swap_t3.old_value;
      }
    }
  }
}
