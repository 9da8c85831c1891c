// Records for each thread of a one-dimensional workgroup its subgroup's size, its
// lane, and the local index of its subgroup's first lane.
@group(0) @binding(0) var<storage, read_write> seen: array<vec4<u32>>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
  @builtin(subgroup_size) size: u32,
  @builtin(subgroup_invocation_id) lane: u32,
) {
  seen[id.x] = vec4<u32>(size, lane, subgroupBroadcastFirst(local), local);
}
