// erf_far_f32(x) is the error function where squares underflow, and of NaN. A subnormal is multiplied in integers.
fn erf_far_f32(x: f32) -> f32 {
  let a = bitcast<u32>(x) & 0x7fffffffu;
  if (a < 0x800000u) { return bitcast<f32>((a + u32(f32(a) * 0x1.06eba8p-3f + 0.5)) | (bitcast<u32>(x) & 0x80000000u)); }
  return select(x * 0x1.20dd76p+0f, x, a > 0x7f800000u);
}

// erf_f32(x) is the error function, within 2 ulp, by polynomials fitted by weighted least squares at Chebyshev points:
// x + x p(x^2) below 1.125, and beyond 1 - 2^q(|x|), of which the hardware has the fraction's power: WGSL allows its exp2
// 4 ulp there, and 2^q is below 1/8. Zeros and NaN stay; infinities give 1 with their sign.
fn erf_f32(x: f32) -> f32 {
  let a = bitcast<u32>(x) & 0x7fffffffu;
  let z = x * x;
  var p = 0x1.280cbcp-14f;
  p = fma(p, z, -0x1.97108p-11f);
  p = fma(p, z, 0x1.522b94p-8f);
  p = fma(p, z, -0x1.b7bb7ap-6f);
  p = fma(p, z, 0x1.ce298p-4f);
  p = fma(p, z, -0x1.81272ep-2f);
  p = fma(p, z, 0x1.06eba8p-3f);
  var v = fma(x, p, x);
  if (a >= 0x3f900000u) {
    let t = min(bitcast<f32>(a), 0x1.f8p+1f);
    var q = -0x1.864fbap-10f;
    q = fma(q, t, 0x1.45e2a4p-6f);
    q = fma(q, t, -0x1.f88dbp-4f);
    q = fma(q, t, -0x1.e74e28p-1f);
    q = fma(q, t, -0x1.9b2e5ap+0f);
    let w = whole_product_f32(q, t);
    let part = exp2(fma(q, t, -0x1.755c56p-8f) - (w - 0x1.8p+23f));
    v = bitcast<f32>(bitcast<u32>(1.0 - raise_f32(part, w)) | (bitcast<u32>(x) & 0x80000000u));
  }
  if (a - 0x20000000u > 0x5f800000u) { v = erf_far_f32(x); }
  return v;
}
