// Each thread stores a bool in an array of workgroup memory and, after a barrier, loads it: 2 for true, 1 for false. Words of seen are
// zero before.
@group(0) @binding(0) var<storage, read_write> seen: array<u32>;

var<workgroup> flags: array<bool, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3<u32>) {
  let own = group.x * 64u + i;
  flags[i] = group.x == 0u || i % 3u == seen[own]; // all true, then every third
  workgroupBarrier();
  seen[own] = select(1u, 2u, flags[i]);
}
