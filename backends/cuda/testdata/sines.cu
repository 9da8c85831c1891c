// sines
struct Params {
  u32 num_groups;
};
extern "C" __global__ __launch_bounds__(64) void kernel_main(
    const f32 *__restrict__ a,
    f32 *__restrict__ b,
    f32 *__restrict__ c_m2,
    const Params params) {
  const u32 group_index = blockIdx.y * gridDim.x + blockIdx.x;
  if (group_index >= params.num_groups) { return; }
  const i32 group_id = (i32)group_index;
  const i32 local_id = (i32)threadIdx.x;
  const i32 thread_id = group_id * 64 + local_id;
  const f32 x = a[thread_id];
  const float2 both_t1 = sin_cos_f32(x);
  const f32 c_2 = both_t1.y;
  const f32 y = x * 2.0f;
  const f32 s = both_t1.x;
  const f32 d = cos_f32(y);
  b[thread_id] = (c_2 + s) * (c_2 * s);
  const f32 t = sin_f32(y);
  c_m2[thread_id] = (d + t) * (d * t);
}
