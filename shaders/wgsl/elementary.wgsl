// real_inf(sign) is an infinity, which only functions that say so take and give.
fn real_inf(sign: u32) -> Real { return Real(sign, 0x10000, vec2<u32>(0u, 0x80000000u)); }

// real_nan() is NaN, likewise.
fn real_nan() -> Real { return Real(0u, 0x20000, vec2<u32>(0u, 0x80000000u)); }

// real_is_nan(a) recognises NaN.
fn real_is_nan(a: Real) -> bool { return a.exp == 0x20000; }

// real_is_inf(a) recognises both infinities.
fn real_is_inf(a: Real) -> bool { return a.exp == 0x10000; }

// real_is_zero(a) recognises both zeros.
fn real_is_zero(a: Real) -> bool { return (a.man.y >> 31u) == 0u; }

// real_fixes(a) is true of zero, infinities and NaN, which many odd functions map to themselves.
fn real_fixes(a: Real) -> bool { return real_is_zero(a) || a.exp >= 0x10000; }

// real_with_sign(a, sign) is |a| with a sign.
fn real_with_sign(a: Real, sign: u32) -> Real { return Real(sign, a.exp, a.man); }

// real_to_fixed(a) is |a| · 2^64, truncated, for |a| below 1.
fn real_to_fixed(a: Real) -> vec2<u32> {
  if (a.exp < -64) { return vec2<u32>(); }
  return w_shr(a.man, u32(-1 - a.exp));
}

// real_one_plus(u) is 1 + u · 2^-64.
fn real_one_plus(u: vec2<u32>) -> Real {
  let half = w_shr(u, 1u);
  return Real(0u, 0, vec2<u32>(half.x, half.y | 0x80000000u));
}

// real_one_minus(u) is 1 - u · 2^-64.
fn real_one_minus(u: vec2<u32>) -> Real {
  if (w_zero(u)) { return real_one(); }
  return real_norm(0u, -1, w_neg(u));
}

// real_ln2() is the natural logarithm of 2.
fn real_ln2() -> Real { return Real(0u, -1, vec2<u32>(0xd1cf79acu, 0xb17217f7u)); }

// real_pi(n) is pi · 2^n.
fn real_pi(n: i32) -> Real { return Real(0u, 1 + n, vec2<u32>(0x2168c235u, 0xc90fdaa2u)); }

// real_inv_pi() is 1 / pi.
fn real_inv_pi() -> Real { return Real(0u, -2, vec2<u32>(0x4e44152au, 0xa2f9836eu)); }

// real_pow2_fixed(sign, v) is 2^(±v) for a number v with 64 bits (z, w) before and 64 (x, y) behind the point; the
// polynomial TABLE_EXP2 is the fraction's power, in fixed point.
fn real_pow2_fixed(sign: u32, v: vec4<u32>) -> Real {
  var f = v.xy;
  var n = i32(min(v.z, 0x8000u));
  if (sign != 0u) {
    n = -n - select(1, 0, w_zero(f));
    f = w_neg(f);
  }
  var p = TABLE_EXP2[12];
  for (var i = 11; i >= 0; i--) { p = w_add(TABLE_EXP2[i], w_mul_hi(p, f)); }
  let half = w_shr(w_mul_hi(p, f), 1u);
  return Real(0u, n, vec2<u32>(half.x, half.y | 0x80000000u));
}

// real_exp_of(a, base, k) is 2^(a · base · 2^(k-127)), where base has its top bit set; a is finite. The product with
// 128 bits of base leaves an absolute error of 2^-63 in the exponent's fraction.
fn real_exp_of(a: Real, base: vec4<u32>, k: i32) -> Real {
  let e = a.exp + k;
  if (e < -65) { return real_one(); }
  if (e > 20) { return real_pow2_fixed(a.sign, vec4<u32>(0u, 0u, 0x8000u, 0u)); }
  let p = w4_add(w_mul_full(a.man, base.zw), vec4<u32>(w_mul_hi(a.man, base.xy), 0u, 0u));
  return real_pow2_fixed(a.sign, w4_shr(p, u32(62 - e)));
}

// real_exp_wild(a) is e^a for a NaN or infinity.
fn real_exp_wild(a: Real) -> Real {
  if (a.sign != 0u && real_is_inf(a)) { return real_zero(0u); }
  return a;
}

// real_exp(a) is e^a, with base = log2 e.
fn real_exp(a: Real) -> Real {
  if (a.exp >= 0x10000) { return real_exp_wild(a); }
  return real_exp_of(a, vec4<u32>(0x691d3e89u, 0xbe87fed0u, 0x5c17f0bbu, 0xb8aa3b29u), 0);
}

// real_exp2(a) is 2^a.
fn real_exp2(a: Real) -> Real {
  if (a.exp >= 0x10000) { return real_exp_wild(a); }
  return real_exp_of(a, vec4<u32>(0u, 0u, 0u, 0x80000000u), 0);
}

// real_exp10(a) is 10^a, with base = log2 10.
fn real_exp10(a: Real) -> Real {
  if (a.exp >= 0x10000) { return real_exp_wild(a); }
  return real_exp_of(a, vec4<u32>(0x4dafdb4du, 0x492bf6ffu, 0xcd1b8afeu, 0xd49a784bu), 1);
}

// real_expm1(a) is e^a - 1: by Taylor's series a (1 + a (1/2 + a/6 + …)), TABLE_EXPM1, below a half.
fn real_expm1(a: Real) -> Real {
  if (a.exp >= -1) {
    if (real_is_nan(a)) { return a; }
    if (real_is_inf(a) && a.sign == 0u) { return a; }
    return real_sub(real_exp(a), real_one());
  }
  let t = real_to_fixed(a);
  var p = TABLE_EXPM1[16];
  for (var i = 15; i >= 0; i--) {
    let q = w_mul_hi(p, t);
    p = w_add(TABLE_EXPM1[i], select(q, w_neg(q), a.sign != 0u));
  }
  let u = w_mul_hi(p, t);
  if (a.sign != 0u) { return real_mul(a, real_one_minus(u)); }
  return real_mul(a, real_one_plus(u));
}

// real_atanh_series(s) is atanh s for |s| <= 0.172: s times the polynomial TABLE_ATANH in s^2.
fn real_atanh_series(s: Real) -> Real {
  let z = real_to_fixed(real_mul(s, s));
  var p = TABLE_ATANH[9];
  for (var i = 8; i >= 0; i--) { p = w_add(TABLE_ATANH[i], w_mul_hi(p, z)); }
  return real_mul(s, real_one_plus(w_mul_hi(p, z)));
}

// Log is a logarithm in parts: ln a = whole · ln 2 + 2 · part.
struct Log {
  whole: i32,
  part: Real,
}

// real_log_parts(a) takes the power of two out so that the rest m is in [sqrt 1/2, sqrt 2]; part is
// atanh((m - 1) / (m + 1)). a is positive and finite.
fn real_log_parts(a: Real) -> Log {
  let up = select(1, 0, w_lt(a.man, vec2<u32>(0xf9de6484u, 0xb504f333u)));
  let m = Real(0u, -up, a.man);
  let s = real_div(real_sub(m, real_one()), real_add(m, real_one()));
  return Log(a.exp + up, real_atanh_series(s));
}

// real_ln(a) is the natural logarithm of a positive finite number.
fn real_ln(a: Real) -> Real {
  let l = real_log_parts(a);
  return real_add(real_mul(real_int(l.whole), real_ln2()), real_scale(l.part, 1));
}

// real_lb(a) is the binary logarithm of a positive finite number; exact for powers of two.
fn real_lb(a: Real) -> Real {
  let l = real_log_parts(a);
  let log2_e = Real(0u, 1, vec2<u32>(0x5c17f0bcu, 0xb8aa3b29u));
  return real_add(real_int(l.whole), real_mul(l.part, log2_e));
}

// real_log_wild(a) is the logarithm, to any base, of a number that is not positive and finite.
fn real_log_wild(a: Real) -> Real {
  if (real_is_zero(a)) { return real_inf(0x80000000u); }
  if (a.sign != 0u) { return real_nan(); }
  return a;
}

// real_log_is_wild(a) says whether real_log_wild applies.
fn real_log_is_wild(a: Real) -> bool { return real_fixes(a) || a.sign != 0u; }

// real_log(a) is the natural logarithm, wild arguments too.
fn real_log(a: Real) -> Real {
  if (real_log_is_wild(a)) { return real_log_wild(a); }
  return real_ln(a);
}

// real_log2(a) is the binary logarithm, wild arguments too.
fn real_log2(a: Real) -> Real {
  if (real_log_is_wild(a)) { return real_log_wild(a); }
  return real_lb(a);
}

// real_log10(a) is the decimal logarithm: ln a / ln 10.
fn real_log10(a: Real) -> Real {
  if (real_log_is_wild(a)) { return real_log_wild(a); }
  return real_mul(real_ln(a), Real(0u, -2, vec2<u32>(0x37287195u, 0xde5bd8a9u)));
}

// real_log1p(a) is ln(1 + a): 2 atanh(a / (2 + a)) below a quarter.
fn real_log1p(a: Real) -> Real {
  if (a.exp < -2) {
    if (real_is_zero(a)) { return a; }
    let s = real_div(a, real_add(a, real_int(2)));
    return real_scale(real_atanh_series(s), 1);
  }
  if (a.exp >= 0x10000) { return real_log_wild(a); }
  return real_log(real_add(a, real_one()));
}

// real_cbrt(a) is the cube root: 2^(log2(m) / 3) for a = m · 8^q with m in [1, 8).
fn real_cbrt(a: Real) -> Real {
  if (real_fixes(a)) { return a; }
  let q = div_i32(a.exp, 3);
  let l = real_lb(Real(0u, a.exp - 3 * q, a.man));
  let root = real_exp2(real_mul(l, Real(0u, -2, vec2<u32>(0xaaaaaaabu, 0xaaaaaaaau))));
  return real_with_sign(real_scale(root, q), a.sign);
}

// real_hypot(a, b) is the square root of a^2 + b^2, infinite if either is.
fn real_hypot(a: Real, b: Real) -> Real {
  if (real_is_inf(a) || real_is_inf(b)) { return real_inf(0u); }
  if (real_is_nan(a) || real_is_nan(b)) { return real_nan(); }
  return real_abs(real_sqrt(real_add(real_mul(a, a), real_mul(b, b))));
}

// real_parity(a) is 0 for even integers, 1 for odd ones and 2 for other numbers; infinities count as even.
fn real_parity(a: Real) -> u32 {
  if (a.exp > 63 || real_is_zero(a)) { return 0u; }
  if (a.exp < 0) { return 2u; }
  if (a.exp < 63 && !w_zero(w_shl(a.man, u32(a.exp + 1)))) { return 2u; }
  return w_shr(a.man, u32(63 - a.exp)).x & 1u;
}

// real_pow_wild(a, b) is a^b in the special cases of C's pow; otherwise its exponent is 0x30000 and its sign the
// result's.
fn real_pow_wild(a: Real, b: Real) -> Real {
  let one = a.exp == 0 && w_eq(a.man, vec2<u32>(0u, 0x80000000u));
  if (real_is_zero(b) || (one && a.sign == 0u)) { return real_one(); }
  if (real_is_nan(a) || real_is_nan(b)) { return real_nan(); }
  if (one && real_is_inf(b)) { return real_one(); }
  let parity = real_parity(b);
  let sign = select(0u, a.sign, parity == 1u);
  if (real_fixes(a) || real_is_inf(b)) {
    if ((a.exp >= 0) == (b.sign == 0u)) { return real_inf(sign); }
    return real_zero(sign);
  }
  if (a.sign != 0u && parity == 2u) { return real_nan(); }
  return Real(sign, 0x30000, vec2<u32>());
}

// real_pow(a, b) is a^b with the special cases of C's pow; 2 ulp, from the 64 bits of b · log2 a.
fn real_pow(a: Real, b: Real) -> Real {
  let wild = real_pow_wild(a, b);
  if (wild.exp != 0x30000) { return wild; }
  return real_with_sign(real_exp2(real_mul(b, real_lb(real_abs(a)))), wild.sign);
}

// real_sinh(a) is (E + E / (E + 1)) / 2 for E = e^|a| - 1, without cancellation.
fn real_sinh(a: Real) -> Real {
  if (real_fixes(a)) { return a; }
  let e = real_expm1(real_abs(a));
  return real_with_sign(real_scale(real_add(e, real_div(e, real_add(e, real_one()))), -1), a.sign);
}

// real_cosh(a) is (e^a + e^-a) / 2.
fn real_cosh(a: Real) -> Real {
  if (a.exp >= 0x10000) { return real_abs(a); }
  let e = real_exp(real_abs(a));
  return real_scale(real_add(e, real_div(real_one(), e)), -1);
}

// real_tanh(a) is E / (E + 2) for E = e^(2|a|) - 1.
fn real_tanh(a: Real) -> Real {
  if (real_is_inf(a)) { return real_with_sign(real_one(), a.sign); }
  if (real_fixes(a)) { return a; }
  let e = real_expm1(real_abs(real_scale(a, 1)));
  return real_with_sign(real_div(e, real_add(e, real_int(2))), a.sign);
}

// real_asinh(a) is log1p(a + a^2 / (1 + sqrt(1 + a^2))), odd.
fn real_asinh(a: Real) -> Real {
  if (real_fixes(a)) { return a; }
  let square = real_mul(a, a);
  let root = real_sqrt(real_add(square, real_one()));
  let rest = real_div(square, real_add(root, real_one()));
  return real_with_sign(real_log1p(real_add(real_abs(a), rest)), a.sign);
}

// real_acosh(a) is log1p(t + sqrt(t (a + 1))) for t = a - 1.
fn real_acosh(a: Real) -> Real {
  if (real_is_nan(a) || a.exp < 0 || a.sign != 0u) { return real_nan(); }
  if (real_is_inf(a)) { return a; }
  let t = real_sub(a, real_one());
  return real_log1p(real_add(t, real_sqrt(real_mul(t, real_add(a, real_one())))));
}

// real_atanh(a) is log1p(2a / (1 - a)) / 2, odd.
fn real_atanh(a: Real) -> Real {
  if (real_is_zero(a)) { return a; }
  if (a.exp >= 0) {
    let one = a.exp == 0 && w_eq(a.man, vec2<u32>(0u, 0x80000000u));
    if (one) { return real_inf(a.sign); }
    return real_nan();
  }
  let x = real_abs(a);
  let l = real_log1p(real_div(real_scale(x, 1), real_sub(real_one(), x)));
  return real_with_sign(real_scale(l, -1), a.sign);
}
