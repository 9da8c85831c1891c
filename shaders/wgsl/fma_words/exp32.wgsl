// exp_whole_f32(x) is whole_f32 of the number n of times that x holds ln 2.
fn exp_whole_f32(x: f32) -> f32 { return whole_f32(x * 0x1.715476p+0f); }

// exp_rest_f32(x, w) is e to the power of what n · ln 2 leaves of x, for the n that exp_whole_f32 found. The upper part of ln 2 has
// so few bits that its product is exact without a fused operation.
fn exp_rest_f32(x: f32, w: f32) -> f32 {
  let n = w - 0x1.8p+23f;
  return exp_part_f32(fma(n, -0x1.7f7d1cp-20f, pin_f32(fma(n, -0x1.62e4p-1f, x))));
}
