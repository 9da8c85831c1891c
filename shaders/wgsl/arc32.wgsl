// quotient_f32(n, d) is n / d, nearly correctly rounded: WGSL allows its division 2.5 ulp, and the remainder in products
// that are exact or small makes that good. Both are between 2^-40 and 2^40, so that no part is subnormal, or n is zero.
fn quotient_f32(n: f32, d: f32) -> f32 {
  let v = 1.0 / d;
  let q = pin_f32(n * v);
  let q_high = top_f32(q);
  let d_high = top_f32(d);
  let rest = pin_f32(pin_f32(n - q_high * d_high) - q_high * (d - d_high)) - (q - q_high) * d;
  return fma(rest, v, q);
}

// arc_tangent_f32(q) is atan q for q in [0, 1]: a polynomial in q^2 of relative error 2^-28, fitted by weighted least
// squares at Chebyshev points.
fn arc_tangent_f32(q: f32) -> f32 {
  let z = q * q;
  var p = -0x1.d62e0cp-10f;
  p = fma(p, z, 0x1.65a54ep-7f);
  p = fma(p, z, -0x1.fed062p-6f);
  p = fma(p, z, 0x1.dac964p-5f);
  p = fma(p, z, -0x1.58346cp-4f);
  p = fma(p, z, 0x1.c099f2p-4f);
  p = fma(p, z, -0x1.2421b4p-3f);
  p = fma(p, z, 0x1.9991fep-3f);
  p = fma(p, z, -0x1.55553ep-2f);
  return fma(q * z, p, q);
}

// angle_less_f32(high, low, p) is high + low - p for p <= high, rounded once.
fn angle_less_f32(high: f32, low: f32, p: f32) -> f32 {
  let t = pin_f32(high - p);
  return t + (((high - t) - p) + low);
}

// atan_f32(x) is the arc tangent, within 2 ulp, by arc_tangent_f32 of x or of its inverse; below 2^-12 it is x. Zeros
// and NaN stay; infinities give pi / 2 with their sign.
fn atan_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  if (bits < 0x39800000u || bits > 0x7f800000u) { return x; }
  let a = bitcast<f32>(min(bits, 0x53800000u));
  var p = arc_tangent_f32(quotient_f32(min(a, 1.0), max(a, 1.0)));
  if (a > 1.0) { p = angle_less_f32(0x1.921fb6p+0f, -0x1.777a5cp-25f, p); }
  return bitcast<f32>(bitcast<u32>(p) | (bitcast<u32>(x) & 0x80000000u));
}

// atan2_f32(y, x) is the angle of the point at (x, y), within 2 ulp, by arc_tangent_f32 of the quotient of the smaller
// and the larger, and by real_atan2 where one is large or small. The special cases are those of C: multiples of pi / 4
// for zeros and infinities, by their signs; NaN if either is.
fn atan2_f32(y: f32, x: f32) -> f32 {
  let a = bitcast<u32>(y) & 0x7fffffffu;
  let b = bitcast<u32>(x) & 0x7fffffffu;
  let small = min(a, b);
  if (max(a, b) - 0x2b800000u >= 0x28000000u || (small != 0u && small < 0x2b800000u)) {
    return out_f32(real_atan2(in_f32(y), in_f32(x)));
  }
  var p = arc_tangent_f32(quotient_f32(bitcast<f32>(small), bitcast<f32>(max(a, b))));
  if (a > b) { p = angle_less_f32(0x1.921fb6p+0f, -0x1.777a5cp-25f, p); }
  if ((bitcast<u32>(x) >> 31u) != 0u) { p = angle_less_f32(0x1.921fb6p+1f, -0x1.777a5cp-24f, p); }
  return bitcast<f32>(bitcast<u32>(p) | (bitcast<u32>(y) & 0x80000000u));
}

// arc_sine_f32(z) is (asin x - x) / (x z) for z = x^2 up to 1/4: a polynomial of absolute error 2^-31, fitted likewise.
fn arc_sine_f32(z: f32) -> f32 {
  var p = 0x1.33bbe8p-5f;
  p = fma(p, z, 0x1.d7f1e4p-7f);
  p = fma(p, z, 0x1.04a65cp-5f);
  p = fma(p, z, 0x1.6cac3cp-5f);
  p = fma(p, z, 0x1.33388ep-4f);
  return fma(p, z, 0x1.55554cp-3f);
}

// arc_rest_f32(t) is asin(sqrt t), t in [0, 1/4], in two parts; the first is the square root with 12 bits.
fn arc_rest_f32(t: f32) -> Pair32 {
  let s = sqrt(t);
  let high = top_f32(s);
  let rest = pin_f32(t - high * high) / max(s + high, 0x1p-60f);
  return Pair32(high, fma(s * t, arc_sine_f32(t), rest));
}

// asin_f32(x) is the arc sine, within 2 ulp, by arc_sine_f32, and beyond 1/2 by pi / 2 - 2 asin sqrt((1 - x) / 2); below
// 2^-12 it is x. Zeros and NaN stay; beyond -1 and 1 it is NaN.
fn asin_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  if (bits < 0x39800000u) { return x; }
  if (bits > 0x3f800000u) { return nan_f32(); }
  if (bits <= 0x3f000000u) { return fma(x * (x * x), arc_sine_f32(x * x), x); }
  let r = arc_rest_f32((1.0 - bitcast<f32>(bits)) * 0.5);
  let p = pin_f32(0x1.921fb6p+0f - 2.0 * r.high) - fma(2.0, r.low, 0x1.777a5cp-25f);
  return bitcast<f32>(bitcast<u32>(p) | (bitcast<u32>(x) & 0x80000000u));
}

// acos_f32(x) is the arc cosine, within 2 ulp, by arc_sine_f32 and arc_rest_f32. NaN stays; beyond -1 and 1 it is NaN.
fn acos_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  if (bits > 0x3f800000u) { return nan_f32(); }
  if (bits <= 0x3f000000u) {
    return 0x1.921fb6p+0f - (x + fma(x * (x * x), arc_sine_f32(x * x), 0x1.777a5cp-25f));
  }
  let r = arc_rest_f32((1.0 - bitcast<f32>(bits)) * 0.5);
  let p = 2.0 * (r.high + r.low);
  if ((bitcast<u32>(x) >> 31u) == 0u) { return p; }
  return angle_less_f32(0x1.921fb6p+1f, -0x1.777a5cp-24f, p);
}
