// reduce
// Whether this is the first failure: then the caller notes the values.
static __device__ __forceinline__ bool claim_failure(u32 *failure, u32 site) { return atomicCAS(failure, 0u, site) == 0u; }
static __device__ __forceinline__ void note_value(u32 *failure, i32 at, u64 x) {
  failure[at] = (u32)x;
  failure[at + 1] = (u32)(x >> 32);
}
typedef struct __align__(16) {
  i64 at[2];
} vec2_i64;
struct Params {
  i32 n;
  u32 num_groups;
};
extern "C" __global__ __launch_bounds__(4) void kernel_main(
    const i64 *__restrict__ xs,
    i64 *__restrict__ out,
    u32 *failure,
    const Params params) {
  const u32 group_index = blockIdx.y * gridDim.x + blockIdx.x;
  if (group_index >= params.num_groups) { return; }
  __shared__ __align__(8) i64 part[4];
  bool alive = true;
  const i32 group_id = (i32)group_index;
  const i32 local_id = (i32)threadIdx.x;
  const i32 thread_id = group_id * 4 + local_id;
  const i32 n = params.n;
  i64 acc = 0ll;
  i32 i = 4 * thread_id;
  {
    while (i < n) {
      const vec2_i64 at_t1 = *(const vec2_i64 *)&xs[i];
      const i64 x = at_t1.at[0];
      const i64 y = at_t1.at[1];
      if (!(x <= y)) {
        if (claim_failure(failure, 1u)) {
          note_value(failure, 2, (u64)(i64)x);
          note_value(failure, 4, (u64)(i64)y);
        }
        alive = false;
        goto left_1;
      }
      acc = (i64)((u64)acc + (u64)quot_i64(x, y));
      i = i + 16;
    }
    part[local_id] = acc;
  }
  left_1:
  if (__syncthreads_or(!alive)) { return; }
  for (i32 step = 0; step < 2; step++) {
    __syncthreads();
    if (local_id < step) {
      part[local_id] = (i64)((u64)part[local_id] + (u64)part[local_id + step]);
    }
  }
  __syncthreads();
  if (local_id == 0) {
    out[group_id] = part[0];
  }
}
