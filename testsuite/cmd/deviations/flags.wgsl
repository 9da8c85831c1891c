// Each thread stores an element of an array in workgroup memory, and some thread loads it after a barrier. data holds ones and
// zeros, and shall be the same afterwards but for what JOIN does.
@group(0) @binding(0) var<storage, read_write> data: array<u32>;

DECLARE

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3<u32>) {
  let own = group.x * 64u + i;
  STORE
  workgroupBarrier();
  LOAD
}
