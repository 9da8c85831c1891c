// calls
@group(0) @binding(0) var<storage, read_write> xs: array<i32>;
@group(0) @binding(1) var<storage, read_write> ys: array<i32>;
struct Params {
  n: i32,
  num_groups: u32,
}
@group(0) @binding(2) var<uniform> params: Params;
fn half_0m(x: i32) -> i32 {
  let q = x / 2;
  return q;
}
@compute @workgroup_size(4)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let group_index = workgroup.y * workgroups.x + workgroup.x;
  if (group_index >= params.num_groups) { return; }
  let group_id = i32(group_index);
  let local_id = i32(local_index);
  let thread_id = group_id * 4 + local_id;
  let unseen_zero = i32(params.num_groups >> 31u);
  let n = params.n;
  var h = xs[thread_id];
  for (var j = 0; j < 9 + unseen_zero; j++) {
    let q = half_0m(h);
    h = q;
    for (var k_5 = 0; k_5 < 2 + unseen_zero; k_5++) {
      h = h + k_5;
    }
  }
  for (var k_6 = 0; k_6 < n; k_6++) {
    h = h + k_6;
  }
  ys[thread_id] = h;
}
// none
@group(0) @binding(0) var<storage, read_write> xs: array<i32>;
@group(0) @binding(1) var<storage, read_write> ys: array<i32>;
struct Params {
  num_groups: u32,
}
@group(0) @binding(2) var<uniform> params: Params;
@compute @workgroup_size(4)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let group_index = workgroup.y * workgroups.x + workgroup.x;
  if (group_index >= params.num_groups) { return; }
  let group_id = i32(group_index);
  let local_id = i32(local_index);
  let thread_id = group_id * 4 + local_id;
  var h = xs[thread_id];
  for (var k = 0; k < 2; k++) {
    h = h + k;
  }
  ys[thread_id] = h;
}
