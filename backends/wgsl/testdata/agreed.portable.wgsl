// rounds
@group(0) @binding(0) var<storage, read> xs: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read_write> ys: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> failure: array<atomic<u32>>;
struct Params {
  n: i32,
  d: vec2<u32>,
  num_groups: u32,
}
@group(0) @binding(3) var<uniform> params: Params;
var<workgroup> group_failed: u32;
var<workgroup> part: array<vec2<u32>, 4>;
fn sign_extend(x: i32) -> vec2<u32> { return vec2<u32>(u32(x), u32(x >> 31u)); }
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
@compute @workgroup_size(4)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let group_index = workgroup.y * workgroups.x + workgroup.x;
  if (group_index >= params.num_groups) { return; }
  let group_id = i32(group_index);
  let local_id = i32(local_index);
  let thread_id = group_id * 4 + local_id;
  let n = params.n;
  let d = params.d;
  if (local_id == 0) { group_failed = 0u; }
  if (workgroupUniformLoad(&group_failed) != 0u) { return; }
  var alive = true;
  if (!le_i64(vec2<u32>(0u, 0u), d)) {
    if (claim_failure(1u)) {
      note_value(2, d);
      note_value(4, d);
    }
    return;
  }
  part[local_id] = xs[thread_id];
  workgroupBarrier();
  for (var i = 0; i < n; i++) {
    let e = sub_i64(d, sign_extend(i));
    if (!lt_i64(vec2<u32>(0u, 0u), e)) {
      if (claim_failure(1u)) {
        note_value(2, e);
        note_value(4, d);
      }
      return;
    }
    let x = quot_i64(part[local_id], e);
    workgroupBarrier();
    part[(local_id + i) % 4] = x;
    workgroupBarrier();
  }
  loop {
    if (!lt_i64(part[local_id], d)) {
      if (claim_failure(1u)) {
        note_value(2, d);
        note_value(4, d);
      }
      alive = false;
      break;
    }
    if (!lt_i64(vec2<u32>(9u, 0u), d)) {
      if (claim_failure(1u)) {
        note_value(2, d);
        note_value(4, d);
      }
      alive = false;
      break;
    }
    break;
  }
  if (!alive) { group_failed = 1u; }
  if (workgroupUniformLoad(&group_failed) != 0u) { return; }
  ys[thread_id] = part[0];
}
