// Each subgroup brings the odd ones of its own words together, in order: a ballot for the COUNT words of each thread says where the
// odd ones go. Nothing comes before but BEFORE.
ENABLE
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<storage, read_write> missed: array<atomic<u32>>;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3<u32>) {
  let lane = i % LANESu;
  let subgroup = i / LANESu;
  let begin = (group.x * SUBGROUPSu + subgroup) * COUNTu * LANESu;
  let spare = arrayLength(&x) + group.x * THREADSu + i;
  var mine = 0u;
  TAKE
  BEFORE
  let below = (1u << lane) - 1u;
  var to = begin;
  PUT
}
