// sines
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c_m2: array<f32>;
struct Params {
  num_groups: u32,
}
@group(0) @binding(3) var<uniform> params: Params;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let group_index = workgroup.y * workgroups.x + workgroup.x;
  if (group_index >= params.num_groups) { return; }
  let group_id = i32(group_index);
  let local_id = i32(local_index);
  let thread_id = group_id * 64 + local_id;
  let x = a[thread_id];
  let both_t1 = sin_cos_f32(x);
  let c_2 = both_t1.y;
  let y = x * 2.0f;
  let s = both_t1.x;
  let d = cos_f32(y);
  b[thread_id] = (c_2 + s) * (c_2 * s);
  let t = sin_f32(y);
  c_m2[thread_id] = (d + t) * (d * t);
}
