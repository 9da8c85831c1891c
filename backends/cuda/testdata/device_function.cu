// alone
// Whether this is the first failure: then the caller notes the values.
static __device__ __forceinline__ bool claim_failure(u32 *failure, u32 site) { return atomicCAS(failure, 0u, site) == 0u; }
static __device__ __forceinline__ void note_value(u32 *failure, i32 at, u64 x) {
  failure[at] = (u32)x;
  failure[at + 1] = (u32)(x >> 32);
}
typedef struct {
  i64 r0;
  bool r1;
} half_0mm;
static __device__ __noinline__ half_0mm half_0m(u32 *failure, bool *function_failed, const i64 x) {
  i32 p[2];
  const i64 q = x / 2ll;
  if (!(0ll <= x)) {
    if (claim_failure(failure, 1u)) {
      note_value(failure, 2, (u64)(i64)x);
    }
    *function_failed = true;
    const half_0mm none_t = {0};
    return none_t;
  }
  p[1] = 7;
  const half_0mm results_t = {q, (i64)((u64)q * (u64)2ll) == x};
  return results_t;
}
static __device__ __noinline__ i64 quarter_1m(u32 *failure, bool *function_failed, const i64 x) {
  i64 r = 0ll;
  const half_0mm results_t1 = half_0m(failure, function_failed, x);
  const i64 h = results_t1.r0;
  const bool even = results_t1.r1;
  if (*function_failed) {
    return 0;
  }
  if (even) {
    const half_0mm results_t2 = half_0m(failure, function_failed, h);
    const i64 q = results_t2.r0;
    const bool whole = results_t2.r1;
    if (*function_failed) {
      return 0;
    }
    r = q;
  }
  return r;
}
struct Params {
  i64 x;
  u32 num_groups;
};
extern "C" __global__ __launch_bounds__(4) void kernel_main(
    i64 *__restrict__ ys,
    u32 *failure,
    const Params params) {
  const u32 group_index = blockIdx.y * gridDim.x + blockIdx.x;
  if (group_index >= params.num_groups) { return; }
  const i32 group_id = (i32)group_index;
  const i32 local_id = (i32)threadIdx.x;
  const i32 thread_id = group_id * 4 + local_id;
  const i64 x = params.x;
  bool failed_t1 = false;
  const i64 q = quarter_1m(failure, &failed_t1, x);
  if (failed_t1) {
    return;
  }
  ys[thread_id] = q;
}
// together
// Whether this is the first failure: then the caller notes the values.
static __device__ __forceinline__ bool claim_failure(u32 *failure, u32 site) { return atomicCAS(failure, 0u, site) == 0u; }
static __device__ __forceinline__ void note_value(u32 *failure, i32 at, u64 x) {
  failure[at] = (u32)x;
  failure[at + 1] = (u32)(x >> 32);
}
typedef struct {
  i64 r0;
  bool r1;
} half_0mm;
static __device__ __noinline__ half_0mm half_0m(u32 *failure, bool *function_failed, const i64 x) {
  i32 p[2];
  const i64 q = x / 2ll;
  if (!(0ll <= x)) {
    if (claim_failure(failure, 1u)) {
      note_value(failure, 2, (u64)(i64)x);
    }
    *function_failed = true;
    const half_0mm none_t = {0};
    return none_t;
  }
  p[1] = 7;
  const half_0mm results_t = {q, (i64)((u64)q * (u64)2ll) == x};
  return results_t;
}
static __device__ __noinline__ i64 quarter_1m(u32 *failure, bool *function_failed, const i64 x) {
  i64 r = 0ll;
  const half_0mm results_t1 = half_0m(failure, function_failed, x);
  const i64 h = results_t1.r0;
  const bool even = results_t1.r1;
  if (*function_failed) {
    return 0;
  }
  if (even) {
    const half_0mm results_t2 = half_0m(failure, function_failed, h);
    const i64 q = results_t2.r0;
    const bool whole = results_t2.r1;
    if (*function_failed) {
      return 0;
    }
    r = q;
  }
  return r;
}
struct Params {
  i32 n;
  u32 num_groups;
};
extern "C" __global__ __launch_bounds__(4) void kernel_main(
    const i64 *__restrict__ xs,
    i64 *__restrict__ ys,
    u32 *failure,
    const Params params) {
  const u32 group_index = blockIdx.y * gridDim.x + blockIdx.x;
  if (group_index >= params.num_groups) { return; }
  __shared__ __align__(8) i64 tmp[4];
  bool alive = true;
  const i32 group_id = (i32)group_index;
  const i32 local_id = (i32)threadIdx.x;
  const i32 thread_id = group_id * 4 + local_id;
  const i32 n = params.n;
  i64 h;
  bool even;
  i64 q;
  {
    bool failed_t1 = false;
    const half_0mm results_t2 = half_0m(failure, &failed_t1, xs[thread_id]);
    h = results_t2.r0;
    even = results_t2.r1;
    if (failed_t1) {
      alive = false;
      goto left_1;
    }
  }
  left_1:
  if (__syncthreads_or(!alive)) { return; }
  for (i32 j = 0; j < n; j++) {
    tmp[local_id] = h;
    __syncthreads();
    {
      bool failed_t3 = false;
      q = quarter_1m(failure, &failed_t3, tmp[3 - local_id]);
      if (failed_t3) {
        alive = false;
        goto left_2;
      }
      h = q;
    }
    left_2:
    if (__syncthreads_or(!alive)) { return; }
  }
  ys[thread_id] = h;
}
// rolled
// Whether this is the first failure: then the caller notes the values.
static __device__ __forceinline__ bool claim_failure(u32 *failure, u32 site) { return atomicCAS(failure, 0u, site) == 0u; }
static __device__ __forceinline__ void note_value(u32 *failure, i32 at, u64 x) {
  failure[at] = (u32)x;
  failure[at + 1] = (u32)(x >> 32);
}
typedef struct {
  i64 r0;
  bool r1;
} half_0mm;
static __device__ __noinline__ half_0mm half_0m(u32 *failure, bool *function_failed, const i64 x) {
  i32 p[2];
  const i64 q = x / 2ll;
  if (!(0ll <= x)) {
    if (claim_failure(failure, 1u)) {
      note_value(failure, 2, (u64)(i64)x);
    }
    *function_failed = true;
    const half_0mm none_t = {0};
    return none_t;
  }
  p[1] = 7;
  const half_0mm results_t = {q, (i64)((u64)q * (u64)2ll) == x};
  return results_t;
}
static __device__ __noinline__ i64 quarter_1m(u32 *failure, bool *function_failed, const i64 x) {
  i64 r = 0ll;
  const half_0mm results_t1 = half_0m(failure, function_failed, x);
  const i64 h = results_t1.r0;
  const bool even = results_t1.r1;
  if (*function_failed) {
    return 0;
  }
  if (even) {
    const half_0mm results_t2 = half_0m(failure, function_failed, h);
    const i64 q = results_t2.r0;
    const bool whole = results_t2.r1;
    if (*function_failed) {
      return 0;
    }
    r = q;
  }
  return r;
}
struct Params {
  i64 x;
  u32 num_groups;
};
extern "C" __global__ __launch_bounds__(4) void kernel_main(
    i64 *__restrict__ ys,
    u32 *failure,
    const Params params) {
  const u32 group_index = blockIdx.y * gridDim.x + blockIdx.x;
  if (group_index >= params.num_groups) { return; }
  const i32 group_id = (i32)group_index;
  const i32 local_id = (i32)threadIdx.x;
  const i32 thread_id = group_id * 4 + local_id;
  const i64 x = params.x;
  i64 r = x;
  #pragma unroll 1
  for (i32 j = 0; j < 9; j++) {
    bool failed_t1 = false;
    const i64 q = quarter_1m(failure, &failed_t1, r);
    if (failed_t1) {
      return;
    }
    r = q;
  }
  ys[thread_id] = r;
}
