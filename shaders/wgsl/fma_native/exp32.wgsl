// exp_f32(x) is e^x, within 2 ulp, by exp_part_f32 after Cody and Waite's reduction by n · ln 2. Infinity and NaN stay, and -infinity
// becomes 0.
fn exp_f32(x: f32) -> f32 {
  let w = fma(x, 0x1.715476p+0f, 0x1.8p+23f);
  let n = w - 0x1.8p+23f;
  let p = exp_part_f32(fma(n, -0x1.7f7d1cp-20f, fma(n, -0x1.62e4p-1f, x)));
  if ((bitcast<u32>(x) & 0x7fffffffu) < 0x42ae0000u) { return raise_f32(p, w); }
  return exp_far_f32(x, w, p);
}
