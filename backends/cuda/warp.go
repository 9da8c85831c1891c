package cuda

// Note [Updates by warps]
//
// A compare-and-swap loop on one word is right everywhere, and slow where threads meet: each round lets one of them pass. So the lanes of
// a warp take contention out before they loop:
//
//   - where all lanes have one bin, they combine their values, and one of them goes on. Where the operator selects one of its operands,
//     they are done if all leave the copy that this one has as it is, as most do soon;
//   - they try to update their copies of bins some times, two bins at once, so that loads and exchanges overlap. Lanes that are done
//     load, too, and those without a bin their copy of the first one, so loads need no branches;
//   - lanes that are then left, if they are more than a few, find which of them have one bin, combine the values of these in a tree, as
//     deep as the most lanes of a bin need, and the first of each bin alone loops.
//
// No lane waits for another warp. A value that leaves a bin as it is is not written: bins that are saturated are only read. All lanes are
// converged at each step, which __syncwarp sees to behind the loops that they leave one by one.

// warpUpdate is the function that updates bins so: keys are bins, -1 for none.
const warpUpdate = `// Combines the values of a warp's lanes into their bins' copies in workgroup memory.
template <bool selects, class T, int N, class F> static __device__ __forceinline__
void warp_update(T *bins, const i32 (&keys)[N], T (&xs)[N], const i32 copies, const i32 copy, F combine) {
  const u32 lane = threadIdx.x & 31u;
  i32 at[N];
  bool todo[N];
  #pragma unroll
  for (int q = 0; q < N; q++) {
    todo[q] = keys[q] >= 0;
    at[q] = (todo[q] ? keys[q] * copies : 0) + copy;
    if (q % 2 == 0 && N > 1) { continue; }
    const i32 first = __shfl_sync(~0u, keys[q], 0);
    if (__all_sync(~0u, todo[q] && keys[q] == first)) {
      if (selects) {
        const T seen = *(volatile T *)&bins[__shfl_sync(~0u, at[q], 0)];
        todo[q] = combine(seen, xs[q]) != seen;
        if (!__any_sync(~0u, todo[q])) { continue; }
      }
      for (u32 d = 1; d < 32u; d <<= 1) { xs[q] = combine(xs[q], __shfl_xor_sync(~0u, xs[q], d)); }
      todo[q] = lane == 0u;
    }
  }
  #pragma unroll
  for (int q = 0; q < N; q += 2) {
    const int p = q + 1 < N ? q + 1 : q;
    #pragma unroll
    for (u32 round = 0; round < 4u; round++) {
      if (!__any_sync(~0u, todo[q] || todo[p])) { break; }
      const T seen_q = *(volatile T *)&bins[at[q]], seen_p = *(volatile T *)&bins[at[p]];
      const T next_q = combine(seen_q, xs[q]), next_p = combine(seen_p, xs[p]);
      todo[q] = todo[q] && next_q != seen_q;
      todo[p] = todo[p] && next_p != seen_p;
      if (todo[q]) { todo[q] = atomicCAS(&bins[at[q]], seen_q, next_q) != seen_q; }
      if (todo[p]) { todo[p] = atomicCAS(&bins[at[p]], seen_p, next_p) != seen_p; }
      __syncwarp();
    }
  }
  bool left = false;
  #pragma unroll
  for (int q = 0; q < N; q++) { left = left || todo[q]; }
  if (!__any_sync(~0u, left)) { return; }
  #pragma unroll
  for (int q = 0; q < N; q++) {
    const u32 waiting = __ballot_sync(~0u, todo[q]);
    if (waiting == 0u) { continue; }
    u32 peers = 0;
    if (__popc(waiting) > 4) {
      const u32 equal = __match_any_sync(~0u, todo[q] ? (u32)keys[q] : 0x80000000u | lane);
      peers = todo[q] ? equal : 0u;
    }
    const u32 below = (1u << lane) - 1u;
    u32 rest = peers & ~(below | 1u << lane), rank = __popc(peers & below);
    const bool leads = todo[q] && rank == 0u;
    while (__any_sync(~0u, rest != 0u)) {
      const T other = __shfl_sync(~0u, xs[q], rest != 0u ? __ffs(rest) - 1 : (i32)lane);
      if (rest != 0u) { xs[q] = combine(xs[q], other); }
      const bool odd = (rank & 1u) != 0u;
      const u32 dropped = __ballot_sync(~0u, odd);
      rest = odd ? 0u : rest & ~dropped;
      rank >>= 1;
    }
    if (leads) {
      T seen = *(volatile T *)&bins[at[q]];
      for (;;) {
        const T next = combine(seen, xs[q]);
        if (next == seen) { break; }
        const T was = atomicCAS(&bins[at[q]], seen, next);
        if (was == seen) { break; }
        seen = was;
      }
    }
    __syncwarp();
  }
}
`
