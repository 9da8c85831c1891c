// Brings the odd words of x together, in order, in one pass: a tile of THREADS times COUNT words a workgroup, which look back at the
// counts of the tiles before theirs. The threads of the first subgroup look at a tile each, and so leave the loop at
// different times. A word of state has a tile's count (upper bits 01) or that of all up to it (upper bits 10).
ENABLE
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<storage, read_write> state: array<atomic<u32>>;

var<workgroup> number: u32;
var<workgroup> counts: array<u32, SUBGROUPSu>;
var<workgroup> carried: u32;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) i: u32) {
  if (i == 0u) { number = atomicAdd(&state[0], 1u); }
  let tile = workgroupUniformLoad(&number);
  let lane = i % LANESu;
  let subgroup = i / LANESu;
  let begin = (tile * SUBGROUPSu + subgroup) * COUNTu * LANESu + lane;
  var mine = 0u;
  var found = 0u;
  TAKE
  if (lane == 0u) { counts[subgroup] = found; }
  workgroupBarrier();
  var ahead = 0u;
  var total = 0u;
  for (var j = 0u; j < SUBGROUPSu; j++) {
    if (j == subgroup) { ahead = total; }
    total += counts[j];
  }
  if (i == 0u) { atomicStore(&state[16u + tile], select(total | 0x40000000u, total | 0x80000000u, tile == 0u)); }
  if (subgroup == 0u) {
    var sum = 0u;
    var last = tile;
    while (last > 0u) {
      var value = 0u;
      var whole = false;
      var ready = lane >= last;
      LOOK
      AFTER
      let nearest = LANESu - subgroupMax(select(0u, LANESu - lane, whole));
      if (lane > nearest) { value = 0u; }
      sum += subgroupAdd(value);
      if (nearest < LANESu || last <= LANESu) { last = 0u; } else { last -= LANESu; }
    }
    if (lane == 0u) {
      carried = sum;
      if (tile > 0u) { atomicStore(&state[16u + tile], (sum + total) | 0x80000000u); }
    }
  }
  workgroupBarrier();
  let below = (1u << lane) - 1u;
  var to = carried + ahead;
  PUT
}
