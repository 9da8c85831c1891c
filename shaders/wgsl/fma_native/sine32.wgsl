// reduce_near_f32(x) is reduce_f32 for |x| below 8,192, by Cody and Waite's reduction: pi / 2 is in three parts. The first fused operation
// is exact, and what the others round away is small beside their results, near multiples of pi / 2, too.
fn reduce_near_f32(x: f32) -> Turn32 {
  let w = fma(x, 0x1.45f306p-1f, 0x1.8p+23f);
  let n = w - 0x1.8p+23f;
  return Turn32(bitcast<u32>(w), fma(n, 0x1.ee59dap-50f, fma(n, 0x1.777a5cp-25f, fma(n, -0x1.921fb6p+0f, x))));
}
