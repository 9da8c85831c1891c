// alone
@group(0) @binding(0) var<storage, read_write> ys: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read_write> failure: array<atomic<u32>>;
struct Params {
  x: vec2<u32>,
  num_groups: u32,
}
@group(0) @binding(2) var<uniform> params: Params;
var<private> function_failed = false;
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
struct half_0mm {
  r0: vec2<u32>,
  r1: bool,
}
fn half_0m(x: vec2<u32>) -> half_0mm {
  var p: array<i32, 2>;
  let q = quot_i64(x, vec2<u32>(2u, 0u));
  if (!le_i64(vec2<u32>(0u, 0u), x)) {
    if (claim_failure(1u)) {
      note_value(2, x);
    }
    function_failed = true;
    return half_0mm();
  }
  p[1] = 7;
  return half_0mm(q, all(mul_i64(q, vec2<u32>(2u, 0u)) == x));
}
fn quarter_1m(x: vec2<u32>) -> vec2<u32> {
  var r = vec2<u32>(0u, 0u);
  let results_t1 = half_0m(x);
  let h = results_t1.r0;
  let even = results_t1.r1;
  if (function_failed) {
    return vec2<u32>();
  }
  if (even) {
    let results_t2 = half_0m(h);
    let q = results_t2.r0;
    let whole = results_t2.r1;
    if (function_failed) {
      return vec2<u32>();
    }
    r = q;
  }
  return r;
}
@compute @workgroup_size(4)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let group_index = workgroup.y * workgroups.x + workgroup.x;
  if (group_index >= params.num_groups) { return; }
  let group_id = i32(group_index);
  let local_id = i32(local_index);
  let thread_id = group_id * 4 + local_id;
  let x = params.x;
  let q = quarter_1m(x);
  if (function_failed) {
    return;
  }
  ys[thread_id] = q;
}
// together
@group(0) @binding(0) var<storage, read> xs: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read_write> ys: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> failure: array<atomic<u32>>;
struct Params {
  n: i32,
  num_groups: u32,
}
@group(0) @binding(3) var<uniform> params: Params;
var<workgroup> group_failed: u32;
var<workgroup> tmp: array<vec2<u32>, 4>;
var<private> function_failed = false;
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
struct half_0mm {
  r0: vec2<u32>,
  r1: bool,
}
fn half_0m(x: vec2<u32>) -> half_0mm {
  var p: array<i32, 2>;
  let q = quot_i64(x, vec2<u32>(2u, 0u));
  if (!le_i64(vec2<u32>(0u, 0u), x)) {
    if (claim_failure(1u)) {
      note_value(2, x);
    }
    function_failed = true;
    return half_0mm();
  }
  p[1] = 7;
  return half_0mm(q, all(mul_i64(q, vec2<u32>(2u, 0u)) == x));
}
fn quarter_1m(x: vec2<u32>) -> vec2<u32> {
  var r = vec2<u32>(0u, 0u);
  let results_t1 = half_0m(x);
  let h = results_t1.r0;
  let even = results_t1.r1;
  if (function_failed) {
    return vec2<u32>();
  }
  if (even) {
    let results_t2 = half_0m(h);
    let q = results_t2.r0;
    let whole = results_t2.r1;
    if (function_failed) {
      return vec2<u32>();
    }
    r = q;
  }
  return r;
}
@compute @workgroup_size(4)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let group_index = workgroup.y * workgroups.x + workgroup.x;
  if (group_index >= params.num_groups) { return; }
  let group_id = i32(group_index);
  let local_id = i32(local_index);
  let thread_id = group_id * 4 + local_id;
  let n = params.n;
  var h: vec2<u32>;
  var even: bool;
  var q: vec2<u32>;
  if (local_id == 0) { group_failed = 0u; }
  if (workgroupUniformLoad(&group_failed) != 0u) { return; }
  var alive = true;
  loop {
    let results_t1 = half_0m(xs[thread_id]);
    h = results_t1.r0;
    even = results_t1.r1;
    if (function_failed) {
      alive = false;
      break;
    }
    break;
  }
  if (!alive) { group_failed = 1u; }
  if (workgroupUniformLoad(&group_failed) != 0u) { return; }
  for (var j = 0; j < n; j++) {
    tmp[local_id] = h;
    workgroupBarrier();
    loop {
      q = quarter_1m(tmp[(3 - local_id)]);
      if (function_failed) {
        alive = false;
        break;
      }
      h = q;
      break;
    }
    if (!alive) { group_failed = 1u; }
    if (workgroupUniformLoad(&group_failed) != 0u) { return; }
  }
  ys[thread_id] = h;
}
