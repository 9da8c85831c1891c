// erf_f32(x) is the error function, within 2 ulp, by polynomials fitted by weighted least squares at Chebyshev points:
// x + x p(x^2) below 0.92, and beyond 1 - e^q(|x|) by exp_rest_f32. Zeros and NaN stay; infinities give 1 with their
// sign. A subnormal is multiplied in integers.
fn erf_f32(x: f32) -> f32 {
  let sign = bitcast<u32>(x) & 0x80000000u;
  let a = bitcast<u32>(x) & 0x7fffffffu;
  if (a < 0x800000u) { return bitcast<f32>((a + u32(f32(a) * 0x1.06eba8p-3f + 0.5)) | sign); }
  if (a < 0x20000000u) { return x * 0x1.20dd76p+0f; }
  if (a < 0x3f6b851fu) {
    let z = x * x;
    var p = 0x1.60bcd6p-14f;
    p = fma(p, z, -0x1.ab6eb8p-11f);
    p = fma(p, z, 0x1.54ea6ap-8f);
    p = fma(p, z, -0x1.b8122ap-6f);
    p = fma(p, z, 0x1.ce2e34p-4f);
    p = fma(p, z, -0x1.812744p-2f);
    p = fma(p, z, 0x1.06eba8p-3f);
    return fma(x, p, x);
  }
  if (a > 0x7f800000u) { return x; }
  let t = min(bitcast<f32>(a), 0x1.f8p+1f);
  var q = -0x1.61ea96p-16f;
  q = fma(q, t, 0x1.c79132p-12f);
  q = fma(q, t, -0x1.115ad6p-8f);
  q = fma(q, t, 0x1.9b8e84p-6f);
  q = fma(q, t, -0x1.bb83e8p-4f);
  q = fma(q, t, -0x1.44460cp-1f);
  q = fma(q, t, -0x1.2127e4p+0f);
  q = fma(q, t, 0x1.6e570ep-13f);
  let w = exp_whole_f32(q);
  return bitcast<f32>(bitcast<u32>(1.0 - raise_f32(exp_rest_f32(q, w), w)) | sign);
}
