// count
static __device__ __forceinline__ unsigned char *computed_once(unsigned char *shared) {
  u32 address;
  asm volatile("mov.u32 %0, %1;" : "=r"(address) : "r"((u32)__cvta_generic_to_shared(shared)));
  return (unsigned char *)__cvta_shared_to_generic(address);
}
struct Params {
  i32 bins;
  i32 n;
  u32 num_groups;
  u32 num_elements_2;
};
extern "C" __global__ __launch_bounds__(64) void kernel_main(
    const i32 *__restrict__ is,
    i32 *__restrict__ out,
    const Params params) {
  const u32 group_index = blockIdx.y * gridDim.x + blockIdx.x;
  if (group_index >= params.num_groups) { return; }
  extern __shared__ __align__(16) unsigned char shared_array[];
  unsigned char *const shared_memory = computed_once(shared_array);
  i32 *table = (i32 *)(shared_memory + 0);
  const i32 group_id = (i32)group_index;
  const i32 local_id = (i32)threadIdx.x;
  const i32 thread_id = group_id * 64 + local_id;
  const i32 bins = params.bins;
  const i32 n = params.n;
  i32 j_3 = local_id;
  while (j_3 < bins) {
    *(volatile i32 *)&table[j_3] = 0;
    j_3 = j_3 + 64;
  }
  __syncthreads();
  if (thread_id < n) {
    const i32 x = is[thread_id];
    if ((u32)x < (u32)bins) {
      atomicAdd(&table[x], 1);
    }
  }
  __syncthreads();
  i32 j_5 = local_id;
  while (j_5 < bins) {
    const i32 c = *(volatile i32 *)&table[j_5];
    atomicAdd(&out[j_5], c);
    j_5 = j_5 + 64;
  }
}
