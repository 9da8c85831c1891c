// whole_product_f32(a, b) is 1.5 · 2^23 plus the nearest integer to a · b, for |a · b| < 2^21. No compiler sees through a fused operation.
fn whole_product_f32(a: f32, b: f32) -> f32 { return fma(a, b, 0x1.8p+23f); }

// exp_f32(x) is e^x, within 2 ulp, by exp2_near_f32: x log2 e without the integer next to it, of which fused operations lose less than a
// quarter of an ulp. Infinity and NaN stay, and -infinity becomes 0.
fn exp_f32(x: f32) -> f32 {
  let w = whole_product_f32(x, 0x1.715476p+0f);
  let p = exp2_near_f32(fma(x, 0x1.4ae0cp-26f, fma(x, 0x1.715476p+0f, -(w - 0x1.8p+23f))));
  if ((bitcast<u32>(x) & 0x7fffffffu) < 0x42ae0000u) { return raise_f32(p, w); }
  return exp_far_f32(x, w, p);
}
