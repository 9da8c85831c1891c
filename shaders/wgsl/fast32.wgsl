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

// exp_of_f32(x, base, k) is 2^(x · base · 2^(k-31)). The product is taken in integers, with 32 bits behind the point.
fn exp_of_f32(x: f32, base: u32, k: i32) -> f32 {
  let bits = bitcast<u32>(x);
  let exp = i32((bits >> 23u) & 0xffu) + k;
  if (isnan_f32(x)) { return x; }
  if (exp > 138) { return select(from_bits_f32(0x7f800000u), 0.0, (bits >> 31u) != 0u); }
  var v = vec2<u32>();
  if (exp > 94) { v = w_shr(w_wide(((bits & 0x7fffffu) | 0x800000u) << 8u, base), u32(157 - exp)); }
  if ((bits >> 31u) != 0u) { v = w_neg(v); }
  return exp2_fixed_f32(v);
}

// exp2_fixed_f32(v) is 2^v for a signed number with 32 bits (y) before and 32 (x) behind the point; 2^r for the rest r
// in [-1/2, 1/2] is a polynomial of relative error 2^-27, interpolated at Chebyshev points.
fn exp2_fixed_f32(v: vec2<u32>) -> f32 {
  let n = bitcast<i32>(w_add(v, vec2<u32>(0x80000000u, 0u)).y);
  let r = f32(bitcast<i32>(v.x)) * 0x1p-32f;
  var p = 0x1.44138ap-13f;
  p = fma(p, r, 0x1.5f089p-10f);
  p = fma(p, r, 0x1.3b2a54p-7f);
  p = fma(p, r, 0x1.c6af6cp-5f);
  p = fma(p, r, 0x1.ebfbep-3f);
  p = fma(p, r, 0x1.62e43p-1f);
  return scale_f32(fma(p, r, 1.0), n);
}

// exp_f32(x) is e^x, within 2 ulp, by exp_of_f32. Infinity and NaN stay, and -infinity gives 0.
fn exp_f32(x: f32) -> f32 { return exp_of_f32(x, 0xb8aa3b29u, 0); }

// exp2_f32(x) is 2^x, within 2 ulp, by exp_of_f32. Infinity and NaN stay, and -infinity gives 0.
fn exp2_f32(x: f32) -> f32 { return exp_of_f32(x, 0x80000000u, 0); }

// exp10_f32(x) is 10^x, within 2 ulp, by exp_of_f32. Infinity and NaN stay, and -infinity gives 0.
fn exp10_f32(x: f32) -> f32 { return exp_of_f32(x, 0xd49a784cu, 1); }

// log_f32(x) is the natural logarithm, within 2 ulp, by the method and coefficients of FreeBSD's e_logf.c (Sun
// Microsystems 1993): with m = 1 + f in [sqrt 1/2, sqrt 2] taken out by bits, ln m = f - f^2 / 2 + s (f^2 / 2 +
// R(s^2)) for s = f / (2 + f). Zeros give -infinity, negative numbers NaN; infinity and NaN stay.
fn log_f32(x: f32) -> f32 {
  var bits = bitcast<u32>(x);
  if ((bits & 0x7fffffffu) == 0u) { return from_bits_f32(0xff800000u); }
  if (isnan_f32(x) || bits == 0x7f800000u) { return x; }
  if ((bits >> 31u) != 0u) { return nan_f32(); }
  var n = 0;
  if (bits < 0x800000u) {
    let shift = countLeadingZeros(bits) - 8u;
    bits <<= shift;
    n = 1 - i32(shift);
    bits &= 0x7fffffu;
    bits |= 0x800000u;
    n -= 1;
  }
  let moved = bits - 0x3f3504f3u;
  n += bitcast<i32>(moved) >> 23u;
  let f = bitcast<f32>((moved & 0x7fffffu) + 0x3f3504f3u) - 1.0;
  let s = f / (2.0 + f);
  let z = s * s;
  let w = z * z;
  let r = z * (0x1.555554p-1f + w * 0x1.23d3dcp-2f) + w * (0x1.999c26p-2f + w * 0x1.f13c4cp-3f);
  let half = 0.5 * f * f;
  let k = f32(n);
  return k * 0x1.62e3p-1f + (f - (half - (s * (half + r) + k * 0x1.2fefa2p-17f)));
}

// Turn32 is a reduced angle: quadrant · pi / 2 + r with |r| <= pi / 4.
struct Turn32 {
  quadrant: u32,
  r: f32,
}

// reduce_f32(x) is real_reduce for f32: a product with 96 bits of 2 / pi leaves 61 exact bits of fraction, and no f32
// is nearer than 2^-33 to a multiple of pi / 2. x is finite.
fn reduce_f32(x: f32) -> Turn32 {
  let bits = bitcast<u32>(x);
  let exp = i32((bits >> 23u) & 0xffu) - 127;
  if (exp < -1) { return Turn32(0u, x); }
  let offset = u32(exp + 62);
  let first = offset >> 5u;
  let shift = offset & 31u;
  var t = vec4<u32>(
    TABLE_TWO_OVER_PI[first], TABLE_TWO_OVER_PI[first + 1u],
    TABLE_TWO_OVER_PI[first + 2u], TABLE_TWO_OVER_PI[first + 3u]);
  t = (t << vec4<u32>(shift)) | ((vec4<u32>(t.yzw, 0u) >> vec4<u32>(1u)) >> vec4<u32>(31u - shift));
  let m = ((bits & 0x7fffffu) | 0x800000u) << 8u;
  let middle = w_add(w_wide(m, t.y), vec2<u32>(mul_hi_u32(m, t.z), 0u));
  let high = m * t.x + middle.y;
  var v = w_shl(vec2<u32>(middle.x, high), 3u);
  var quadrant = high >> 29u;
  var negative = (bits >> 31u) != 0u;
  if (negative) { quadrant = 0u - quadrant; }
  if ((v.y >> 31u) != 0u) {
    v = w_neg(v);
    quadrant += select(1u, 0xffffffffu, negative);
    negative = !negative;
  }
  let n = w_clz(v);
  let r = f32(mul_hi_u32(w_shl(v, n & 63u).y, 0xc90fdaa2u)) * bitcast<f32>((96u - n) << 23u);
  return Turn32(quadrant & 3u, select(r, -r, negative));
}

// sine_f32(turn, quarters) is the sine of a reduced angle with some quarters of a turn added. The polynomials have
// relative errors below 2^-27, interpolated at Chebyshev points.
fn sine_f32(turn: Turn32, quarters: u32) -> f32 {
  let q = turn.quadrant + quarters;
  let r = turn.r;
  let z = r * r;
  var s = 0x1.6dbdeep-19f;
  s = fma(s, z, -0x1.a013a8p-13f);
  s = fma(s, z, 0x1.11110ep-7f);
  s = fma(s, z, -0x1.555556p-3f);
  var c = -0x1.2474ccp-22f;
  c = fma(c, z, 0x1.a01298p-16f);
  c = fma(c, z, -0x1.6c16bap-10f);
  c = fma(c, z, 0x1.555556p-5f);
  c = fma(c, z, -0x1p-1f);
  let even = fma(z, c, 1.0);
  let odd = fma(r * z, s, r);
  let v = select(odd, even, (q & 1u) != 0u);
  return bitcast<f32>(bitcast<u32>(v) ^ ((q & 2u) << 30u));
}

// sin_f32(x) is the sine, within 2 ulp, by reduce_f32 and sine_f32; below 2^-12 it is x. Zeros and NaN stay;
// infinities give NaN.
fn sin_f32(x: f32) -> f32 {
  if (!finite_f32(x)) { return nan_f32(); }
  if ((bitcast<u32>(x) & 0x7fffffffu) < 0x39800000u) { return x; }
  return sine_f32(reduce_f32(x), 0u);
}

// cos_f32(x) is the cosine, within 2 ulp, by reduce_f32 and sine_f32. NaN stays; infinities give NaN.
fn cos_f32(x: f32) -> f32 {
  if (!finite_f32(x)) { return nan_f32(); }
  return sine_f32(reduce_f32(x), 1u);
}

// sqrt_f32(x) is the square root, correctly rounded: the hardware's, corrected by up to five in the last place (what
// WGSL allows) by the sign of the remainder, which integers give exactly.
fn sqrt_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (zero_f32(x) || bits == 0x7f800000u || isnan_f32(x)) { return x; }
  if ((bits >> 31u) != 0u) { return nan_f32(); }
  if (bits < 0x800000u) { return pack_f32(real_sqrt(real_f32(x))); }
  let exp = i32(bits >> 23u) - 127;
  let odd = u32(exp & 1);
  let m = (bits & 0x7fffffu) | 0x800000u;
  let reduced = bitcast<f32>((bits & 0x7fffffu) | ((127u + odd) << 23u));
  var s = i32(sqrt(reduced) * 0x1p23f);
  let low = bitcast<i32>(m << (23u + odd));
  for (var i = 0; i < 5; i++) {
    let rest = low - s * s;
    s += select(select(0, -1, rest <= -s), 1, rest > s);
  }
  return bitcast<f32>(s + (((exp >> 1u) + 126) << 23u));
}

// rsqrt_f32(x) is 1 / sqrt x, within 2 ulp, by inverseSqrt, which WGSL allows 2 ulp, and for subnormal x by
// real_sqrt and real_div. Zeros give infinities of their sign, negative numbers NaN, infinity 0; NaN stays.
fn rsqrt_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (isnan_f32(x)) { return x; }
  if (zero_f32(x)) { return from_bits_f32(bits | 0x7f800000u); }
  if ((bits >> 31u) != 0u) { return nan_f32(); }
  if (bits == 0x7f800000u) { return 0.0; }
  if (bits < 0x800000u) { return pack_f32(real_div(real_one(), real_sqrt(real_f32(x)))); }
  return inverseSqrt(x);
}

// real_lb_short(a) is the binary logarithm of a positive finite number with a relative error of 2^-31: real_log_parts
// with a shorter series in words.
fn real_lb_short(a: Real) -> Real {
  let up = select(1, 0, w_lt(a.man, vec2<u32>(0xf9de6484u, 0xb504f333u)));
  let m = Real(0u, -up, a.man);
  let s = real_div(real_sub(m, real_one()), real_add(m, real_one()));
  let z = real_to_fixed(real_mul(s, s)).y;
  var p = TABLE_ATANH[6].y;
  for (var i = 5; i >= 0; i--) { p = TABLE_ATANH[i].y + mul_hi_u32(p, z); }
  let part = real_mul(s, real_one_plus(vec2<u32>(0u, mul_hi_u32(p, z))));
  let log2_e = Real(0u, 1, vec2<u32>(0x5c17f0bcu, 0xb8aa3b29u));
  return real_add(real_int(a.exp + up), real_mul(part, log2_e));
}

// log2_f32(x) is the binary logarithm, within 1 ulp, by real_lb_short. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log2_f32(x: f32) -> f32 {
  let a = in_f32(x);
  if (real_log_is_wild(a)) { return out_f32(real_log_wild(a)); }
  return pack_f32(real_lb_short(a));
}

// log10_f32(x) is the decimal logarithm, within 1 ulp, by real_lb_short. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log10_f32(x: f32) -> f32 {
  let a = in_f32(x);
  if (real_log_is_wild(a)) { return out_f32(real_log_wild(a)); }
  return pack_f32(real_mul(real_lb_short(a), Real(0u, -2, vec2<u32>(0xfbcff799u, 0x9a209a84u))));
}

// pow_f32(x, y) is x^y, within 2 ulp, by real_lb_short and exp2_fixed_f32. The special cases are those of C: 1 where
// x is 1 or y is 0, whatever the other; NaN for negative x unless y is an integer.
fn pow_f32(x: f32, y: f32) -> f32 {
  let a = in_f32(x);
  let b = in_f32(y);
  let wild = real_pow_wild(a, b);
  if (wild.exp != 0x30000) { return out_f32(wild); }
  let e = real_mul(b, real_lb_short(real_abs(a)));
  var v = vec2<u32>();
  if (e.exp > 8) {
    v = vec2<u32>(0u, 512u);
  } else if (e.exp > -33) {
    v = w_shr(e.man, u32(31 - e.exp));
  }
  if (e.sign != 0u) { v = w_neg(v); }
  return bitcast<f32>(bitcast<u32>(exp2_fixed_f32(v)) | wild.sign);
}
