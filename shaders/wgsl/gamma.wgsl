// w_mul_signed(a, b) is a · b · 2^-63, rounded down to an even number, of two's complement numbers.
fn w_mul_signed(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  var over = vec2<u32>();
  if ((a.y >> 31u) != 0u) { over = b; }
  if ((b.y >> 31u) != 0u) { over = w_add(over, a); }
  return w_shl(w_sub(w_mul_hi(a, b), over), 1u);
}

// real_to_signed(a) is a · 2^63 in two's complement, for |a| below 1; at ±1 it stays just inside.
fn real_to_signed(a: Real) -> vec2<u32> {
  var m = vec2<u32>(0xffffffffu, 0x7fffffffu);
  if (a.exp < 0) { m = w_shr(real_to_fixed(a), 1u); }
  if (a.sign != 0u) { return w_neg(m); }
  return m;
}

// real_erf_small(a) is erf a for |a| < 1, by its series (Abramowitz and Stegun, 7.1.5), TABLE_ERF.
fn real_erf_small(a: Real) -> Real {
  let z = real_to_fixed(real_mul(a, a));
  var p = TABLE_ERF[19];
  for (var i = 18; i >= 0; i--) { p = w_sub(TABLE_ERF[i], w_mul_hi(p, z)); }
  let factor = Real(0u, 0, vec2<u32>(0x14db688du, 0x906eba82u));
  return real_mul(real_mul(a, factor), real_one_minus(w_mul_hi(p, z)));
}

// real_erfc_large(x) is erfc x for x >= 1: e^(-x^2) / x times the polynomial TABLE_ERFC in (x - 3) / (x + 3), scaled.
fn real_erfc_large(x: Real) -> Real {
  let limit = Real(0u, 4, vec2<u32>(0u, 0xe0000000u));
  if (!real_lt_abs(x, limit)) { return Real(0u, -5000, vec2<u32>(0u, 0x80000000u)); }
  let t = real_div(real_sub(x, real_int(3)), real_add(x, real_int(3)));
  let scaled = real_mul(t, Real(0u, 0, vec2<u32>(0x81948b10u, 0xc3f35ba7u)));
  let u = real_to_signed(real_add(scaled, Real(0x80000000u, -3, vec2<u32>(0xf9add3c1u, 0xf0329161u))));
  var p = TABLE_ERFC[25];
  for (var i = 24; i >= 0; i--) { p = w_add(TABLE_ERFC[i], w_mul_signed(p, u)); }
  return real_mul(real_div(real_norm(0u, 0, p), x), real_exp(real_neg(real_mul(x, x))));
}

// real_erf(a) is the error function: its series below 1, and 1 - erfc a above.
fn real_erf(a: Real) -> Real {
  if (real_is_inf(a)) { return real_with_sign(real_one(), a.sign); }
  if (real_fixes(a)) { return a; }
  if (a.exp < 0) { return real_erf_small(a); }
  return real_with_sign(real_sub(real_one(), real_erfc_large(real_abs(a))), a.sign);
}

// real_erfc(a) is 1 - erf a, without cancellation from 1 on.
fn real_erfc(a: Real) -> Real {
  if (real_is_nan(a)) { return a; }
  if (real_is_inf(a)) { return real_int(select(0, 2, a.sign != 0u)); }
  if (a.exp < 0) { return real_sub(real_one(), real_erf_small(a)); }
  let tail = real_erfc_large(real_abs(a));
  if (a.sign != 0u) { return real_sub(real_int(2), tail); }
  return tail;
}

// real_stirling(x, l) is the logarithm of gamma x for x >= 16, by Stirling's series (Abramowitz and Stegun, 6.1.41),
// TABLE_STIRLING; l is ln x.
fn real_stirling(x: Real, l: Real) -> Real {
  let inverse = real_div(real_one(), x);
  let z = real_to_fixed(real_mul(inverse, inverse));
  var p = TABLE_STIRLING[8];
  for (var i = 7; i >= 0; i--) { p = w_sub(TABLE_STIRLING[i], w_mul_hi(p, z)); }
  let series = real_mul(inverse, real_fixed(0u, p));
  let half = Real(0u, -1, vec2<u32>(0u, 0x80000000u));
  let power = real_mul(real_sub(x, half), real_sub(l, real_one()));
  let constant = Real(0u, -2, vec2<u32>(0x4beb4a69u, 0xd67f1c86u));
  return real_add(power, real_add(constant, series));
}

// real_gamma_near(x) is gamma x for 0 < x < 16: the recurrence brings x into [1, 2], where it is the polynomial
// TABLE_GAMMA.
fn real_gamma_near(x: Real) -> Real {
  var y = x;
  var product = real_one();
  for (var i = 0; i < 16 && y.exp >= 1; i++) {
    y = real_sub(y, real_one());
    product = real_mul(product, y);
  }
  if (y.exp < 0) {
    product = real_div(product, y);
    y = real_add(y, real_one());
  }
  let u = real_to_signed(real_sub(real_scale(y, 1), real_int(3)));
  var p = TABLE_GAMMA[25];
  for (var i = 24; i >= 0; i--) { p = w_add(TABLE_GAMMA[i], w_mul_signed(p, u)); }
  return real_mul(product, real_norm(0u, 1, p));
}

// real_gamma_positive(x) is gamma x for x > 0, finite; beyond 256 it is a number too large for any type.
fn real_gamma_positive(x: Real) -> Real {
  if (x.exp >= 8) { return Real(0u, 5000, vec2<u32>(0u, 0x80000000u)); }
  if (x.exp >= 4) { return real_exp(real_stirling(x, real_ln(x))); }
  return real_gamma_near(x);
}

// real_gamma(a) is the gamma function; NaN at negative integers and -infinity; by reflection (Abramowitz and Stegun,
// 6.1.17) below 0.
fn real_gamma(a: Real) -> Real {
  if (real_is_zero(a)) { return real_inf(a.sign); }
  let negative = a.sign != 0u;
  if (negative && real_parity(a) != 2u) { return real_nan(); }
  if (a.exp >= 0x10000) { return a; }
  let x = real_abs(a);
  let value = real_gamma_positive(x);
  if (!negative) { return value; }
  return real_neg(real_div(real_pi(0), real_mul(real_mul(x, real_sinpi(x)), value)));
}

// real_lgamma(a) is ln|gamma a|, infinite at 0 and negative integers; by reflection below 0. Near its zeros the
// error is absolute.
fn real_lgamma(a: Real) -> Real {
  if (real_is_nan(a)) { return a; }
  if (real_is_zero(a) || (a.sign != 0u && real_parity(a) != 2u)) { return real_inf(0u); }
  if (a.exp >= 0x10000) { return a; }
  let x = real_abs(a);
  let far = x.exp >= 4;
  var inner = x;
  if (!far) { inner = real_gamma_near(x); }
  var value = real_ln(inner);
  if (far) { value = real_stirling(x, value); }
  if (a.sign == 0u) { return value; }
  let reflected = real_div(real_pi(0), real_abs(real_mul(x, real_sinpi(x))));
  return real_sub(real_ln(reflected), value);
}
