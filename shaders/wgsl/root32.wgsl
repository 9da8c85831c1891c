// root_f32(m, exp) is the square root of m · 2^(exp-23) for m in [2^23, 2^24), correctly rounded: from the hardware's
// inverse root, which WGSL allows 2 ulp, corrected by the remainder, which integers give exactly.
fn root_f32(m: u32, exp: i32) -> f32 {
  let odd = u32(exp & 1);
  let x = bitcast<f32>((m & 0x7fffffu) | ((127u + odd) << 23u));
  let low = bitcast<i32>(m << (23u + odd));
  let y = inverseSqrt(x);
  var s = bitcast<i32>(x * y) - 0x3f000000;
  s += to_small_f32(whole_f32(of_small_f32((low - s * s) >> 8u) * (y * 0x1p-16f)));
  let rest = low - s * s;
  s += select(select(0, -1, rest <= -s), 1, rest > s);
  return bitcast<f32>(s + (((exp >> 1u) + 126) << 23u));
}

// sqrt_words_f32(x) is the square root, correctly rounded, by root_f32. Zeros, infinity and NaN stay; negative numbers give
// NaN.
fn sqrt_words_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (bits - 0x800000u < 0x7f000000u) { return root_f32((bits & 0x7fffffu) | 0x800000u, i32(bits >> 23u) - 127); }
  if (zero_f32(x) || bits == 0x7f800000u || isnan_f32(x)) { return x; }
  if ((bits >> 31u) != 0u) { return nan_f32(); }
  let shift = countLeadingZeros(bits) - 8u;
  return root_f32(bits << shift, -126 - i32(shift));
}

// rsqrt_f32(x) is 1 / sqrt x, within 2 ulp, by inverseSqrt, which WGSL allows 2 ulp; subnormal x is
// multiplied by 2^64 first. Zeros give infinities of their
// sign, negative numbers NaN, infinity 0; NaN stays.
fn rsqrt_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (bits - 0x800000u < 0x7f000000u) { return inverseSqrt(x); }
  if (isnan_f32(x)) { return x; }
  if (zero_f32(x)) { return from_bits_f32(bits | 0x7f800000u); }
  if ((bits >> 31u) != 0u) { return nan_f32(); }
  if (bits == 0x7f800000u) { return 0.0; }
  let shift = countLeadingZeros(bits) - 8u;
  let raised = bitcast<f32>(((bits << shift) & 0x7fffffu) | ((65u - shift) << 23u));
  return inverseSqrt(raised) * 0x1p32f;
}
