// half_bits(x) returns the bits of the f16 nearest to x, ties to even; a NaN keeps the upper bits of its payload.
fn half_bits(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let sign = (bits >> 16u) & 0x8000u;
  let a = bits & 0x7fffffffu;
  if (a > 0x7f800000u) {
    let payload = (a >> 13u) & 0x3ffu;
    return sign | 0x7c00u | select(payload, 0x200u, payload == 0u);
  }
  if (a >= 0x477ff000u) { return sign | 0x7c00u; }
  if (a >= 0x38800000u) { return sign | ((a - 0x38000000u + 0xfffu + ((a >> 13u) & 1u)) >> 13u); }
  if (a < 0x33000000u) { return sign; }
  let shift = 126u - (a >> 23u);
  let m = (a & 0x7fffffu) | 0x800000u;
  let kept = m >> shift;
  let lost = m << (32u - shift);
  return sign | (kept + select(0u, 1u, lost > 0x80000000u || (lost == 0x80000000u && (kept & 1u) != 0u)));
}

// half_value(bits) is the value of an f16, exactly.
fn half_value(bits: u32) -> f32 {
  let sign = (bits & 0x8000u) << 16u;
  let a = bits & 0x7fffu;
  if (a >= 0x7c00u) { return from_bits_f32(sign | 0x7f800000u | ((a & 0x3ffu) << 13u)); }
  if (a >= 0x400u) { return from_bits_f32(sign | ((a << 13u) + 0x38000000u)); }
  return from_bits_f32(sign | bitcast<u32>(f32(a) * 0x1p-24f));
}

// isnan_f16(x) looks at the bits.
fn isnan_f16(x: F16) -> bool { return isnan_f32(conv_f16_f32(x)); }

// isinf_f16(x) is true of both infinities.
fn isinf_f16(x: F16) -> bool { return isinf_f32(conv_f16_f32(x)); }

// lt_f16(x, y) is x < y.
fn lt_f16(x: F16, y: F16) -> bool { return lt_f32(conv_f16_f32(x), conv_f16_f32(y)); }

// le_f16(x, y) is x <= y.
fn le_f16(x: F16, y: F16) -> bool { return le_f32(conv_f16_f32(x), conv_f16_f32(y)); }

// eq_f16(x, y) is x = y.
fn eq_f16(x: F16, y: F16) -> bool { return eq_f32(conv_f16_f32(x), conv_f16_f32(y)); }

// min_f16(x, y) is the lesser; a single NaN is ignored, and -0 is below 0.
fn min_f16(x: F16, y: F16) -> F16 { return conv_f32_f16(min_f32(conv_f16_f32(x), conv_f16_f32(y))); }

// max_f16(x, y) is the greater; a single NaN is ignored, and -0 is below 0.
fn max_f16(x: F16, y: F16) -> F16 { return conv_f32_f16(max_f32(conv_f16_f32(x), conv_f16_f32(y))); }

// mod_f16(x, y) is the remainder of the truncated quotient, exactly, with the sign of x.
fn mod_f16(x: F16, y: F16) -> F16 { return conv_f32_f16(mod_f32(conv_f16_f32(x), conv_f16_f32(y))); }

// sgn_f16(x) is -1 or 1; zeros and NaN are returned as they are.
fn sgn_f16(x: F16) -> F16 { return conv_f32_f16(sgn_f32(conv_f16_f32(x))); }

// floor_f16(x) rounds towards negative infinity.
fn floor_f16(x: F16) -> F16 { return conv_f32_f16(floor_f32(conv_f16_f32(x))); }

// ceil_f16(x) rounds towards infinity.
fn ceil_f16(x: F16) -> F16 { return conv_f32_f16(ceil_f32(conv_f16_f32(x))); }

// trunc_f16(x) rounds towards zero.
fn trunc_f16(x: F16) -> F16 { return conv_f32_f16(trunc_f32(conv_f16_f32(x))); }

// round_f16(x) rounds to the nearest integer, ties to even.
fn round_f16(x: F16) -> F16 { return conv_f32_f16(round_f32(conv_f16_f32(x))); }

// neg_f16(x) flips the sign.
fn neg_f16(x: F16) -> F16 { return from_bits_f16(to_bits_f16(x) ^ 0x8000u); }

// abs_f16(x) clears the sign.
fn abs_f16(x: F16) -> F16 { return from_bits_f16(to_bits_f16(x) & 0x7fffu); }

// copysign_f16(x, y) is |x| with the sign of y.
fn copysign_f16(x: F16, y: F16) -> F16 {
  return from_bits_f16((to_bits_f16(x) & 0x7fffu) | (to_bits_f16(y) & 0x8000u));
}

// nextafter_f16(x, y) is the number next to x in the direction of y; y if they are equal; NaN if either is.
fn nextafter_f16(x: F16, y: F16) -> F16 {
  let bits = to_bits_f16(x);
  if (isnan_f16(x) || isnan_f16(y)) { return from_bits_f16(0x7e00u); }
  if (eq_f16(x, y)) { return y; }
  if ((bits & 0x7fffu) == 0u) { return from_bits_f16((to_bits_f16(y) & 0x8000u) | 1u); }
  return from_bits_f16(select(bits - 1u, bits + 1u, lt_f16(x, y) == ((bits >> 15u) == 0u)));
}

// ldexp_f16(x, n) is x · 2^n, rounded once.
fn ldexp_f16(x: F16, n: i32) -> F16 {
  let wide = conv_f16_f32(x);
  if (!finite_f32(wide)) { return x; }
  return from_bits_f16(pack_half(real_scale(real_f32(wide), clamp(n, -4096, 4096))));
}

// div_f16(x, y) is x / y, correctly rounded.
fn div_f16(x: F16, y: F16) -> F16 {
  let a = conv_f16_f32(x);
  let b = conv_f16_f32(y);
  if (!finite_f32(a) || !finite_f32(b) || zero_f32(b)) { return conv_f32_f16(div_special_f32(a, b)); }
  return from_bits_f16(pack_half(real_div(real_f32(a), real_f32(b))));
}

// div_special_f32(a, b) is a / b where one of them is not finite or b is zero.
fn div_special_f32(a: f32, b: f32) -> f32 {
  let sign = (bitcast<u32>(a) ^ bitcast<u32>(b)) & 0x80000000u;
  let bad = isnan_f32(a) || isnan_f32(b) || (isinf_f32(a) && isinf_f32(b)) || (zero_f32(a) && zero_f32(b));
  if (bad) { return nan_f32(); }
  return from_bits_f32(sign | select(0x7f800000u, 0u, isinf_f32(b)));
}

// sqrt_f16(x) is the square root, correctly rounded.
fn sqrt_f16(x: F16) -> F16 {
  let a = conv_f16_f32(x);
  if (!finite_f32(a) || zero_f32(a) || (bitcast<u32>(a) >> 31u) != 0u) { return conv_f32_f16(sqrt_f32(a)); }
  return from_bits_f16(pack_half(real_sqrt(real_f32(a))));
}

// fma_f16(a, b, c) is a · b + c, rounded once.
fn fma_f16(a: F16, b: F16, c: F16) -> F16 {
  let x = conv_f16_f32(a);
  let y = conv_f16_f32(b);
  let z = conv_f16_f32(c);
  if (!finite_f32(x) || !finite_f32(y) || !finite_f32(z)) { return conv_f32_f16(fma_special_f32(x, y, z)); }
  return from_bits_f16(pack_half(real_fma(real_f32(x), real_f32(y), real_f32(z))));
}

// mad_f16(a, b, c) is a · b + c, rounded twice.
fn mad_f16(a: F16, b: F16, c: F16) -> F16 {
  let product = conv_f32_f16(conv_f16_f32(a) * conv_f16_f32(b));
  return conv_f32_f16(conv_f16_f32(product) + conv_f16_f32(c));
}

// lerp_f16(a, b, t) is a + (b - a) · t, every step rounded, with t clamped to [0, 1]; NaN counts as 1.
fn lerp_f16(a: F16, b: F16, t: F16) -> F16 {
  let clamped = conv_f32_f16(max_f32(0.0, min_f32(1.0, conv_f16_f32(t))));
  return mad_f16(conv_f32_f16(conv_f16_f32(b) - conv_f16_f32(a)), clamped, a);
}
