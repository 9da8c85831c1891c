// to_bits_f32(x) returns the bits of x.
fn to_bits_f32(x: f32) -> u32 { return bitcast<u32>(x); }

// from_bits_f32(bits) makes an f32; a call is never a constant expression, so it may make NaN and infinities.
fn from_bits_f32(bits: u32) -> f32 { return bitcast<f32>(bits); }

// isnan_f32(x) looks at the bits, since a driver may assume that there is no NaN.
fn isnan_f32(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// isinf_f32(x) is true of both infinities.
fn isinf_f32(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u; }

// nan_f32() is a quiet NaN.
fn nan_f32() -> f32 { return from_bits_f32(0x7fc00000u); }

// key_f32(x) orders like the number x: -0 below 0, NaN at both ends.
fn key_f32(x: f32) -> i32 {
  let bits = bitcast<i32>(x);
  return bits ^ bitcast<i32>(bitcast<u32>(bits >> 31u) >> 1u);
}

// lt_f32(x, y) is x < y, also for NaN (false), subnormals and zeros.
fn lt_f32(x: f32, y: f32) -> bool {
  let zeros = ((bitcast<u32>(x) | bitcast<u32>(y)) & 0x7fffffffu) == 0u;
  return key_f32(x) < key_f32(y) && !zeros && !isnan_f32(x) && !isnan_f32(y);
}

// eq_f32(x, y) is x = y, also for NaN (false), subnormals and zeros.
fn eq_f32(x: f32, y: f32) -> bool {
  let zeros = ((bitcast<u32>(x) | bitcast<u32>(y)) & 0x7fffffffu) == 0u;
  return (bitcast<u32>(x) == bitcast<u32>(y) || zeros) && !isnan_f32(x);
}

// le_f32(x, y) is x <= y, also for NaN (false), subnormals and zeros.
fn le_f32(x: f32, y: f32) -> bool { return lt_f32(x, y) || eq_f32(x, y); }

// min_f32(x, y) is the lesser; a single NaN is ignored, and -0 is below 0.
fn min_f32(x: f32, y: f32) -> f32 {
  return select(select(x, y, key_f32(y) < key_f32(x) && !isnan_f32(y)), y, isnan_f32(x));
}

// max_f32(x, y) is the greater; a single NaN is ignored, and -0 is below 0.
fn max_f32(x: f32, y: f32) -> f32 {
  return select(select(x, y, key_f32(x) < key_f32(y) && !isnan_f32(y)), y, isnan_f32(x));
}

// neg_f32(x) flips the sign, also of NaN and zero.
fn neg_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ 0x80000000u); }

// abs_f32(x) clears the sign.
fn abs_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0x7fffffffu); }

// sgn_f32(x) is -1 or 1; zeros and NaN are returned as they are.
fn sgn_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  let keep = (bits & 0x7fffffffu) == 0u || isnan_f32(x);
  return bitcast<f32>(select((bits & 0x80000000u) | 0x3f800000u, bits, keep));
}

// copysign_f32(x, y) is |x| with the sign of y.
fn copysign_f32(x: f32, y: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(y) & 0x80000000u));
}

// nextafter_f32(x, y) is the number next to x in the direction of y; y if they are equal; NaN if either is.
fn nextafter_f32(x: f32, y: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (isnan_f32(x) || isnan_f32(y)) { return nan_f32(); }
  if (eq_f32(x, y)) { return y; }
  if ((bits & 0x7fffffffu) == 0u) { return from_bits_f32((bitcast<u32>(y) & 0x80000000u) | 1u); }
  let away = lt_f32(x, y) == ((bits >> 31u) == 0u);
  return from_bits_f32(select(bits - 1u, bits + 1u, away));
}

// finite_f32(x) is neither NaN nor infinite.
fn finite_f32(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }

// zero_f32(x) is true of both zeros.
fn zero_f32(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) == 0u; }

// ldexp_f32(x, n) is x · 2^n, rounded once.
fn ldexp_f32(x: f32, n: i32) -> f32 {
  if (!finite_f32(x)) { return x; }
  return pack_f32(real_scale(real_f32(x), clamp(n, -4096, 4096)));
}

// integral_f32(x, up) cuts the fraction off and adds 1 to the magnitude where up is set for the kind of fraction: bit 0
// if it is below a half, 1 if a half after an even integer, 2 if a half after an odd one, 3 if above.
fn integral_f32(x: f32, up: u32) -> f32 {
  let bits = bitcast<u32>(x);
  let sign = bits & 0x80000000u;
  let a = bits & 0x7fffffffu;
  if (a >= 0x4b000000u || a == 0u) { return x; }
  if (a < 0x3f800000u) {
    let kind = select(select(3u, 1u, a == 0x3f000000u), 0u, a < 0x3f000000u);
    return from_bits_f32(sign | select(0u, 0x3f800000u, ((up >> kind) & 1u) != 0u));
  }
  let mask = 0x7fffffu >> ((a >> 23u) - 127u);
  let fraction = a & mask;
  if (fraction == 0u) { return x; }
  let half = (mask + 1u) >> 1u;
  let unit = (a >> 23u) == 127u;
  let odd = unit || (a & (mask + 1u)) != 0u;
  let kind = select(select(3u, select(1u, 2u, odd), fraction == half), 0u, fraction < half);
  return from_bits_f32(sign | ((a & ~mask) + select(0u, mask + 1u, ((up >> kind) & 1u) != 0u)));
}

// floor_f32(x) rounds towards negative infinity.
fn floor_f32(x: f32) -> f32 { return integral_f32(x, select(0u, 15u, (bitcast<u32>(x) >> 31u) != 0u)); }

// ceil_f32(x) rounds towards infinity.
fn ceil_f32(x: f32) -> f32 { return integral_f32(x, select(15u, 0u, (bitcast<u32>(x) >> 31u) != 0u)); }

// trunc_f32(x) rounds towards zero.
fn trunc_f32(x: f32) -> f32 { return integral_f32(x, 0u); }

// round_f32(x) rounds to the nearest integer, ties to even.
fn round_f32(x: f32) -> f32 { return integral_f32(x, 12u); }

// mod_f32(x, y) is the remainder of the truncated quotient, exactly, with the sign of x (C's fmod).
fn mod_f32(x: f32, y: f32) -> f32 {
  if (!finite_f32(x) || isnan_f32(y) || zero_f32(y)) { return nan_f32(); }
  let a = real_f32(x);
  if (isinf_f32(y) || zero_f32(x)) { return x; }
  let b = real_f32(y);
  if (real_lt_abs(a, b)) { return x; }
  let m = b.man.y >> 8u;
  var r = (a.man.y >> 8u) % m;
  for (var left = a.exp - b.exp; left > 0; left -= 8) {
    r = (r << u32(min(left, 8))) % m;
  }
  return pack_f32(real_norm(a.sign, b.exp + 8, vec2<u32>(0u, r)));
}

// fma_f32(a, b, c) is a · b + c, rounded once: the product is exact, and the sum sticky.
fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
  if (!finite_f32(a) || !finite_f32(b) || !finite_f32(c)) { return fma_special_f32(a, b, c); }
  let p = real_mul(real_f32(a), real_f32(b));
  let d = real_f32(c);
  var sum = real_add(p, d);
  if (w_zero(sum.man)) { sum.sign = p.sign & d.sign; }
  return pack_f32(sum);
}

// fma_special_f32(a, b, c) is a · b + c where one of them is not finite.
fn fma_special_f32(a: f32, b: f32, c: f32) -> f32 {
  let sign = (bitcast<u32>(a) ^ bitcast<u32>(b)) & 0x80000000u;
  let wild = isinf_f32(a) || isinf_f32(b);
  let bad = isnan_f32(a) || isnan_f32(b) || isnan_f32(c) || (wild && (zero_f32(a) || zero_f32(b)));
  if (bad || (wild && isinf_f32(c) && (bitcast<u32>(c) & 0x80000000u) != sign)) { return nan_f32(); }
  return from_bits_f32(select(bitcast<u32>(c), sign | 0x7f800000u, wild));
}

// mad_f32(a, b, c) is a · b + c, usually rounded twice; a driver may fuse it.
fn mad_f32(a: f32, b: f32, c: f32) -> f32 { return a * b + c; }

// lerp_f32(a, b, t) is a + (b - a) · t with t clamped to [0, 1]; NaN counts as 1.
fn lerp_f32(a: f32, b: f32, t: f32) -> f32 { return a + (b - a) * max_f32(0.0, min_f32(1.0, t)); }

// recip_f32(x) is 1 / x, the hardware's.
fn recip_f32(x: f32) -> f32 { return 1.0 / x; }
