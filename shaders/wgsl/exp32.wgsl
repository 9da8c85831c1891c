// pin_f32(x) is x, in a way that no compiler sees: WGSL lets sums be reassociated and factors be shared, which Mesa does,
// and what a difference loses is then gone. The number that the minimum excludes is a NaN.
fn pin_f32(x: f32) -> f32 { return bitcast<f32>(min(bitcast<u32>(x), 0xfffffffeu)); }

// scale_f32(x, n) is x · 2^n for x in [1/2, 2); a subnormal result is rounded in integers, to nearest even.
fn scale_f32(x: f32, n: i32) -> f32 {
  let bits = bitcast<u32>(x);
  let biased = i32(bits >> 23u) + n;
  if (biased > 254) { return from_bits_f32(0x7f800000u); }
  if (biased > 0) { return bitcast<f32>(bitcast<i32>(x) + (n << 23u)); }
  if (biased < -24) { return 0.0; }
  let m = (bits & 0x7fffffu) | 0x800000u;
  let kept = m >> u32(1 - biased);
  let lost = m << u32(31 + biased);
  return bitcast<f32>(kept + select(0u, 1u, lost > 0x80000000u || (lost == 0x80000000u && (kept & 1u) != 0u)));
}

// whole_f32(x) is 1.5 · 2^23 plus the nearest integer to x, for |x| < 2^21: its last bits are those of the integer, without
// a conversion, which GPUs do at an eighth of the rate of additions.
fn whole_f32(x: f32) -> f32 { return pin_f32(x + 0x1.8p+23f); }

// of_small_f32(n) is f32(n) for |n| < 2^22, likewise.
fn of_small_f32(n: i32) -> f32 { return bitcast<f32>(n + 0x4b400000) - 0x1.8p+23f; }

// to_small_f32(w) is the integer that whole_f32 found.
fn to_small_f32(w: f32) -> i32 { return bitcast<i32>(w) - 0x4b400000; }

// exp2_part_f32(r) is 2^r for r in [-1/2, 1/2]: a polynomial of relative error 2^-27, interpolated at Chebyshev points.
fn exp2_part_f32(r: f32) -> f32 {
  var p = 0x1.44138ap-13f;
  p = fma(p, r, 0x1.5f089p-10f);
  p = fma(p, r, 0x1.3b2a54p-7f);
  p = fma(p, r, 0x1.c6af6cp-5f);
  p = fma(p, r, 0x1.ebfbep-3f);
  p = fma(p, r, 0x1.62e43p-1f);
  return fma(p, r, 1.0);
}

// exp_part_f32(r) is e^r for |r| <= ln 2 / 2: 1 + r + r^2 q(r), of relative error 2^-28, by weighted least squares at
// Chebyshev points.
fn exp_part_f32(r: f32) -> f32 {
  var q = 0x1.6a234ep-10f;
  q = fma(q, r, 0x1.123a6cp-7f);
  q = fma(q, r, 0x1.5558f4p-5f);
  q = fma(q, r, 0x1.55549p-3f);
  q = fma(q, r, 0x1.fffffcp-2f);
  q = fma(q, r, 1.0);
  return fma(q, r, 1.0);
}

// raise_f32(x, w) is x · 2^n for x in [1/2, 2) and the integer n that whole_f32 found, where the result is normal.
fn raise_f32(x: f32, w: f32) -> f32 { return bitcast<f32>(bitcast<i32>(x) + (bitcast<i32>(w) << 23u)); }

// exp_far_f32(x, w, part) is e^x, 2^x or 10^x where that may be subnormal or overflow, or x is not finite; w has the
// power of two to take out, and part is the rest's power, if x is within bounds.
fn exp_far_f32(x: f32, w: f32, part: f32) -> f32 {
  if (isnan_f32(x)) { return x; }
  if ((bitcast<u32>(x) & 0x7fffffffu) < 0x43200000u) { return scale_f32(part, to_small_f32(w)); }
  return select(from_bits_f32(0x7f800000u), 0.0, (bitcast<u32>(x) >> 31u) != 0u);
}

// exp_f32(x) is e^x, within 2 ulp, by exp_part_f32 after Cody and Waite's reduction by n · ln 2. Infinity and NaN stay, and -infinity
// becomes 0.
fn exp_f32(x: f32) -> f32 {
  let w = exp_whole_f32(x);
  let p = exp_rest_f32(x, w);
  if ((bitcast<u32>(x) & 0x7fffffffu) < 0x42ae0000u) { return raise_f32(p, w); }
  return exp_far_f32(x, w, p);
}

// exp2_f32(x) is 2^x, within 2 ulp, by exp2_part_f32. Infinity and NaN stay, and -infinity becomes 0.
fn exp2_f32(x: f32) -> f32 {
  let w = whole_f32(x);
  let p = exp2_part_f32(x - (w - 0x1.8p+23f));
  if ((bitcast<u32>(x) & 0x7fffffffu) < 0x42fc0000u) { return raise_f32(p, w); }
  return exp_far_f32(x, w, p);
}

// exp10_f32(x) is 10^x, within 2 ulp, by exp_part_f32 after a reduction by n · log10 2 like that of e^x. Infinity
// and NaN stay, and -infinity becomes 0.
fn exp10_f32(x: f32) -> f32 {
  let w = whole_f32(x * 0x1.a934fp+1f);
  let n = w - 0x1.8p+23f;
  let r = fma(n, -0x1.3509f8p-18f, pin_f32(fma(n, -0x1.344p-2f, x)));
  let p = exp_part_f32(pin_f32(r) * 0x1.26bb1cp+1f);
  if ((bitcast<u32>(x) & 0x7fffffffu) < 0x42140000u) { return raise_f32(p, w); }
  return exp_far_f32(x, w, p);
}
