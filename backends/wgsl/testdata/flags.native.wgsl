// all
@group(0) @binding(0) var<storage, read> xs: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<atomic<u32>>;
struct Params {
  apart: i32,
  num_groups: u32,
}
@group(0) @binding(2) var<uniform> params: Params;
var<workgroup> part: array<u32, 4>;
fn load_xs(i: i32) -> bool {
  return (((xs[(u32(i) >> 2u)] >> ((u32(i) & 3u) * 8u)) & 0xffu) != 0u);
}
fn store_out(i: i32, x: bool) {
  let shift = (u32(i) % 4u) * 8u;
  atomicAnd(&out[u32(i) / 4u], ~(0xffu << shift));
  atomicOr(&out[u32(i) / 4u], (select(0u, 1u, x) & 0xffu) << shift);
}
@compute @workgroup_size(4)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local_index: u32, @builtin(subgroup_invocation_id) lane_index: u32) {
  let group_index = workgroup.y * workgroups.x + workgroup.x;
  if (group_index >= params.num_groups) { return; }
  let group_id = i32(group_index);
  let local_id = i32(local_index);
  let thread_id = group_id * 4 + local_id;
  let lane = i32(lane_index);
  let apart = params.apart;
  var own: array<u32, 2>;
  own[local_id % 2] = select(0u, 1u, load_xs(thread_id));
  part[local_id] = select(0u, 1u, own[(local_id % 2)] != 0u);
  workgroupBarrier();
  if (local_id < 2) {
    part[local_id] = select(0u, 1u, (part[local_id] != 0u) && (part[(local_id + 2)] != 0u));
  }
  workgroupBarrier();
  let a = subgroupShuffleUp(local_id, u32(1));
  let b = subgroupShuffle(local_id, u32(lane - apart));
  let c = subgroupShuffle(local_id, u32(lane ^ apart));
  store_out(thread_id, (a + b) == c);
}
