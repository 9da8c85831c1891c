// Angle is a reduced angle: quadrant · pi / 2 + r with |r| <= pi / 4.
struct Angle {
  quadrant: u32,
  r: Real,
}

// real_quadrant(whole, fraction, sign, unit) makes an angle of (whole + fraction) · unit, of the given sign, where the
// fraction has 128 bits; one above a half counts down from the next quadrant.
fn real_quadrant(whole: u32, fraction: vec4<u32>, sign: u32, unit: Real) -> Angle {
  let above = (fraction.w >> 31u) != 0u;
  let f = select(fraction, w4_sub(vec4<u32>(), fraction), above);
  let n = w4_clz(f);
  let quadrant = whole + select(0u, 1u, above);
  let turned = select(quadrant, 0u - quadrant, sign != 0u) & 3u;
  if (n == 128u) { return Angle(turned, real_zero(sign)); }
  let r = Real(sign ^ select(0u, 0x80000000u, above), -1 - i32(n), w4_shl(f, n).zw);
  return Angle(turned, real_mul(r, unit));
}

// real_reduce(a) reduces a finite number modulo pi / 2. Payne and Hanek, Radian Reduction for Trigonometric Functions,
// SIGNUM 1983: the product with 192 bits of 2 / pi, whose leading bits would only give multiples of 8. The fraction has
// 125 exact bits, and no f64 is nearer than 2^-62 to a multiple of pi / 2.
fn real_reduce(a: Real) -> Angle {
  if (a.exp < -1) { return Angle(0u, a); }
  let offset = u32(a.exp + 30);
  let first = offset >> 5u;
  let shift = offset & 31u;
  var p = array<u32, 6>();
  var carry = 0u;
  var carry_high = 0u;
  var previous = 0u;
  for (var j = 0u; j < 6u; j++) {
    let at = first + 5u - j;
    let bits = (TABLE_TWO_OVER_PI[at] << shift) | ((TABLE_TWO_OVER_PI[at + 1u] >> 1u) >> (31u - shift));
    let low = w_add(w_wide(a.man.x, bits), vec2<u32>(carry, 0u));
    carry = low.y;
    let high = w_add(w_add(w_wide(a.man.y, previous), vec2<u32>(carry_high, 0u)), vec2<u32>(low.x, 0u));
    carry_high = high.y;
    previous = bits;
    p[j] = high.x;
  }
  let fraction = vec4<u32>(
    (p[2] << 3u) | (p[1] >> 29u), (p[3] << 3u) | (p[2] >> 29u),
    (p[4] << 3u) | (p[3] >> 29u), (p[5] << 3u) | (p[4] >> 29u));
  return real_quadrant(p[5] >> 29u, fraction, a.sign, real_pi(-1));
}

// real_reduce_pi(a) reduces pi · a, exactly but for the last product.
fn real_reduce_pi(a: Real) -> Angle {
  if (a.exp < -2) { return Angle(0u, real_mul(a, real_pi(0))); }
  if (a.exp > 61) { return Angle(0u, real_zero(a.sign)); }
  let v = w4_shr(vec4<u32>(0u, 0u, a.man), u32(62 - a.exp));
  return real_quadrant(v.z, vec4<u32>(0u, 0u, v.xy), a.sign, real_pi(-1));
}

// real_sin_small(r) is sin r for |r| <= pi / 4: r times the polynomial TABLE_SIN in r^2.
fn real_sin_small(r: Real) -> Real {
  let z = real_to_fixed(real_mul(r, r));
  var p = TABLE_SIN[7];
  for (var i = 6; i >= 0; i--) { p = w_sub(TABLE_SIN[i], w_mul_hi(p, z)); }
  return real_mul(r, real_one_minus(w_mul_hi(p, z)));
}

// real_cos_small(r) is cos r for |r| <= pi / 4: the polynomial TABLE_COS in r^2.
fn real_cos_small(r: Real) -> Real {
  let z = real_to_fixed(real_mul(r, r));
  var p = TABLE_COS[7];
  for (var i = 6; i >= 0; i--) { p = w_sub(TABLE_COS[i], w_mul_hi(p, z)); }
  return real_one_minus(w_mul_hi(p, z));
}

// real_sine(angle, quarters) is the sine of the angle with some quarters of a turn added; 1 makes it the cosine.
fn real_sine(angle: Angle, quarters: u32) -> Real {
  let q = angle.quadrant + quarters;
  var v = Real();
  if ((q & 1u) != 0u) { v = real_cos_small(angle.r); } else { v = real_sin_small(angle.r); }
  return Real(v.sign ^ ((q & 2u) << 30u), v.exp, v.man);
}

// real_sin(a) is the sine, from the reduced angle.
fn real_sin(a: Real) -> Real {
  if (a.exp >= 0x10000) { return real_nan(); }
  return real_sine(real_reduce(a), 0u);
}

// real_cos(a) is the cosine, from the reduced angle.
fn real_cos(a: Real) -> Real {
  if (a.exp >= 0x10000) { return real_nan(); }
  return real_sine(real_reduce(a), 1u);
}

// real_tan(a) is the tangent, from the reduced angle.
fn real_tan(a: Real) -> Real {
  if (a.exp >= 0x10000) { return real_nan(); }
  return real_tangent(real_reduce(a));
}

// real_tangent(angle) is the tangent of a reduced angle, sine over cosine; infinite where the cosine is 0.
fn real_tangent(angle: Angle) -> Real {
  var s = real_sin_small(angle.r);
  var c = real_cos_small(angle.r);
  if ((angle.quadrant & 1u) != 0u) {
    let swap = s;
    s = c;
    c = real_neg(swap);
  }
  if (real_is_zero(c)) { return real_inf((angle.quadrant & 2u) << 30u); }
  return real_div(s, c);
}

// real_sinpi(a) is sin(pi a); zeros have the sign of a.
fn real_sinpi(a: Real) -> Real {
  if (a.exp >= 0x10000) { return real_nan(); }
  let v = real_sine(real_reduce_pi(a), 0u);
  if (real_is_zero(v)) { return real_zero(a.sign); }
  return v;
}

// real_cospi(a) is cos(pi a); zeros are positive.
fn real_cospi(a: Real) -> Real {
  if (a.exp >= 0x10000) { return real_nan(); }
  let v = real_sine(real_reduce_pi(a), 1u);
  if (real_is_zero(v)) { return real_zero(0u); }
  return v;
}

// real_tanpi(a) is tan(pi a), infinite half-way between integers.
fn real_tanpi(a: Real) -> Real {
  if (a.exp >= 0x10000) { return real_nan(); }
  return real_tangent(real_reduce_pi(a));
}

// real_atan_series(u) is atan u for |u| <= 1 / 16: u times the polynomial TABLE_ATAN in u^2.
fn real_atan_series(u: Real) -> Real {
  let z = real_to_fixed(real_mul(u, u));
  var p = TABLE_ATAN[6];
  for (var i = 5; i >= 0; i--) { p = w_sub(TABLE_ATAN[i], w_mul_hi(p, z)); }
  return real_mul(u, real_one_minus(w_mul_hi(p, z)));
}

// real_atan_ratio(n, d) is atan(n / d) for 0 <= n <= d, d > 0: the nearest eighth k from a table, and the rest by
// atan t - atan k = atan((t - k) / (1 + t k)).
fn real_atan_ratio(n: Real, d: Real) -> Real {
  let t = real_div(n, d);
  var k = 8u;
  if (t.exp < 0) { k = ((real_to_fixed(t).y >> 28u) + 1u) >> 1u; }
  if (k == 0u) { return real_atan_series(t); }
  let eighths = real_int(i32(k));
  let above = real_sub(real_scale(n, 3), real_mul(eighths, d));
  let below = real_add(real_scale(d, 3), real_mul(eighths, n));
  return real_add(real_fixed(0u, TABLE_ATAN_EIGHTHS[k]), real_atan_series(real_div(above, below)));
}

// real_atan2(y, x) is the angle of the point (x, y), in (-pi, pi], with the special cases of C's atan2.
fn real_atan2(y: Real, x: Real) -> Real {
  if (real_is_nan(y) || real_is_nan(x)) { return real_nan(); }
  var n = real_abs(y);
  var d = real_abs(x);
  if (real_is_inf(n) || real_is_inf(d)) {
    n = real_int(select(0, 1, real_is_inf(n)));
    d = real_int(select(0, 1, real_is_inf(x)));
  }
  if (real_is_zero(n) && real_is_zero(d)) { d = real_one(); }
  let steep = real_lt_abs(d, n);
  if (steep) {
    let swap = n;
    n = d;
    d = swap;
  }
  var angle = real_atan_ratio(n, d);
  // The angle is turns · pi / 2 plus or minus this one.
  let turns = select(select(0, 2, x.sign != 0u), 1, steep);
  let down = steep != (x.sign != 0u);
  if (turns > 0) {
    angle.sign = select(0u, 0x80000000u, down);
    angle = real_add(real_pi(turns - 2), angle);
  }
  return real_with_sign(angle, y.sign);
}

// real_atan(a) is the arc tangent: the angle of the point (1, a).
fn real_atan(a: Real) -> Real { return real_atan2(a, real_one()); }

// real_co(a) is sqrt(1 - a^2), the other side of a triangle.
fn real_co(a: Real) -> Real {
  let x = real_abs(a);
  return real_sqrt(real_mul(real_sub(real_one(), x), real_add(real_one(), x)));
}

// real_beyond_one(a) is |a| > 1, or NaN.
fn real_beyond_one(a: Real) -> bool { return real_lt_abs(real_one(), a); }

// real_asin(a) is the arc sine: the angle of the point (sqrt(1 - a^2), a).
fn real_asin(a: Real) -> Real {
  if (real_beyond_one(a)) { return real_nan(); }
  return real_atan2(a, real_co(a));
}

// real_acos(a) is the arc cosine: the angle of the point (a, sqrt(1 - a^2)).
fn real_acos(a: Real) -> Real {
  if (real_beyond_one(a)) { return real_nan(); }
  return real_atan2(real_co(a), a);
}

// real_over_pi(a) is a / pi; NaN and infinities stay.
fn real_over_pi(a: Real) -> Real {
  if (a.exp >= 0x10000) { return a; }
  return real_mul(a, real_inv_pi());
}

// real_atanpi(a) is atan a / pi.
fn real_atanpi(a: Real) -> Real { return real_over_pi(real_atan(a)); }

// real_asinpi(a) is asin a / pi.
fn real_asinpi(a: Real) -> Real { return real_over_pi(real_asin(a)); }

// real_acospi(a) is acos a / pi.
fn real_acospi(a: Real) -> Real { return real_over_pi(real_acos(a)); }

// real_atan2pi(y, x) is atan2(y, x) / pi.
fn real_atan2pi(y: Real, x: Real) -> Real { return real_over_pi(real_atan2(y, x)); }
