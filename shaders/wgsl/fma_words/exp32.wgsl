// exp_f32(x) is e^x, within 2 ulp, by exp_part_f32 after Cody and Waite's reduction by n · ln 2, whose upper part has
// so few bits that its product is exact without a fused operation. Infinity and NaN stay, and -infinity becomes 0.
fn exp_f32(x: f32) -> f32 {
  let w = whole_f32(x * 0x1.715476p+0f);
  let n = w - 0x1.8p+23f;
  let p = exp_part_f32(fma(n, -0x1.7f7d1cp-20f, pin_f32(fma(n, -0x1.62e4p-1f, x))));
  if ((bitcast<u32>(x) & 0x7fffffffu) < 0x42ae0000u) { return raise_f32(p, w); }
  return exp_far_f32(x, w, p);
}
