// k, from a.fut:1:1-9
template <class T> static __device__ __forceinline__ T load_once(const void *p) {
  union { int4 words; T vector; } x;
  x.words = __ldcs((const int4 *)p);
  return x.vector;
}
typedef struct __align__(16) {
  i64 at[2];
} vec2_i64;
struct Params {
  i32 n;
  u32 num_groups;
};
extern "C" __global__ __launch_bounds__(64) void kernel_main(
    const i64 *__restrict__ xs,
    i64 *__restrict__ ys,
    const Params params) {
  const u32 group_index = blockIdx.y * gridDim.x + blockIdx.x;
  if (group_index >= params.num_groups) { return; }
  const i32 group_id = (i32)group_index;
  const i32 local_id = (i32)threadIdx.x;
  const i32 thread_id = group_id * 64 + local_id;
  const i32 n = params.n;
  if (thread_id < n) {
    const vec2_i64 at_t1 = load_once<vec2_i64>(&xs[2 * thread_id]);
    const i64 a = at_t1.at[0];
    const i64 b = at_t1.at[1];
    ys[thread_id] = (i64)((u64)a + (u64)b);
  }
}
