// to_bits_f64(x) returns the bits of x.
fn to_bits_f64(x: F64) -> U64 { return u64_of_w(w_of_f64(x)); }

// from_bits_f64(bits) makes an f64 from its bits.
fn from_bits_f64(bits: U64) -> F64 { return f64_of_w(w_of_u64(bits)); }

// nan_f64() is a quiet NaN.
fn nan_f64() -> F64 { return const_f64(0u, 0x7ff80000u); }

// isnan_f64(x) looks at the bits.
fn isnan_f64(x: F64) -> bool {
  let w = w_of_f64(x);
  return ((w.y & 0x7fffffffu) | select(0u, 1u, w.x != 0u)) > 0x7ff00000u;
}

// isinf_f64(x) is true of both infinities.
fn isinf_f64(x: F64) -> bool {
  let w = w_of_f64(x);
  return (((w.y & 0x7fffffffu) ^ 0x7ff00000u) | w.x) == 0u;
}

// finite_f64(x) is neither NaN nor infinite.
fn finite_f64(x: F64) -> bool { return (w_of_f64(x).y & 0x7ff00000u) != 0x7ff00000u; }

// zero_f64(x) is true of both zeros.
fn zero_f64(x: F64) -> bool {
  let w = w_of_f64(x);
  return ((w.y & 0x7fffffffu) | w.x) == 0u;
}

// below_f64(x, y) orders like the numbers: -0 below 0, NaN at both ends.
fn below_f64(x: F64, y: F64) -> bool {
  let a = w_of_f64(x);
  let b = w_of_f64(y);
  let a_negative = (a.y >> 31u) != 0u;
  if (a_negative != ((b.y >> 31u) != 0u)) { return a_negative; }
  return select(w_lt(a, b), w_lt(b, a), a_negative);
}

// lt_f64(x, y) is x < y.
fn lt_f64(x: F64, y: F64) -> bool {
  return below_f64(x, y) && !(zero_f64(x) && zero_f64(y)) && !isnan_f64(x) && !isnan_f64(y);
}

// eq_f64(x, y) is x = y.
fn eq_f64(x: F64, y: F64) -> bool {
  return (w_eq(w_of_f64(x), w_of_f64(y)) || (zero_f64(x) && zero_f64(y))) && !isnan_f64(x);
}

// le_f64(x, y) is x <= y.
fn le_f64(x: F64, y: F64) -> bool { return lt_f64(x, y) || eq_f64(x, y); }

// min_f64(x, y) is the lesser; a single NaN is ignored, and -0 is below 0.
fn min_f64(x: F64, y: F64) -> F64 {
  if (isnan_f64(x)) { return y; }
  return select(x, y, below_f64(y, x) && !isnan_f64(y));
}

// max_f64(x, y) is the greater; a single NaN is ignored, and -0 is below 0.
fn max_f64(x: F64, y: F64) -> F64 {
  if (isnan_f64(x)) { return y; }
  return select(x, y, below_f64(x, y) && !isnan_f64(y));
}

// sign_f64(x, keep, flip) masks and flips bits of the upper word, where the sign is.
fn sign_f64(x: F64, keep: u32, flip: u32) -> F64 {
  let w = w_of_f64(x);
  return f64_of_w(vec2<u32>(w.x, (w.y & keep) ^ flip));
}

// neg_f64(x) flips the sign.
fn neg_f64(x: F64) -> F64 { return sign_f64(x, 0xffffffffu, 0x80000000u); }

// abs_f64(x) clears the sign.
fn abs_f64(x: F64) -> F64 { return sign_f64(x, 0x7fffffffu, 0u); }

// copysign_f64(x, y) is |x| with the sign of y.
fn copysign_f64(x: F64, y: F64) -> F64 { return sign_f64(x, 0x7fffffffu, w_of_f64(y).y & 0x80000000u); }

// sgn_f64(x) is -1 or 1; zeros and NaN are returned as they are.
fn sgn_f64(x: F64) -> F64 {
  if (zero_f64(x) || isnan_f64(x)) { return x; }
  return copysign_f64(const_f64(0u, 0x3ff00000u), x);
}

// nextafter_f64(x, y) is the number next to x in the direction of y; y if they are equal; NaN if either is.
fn nextafter_f64(x: F64, y: F64) -> F64 {
  if (isnan_f64(x) || isnan_f64(y)) { return nan_f64(); }
  if (eq_f64(x, y)) { return y; }
  let w = w_of_f64(x);
  if (zero_f64(x)) { return const_f64(1u, w_of_f64(y).y & 0x80000000u); }
  let one = vec2<u32>(1u, 0u);
  let away = below_f64(x, y) == ((w.y >> 31u) == 0u);
  return f64_of_w(select(w_sub(w, one), w_add(w, one), away));
}

// ldexp_f64(x, n) is x · 2^n, rounded once.
fn ldexp_f64(x: F64, n: i32) -> F64 {
  if (!finite_f64(x)) { return x; }
  return pack_f64(real_scale(real_f64(x), clamp(n, -4096, 4096)));
}

// integral_f64(x, up) cuts the fraction off and adds 1 to the magnitude where up says so, as integral_f32 does.
fn integral_f64(x: F64, up: u32) -> F64 {
  let w = w_of_f64(x);
  let exp = i32((w.y >> 20u) & 0x7ffu) - 1023;
  if (exp >= 52 || zero_f64(x)) { return x; }
  if (exp < 0) {
    let half = exp == -1 && ((w.y & 0xfffffu) | w.x) == 0u;
    let kind = select(select(3u, 1u, half), 0u, exp < -1);
    return const_f64(0u, (w.y & 0x80000000u) | select(0u, 0x3ff00000u, ((up >> kind) & 1u) != 0u));
  }
  let unit = w_shl(vec2<u32>(1u, 0u), u32(52 - exp));
  let mask = w_sub(unit, vec2<u32>(1u, 0u));
  let fraction = w & mask;
  if (w_zero(fraction)) { return x; }
  let half = w_shr(unit, 1u);
  let odd = exp == 0 || !w_zero(w & unit);
  let kind = select(select(3u, select(1u, 2u, odd), w_eq(fraction, half)), 0u, w_lt(fraction, half));
  return f64_of_w(w_add(w & ~mask, select(vec2<u32>(), unit, ((up >> kind) & 1u) != 0u)));
}

// floor_f64(x) rounds towards negative infinity.
fn floor_f64(x: F64) -> F64 { return integral_f64(x, select(0u, 15u, (w_of_f64(x).y >> 31u) != 0u)); }

// ceil_f64(x) rounds towards infinity.
fn ceil_f64(x: F64) -> F64 { return integral_f64(x, select(15u, 0u, (w_of_f64(x).y >> 31u) != 0u)); }

// trunc_f64(x) rounds towards zero.
fn trunc_f64(x: F64) -> F64 { return integral_f64(x, 0u); }

// round_f64(x) rounds to the nearest integer, ties to even.
fn round_f64(x: F64) -> F64 { return integral_f64(x, 12u); }

// mod_f64(x, y) is the remainder of the truncated quotient, exactly, with the sign of x (C's fmod).
fn mod_f64(x: F64, y: F64) -> F64 {
  if (!finite_f64(x) || isnan_f64(y) || zero_f64(y)) { return nan_f64(); }
  if (isinf_f64(y) || zero_f64(x)) { return x; }
  let a = real_f64(x);
  let b = real_f64(y);
  if (real_lt_abs(a, b)) { return x; }
  let m = w_shr(b.man, 11u);
  var r = w_divmod(w_shr(a.man, 11u), m).zw;
  for (var left = a.exp - b.exp; left > 0; left -= 11) {
    r = w_divmod(w_shl(r, u32(min(left, 11))), m).zw;
  }
  return pack_f64(real_norm(a.sign, b.exp + 11, r));
}

// fma_f64(a, b, c) is a · b + c, rounded once.
fn fma_f64(a: F64, b: F64, c: F64) -> F64 {
  if (finite_f64(a) && finite_f64(b) && finite_f64(c)) {
    return pack_f64(real_fma(real_f64(a), real_f64(b), real_f64(c)));
  }
  let sign = (w_of_f64(a).y ^ w_of_f64(b).y) & 0x80000000u;
  let wild = isinf_f64(a) || isinf_f64(b);
  let bad = isnan_f64(a) || isnan_f64(b) || isnan_f64(c) || (wild && (zero_f64(a) || zero_f64(b)));
  if (bad || (wild && isinf_f64(c) && (w_of_f64(c).y & 0x80000000u) != sign)) { return nan_f64(); }
  if (wild) { return const_f64(0u, sign | 0x7ff00000u); }
  return c;
}

// rsqrt_f64(x) is 1 / sqrt x, within 1 ulp, by real_sqrt and real_div. Zeros give infinities of their sign, negative
// numbers NaN, infinity 0; NaN stays.
fn rsqrt_f64(x: F64) -> F64 {
  let w = w_of_f64(x);
  if (isnan_f64(x)) { return x; }
  if (zero_f64(x)) { return const_f64(0u, (w.y & 0x80000000u) | 0x7ff00000u); }
  if ((w.y >> 31u) != 0u) { return nan_f64(); }
  if (isinf_f64(x)) { return const_f64(0u, 0u); }
  return pack_f64(real_div(real_one(), real_sqrt(real_f64(x))));
}

// conv_f64_i64(x) truncates and keeps the low 64 bits; NaN and infinities give 0.
fn conv_f64_i64(x: F64) -> I64 {
  if (!finite_f64(x)) { return const_i64(0u, 0u); }
  let a = real_f64(x);
  let words = real_trunc_words(a);
  return i64_of_w(select(words, w_neg(words), a.sign != 0u));
}

// conv_f64_f16(x) rounds to nearest, ties to even.
fn conv_f64_f16(x: F64) -> F16 {
  if (finite_f64(x)) { return from_bits_f16(pack_half(real_f64(x))); }
  return conv_f32_f16(conv_f64_f32(x));
}
