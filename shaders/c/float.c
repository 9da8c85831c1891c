// sqrt_f32(x) is the square root, correctly rounded; negative numbers give NaN, and -0 stays: C's sqrtf.
SKALD_FN f32 sqrt_f32(f32 x) { return sqrtf(x); }

// cbrt_f32(x) is the cube root, within 2 ulp, by C's cbrtf. Zeros, infinities and NaN stay.
SKALD_FN f32 cbrt_f32(f32 x) { return cbrtf(x); }

// exp_f32(x) is e^x, within 2 ulp, by C's expf. Infinity and NaN stay, and -infinity becomes 0.
SKALD_FN f32 exp_f32(f32 x) { return expf(x); }

// exp2_f32(x) is 2^x, within 1 ulp, by C's exp2 in f64. Infinity and NaN stay, and -infinity becomes 0.
SKALD_FN f32 exp2_f32(f32 x) { return (f32)exp2((f64)x); }

// expm1_f32(x) is e^x - 1, within 2 ulp, by C's expm1f. Zeros, infinity and NaN stay, and -infinity becomes -1.
SKALD_FN f32 expm1_f32(f32 x) { return expm1f(x); }

// log_f32(x) is the natural logarithm, within 2 ulp, by C's logf. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
SKALD_FN f32 log_f32(f32 x) { return logf(x); }

// log2_f32(x) is the binary logarithm, within 2 ulp, by C's log2f. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
SKALD_FN f32 log2_f32(f32 x) { return log2f(x); }

// log10_f32(x) is the decimal logarithm, within 1 ulp, by C's log10 in f64. Zeros give -infinity, negative numbers
// NaN; infinity and NaN stay.
SKALD_FN f32 log10_f32(f32 x) { return (f32)log10((f64)x); }

// log1p_f32(x) is ln(1 + x), within 2 ulp, by C's log1pf. -1 becomes -infinity, lesser numbers NaN; zeros, infinity
// and NaN stay.
SKALD_FN f32 log1p_f32(f32 x) { return log1pf(x); }

// sin_f32(x) is the sine, within 2 ulp, by C's sinf. Zeros and NaN stay; infinities give NaN.
SKALD_FN f32 sin_f32(f32 x) { return sinf(x); }

// cos_f32(x) is the cosine, within 2 ulp, by C's cosf. NaN stays; infinities give NaN.
SKALD_FN f32 cos_f32(f32 x) { return cosf(x); }

// tan_f32(x) is the tangent, within 1 ulp, by C's tan in f64. Zeros and NaN stay; infinities give NaN.
SKALD_FN f32 tan_f32(f32 x) { return (f32)tan((f64)x); }

// asin_f32(x) is the arc sine, within 2 ulp, by C's asinf. Zeros and NaN stay; beyond -1 and 1 it is NaN.
SKALD_FN f32 asin_f32(f32 x) { return asinf(x); }

// acos_f32(x) is the arc cosine, within 2 ulp, by C's acosf. NaN stays; beyond -1 and 1 it is NaN.
SKALD_FN f32 acos_f32(f32 x) { return acosf(x); }

// atan_f32(x) is the arc tangent, within 2 ulp, by C's atanf. Zeros and NaN stay; infinities give pi / 2 with their
// sign.
SKALD_FN f32 atan_f32(f32 x) { return atanf(x); }

// sinh_f32(x) is the hyperbolic sine, within 1 ulp, by C's sinh in f64. Zeros, infinities and NaN stay.
SKALD_FN f32 sinh_f32(f32 x) { return (f32)sinh((f64)x); }

// cosh_f32(x) is the hyperbolic cosine, within 1 ulp, by C's cosh in f64. Infinities give infinity; NaN stays.
SKALD_FN f32 cosh_f32(f32 x) { return (f32)cosh((f64)x); }

// tanh_f32(x) is the hyperbolic tangent, within 2 ulp, by C's tanhf. Zeros and NaN stay; infinities give 1 with
// their sign.
SKALD_FN f32 tanh_f32(f32 x) { return tanhf(x); }

// asinh_f32(x) is the inverse hyperbolic sine, within 2 ulp, by C's asinhf. Zeros, infinities and NaN stay.
SKALD_FN f32 asinh_f32(f32 x) { return asinhf(x); }

// acosh_f32(x) is the inverse hyperbolic cosine, within 1 ulp, by C's acosh in f64. 1 becomes 0, lesser numbers NaN;
// infinity and NaN stay.
SKALD_FN f32 acosh_f32(f32 x) { return (f32)acosh((f64)x); }

// atanh_f32(x) is the inverse hyperbolic tangent, within 1 ulp, by C's atanh in f64. Zeros and NaN stay; -1 and 1
// give infinities of their sign, and beyond it is NaN.
SKALD_FN f32 atanh_f32(f32 x) { return (f32)atanh((f64)x); }

// gamma_f32(x) is the gamma function, within 1 ulp, by C's tgamma in f64. Zeros give infinities of their sign,
// negative integers and -infinity NaN; infinity and NaN stay.
SKALD_FN f32 gamma_f32(f32 x) { return (f32)tgamma((f64)x); }

// lgamma_f32(x) is ln|gamma x|, within 1 ulp, by C's lgamma in f64. Zeros, negative integers and infinities give
// infinity; NaN stays. Below 1 the error is absolute: in ulps of 1.
SKALD_FN f32 lgamma_f32(f32 x) { return (f32)lgamma((f64)x); }

// erf_f32(x) is the error function, within 2 ulp, by C's erff. Zeros and NaN stay; infinities give 1 with their
// sign.
SKALD_FN f32 erf_f32(f32 x) { return erff(x); }

// erfc_f32(x) is 1 - erf x, within 1 ulp, by C's erfc in f64. Infinity becomes 0, -infinity 2; NaN stays.
SKALD_FN f32 erfc_f32(f32 x) { return (f32)erfc((f64)x); }

// floor_f32(x) rounds towards negative infinity; zeros, infinities and NaN stay: C's floorf.
SKALD_FN f32 floor_f32(f32 x) { return floorf(x); }

// ceil_f32(x) rounds towards infinity; zeros, infinities and NaN stay: C's ceilf.
SKALD_FN f32 ceil_f32(f32 x) { return ceilf(x); }

// round_f32(x) rounds to the nearest integer, ties to even; zeros, infinities and NaN stay: C's rintf.
SKALD_FN f32 round_f32(f32 x) { return rintf(x); }

// trunc_f32(x) rounds towards zero; zeros, infinities and NaN stay: C's truncf.
SKALD_FN f32 trunc_f32(f32 x) { return truncf(x); }

// abs_f32(x) clears the sign, of NaN too: C's fabsf.
SKALD_FN f32 abs_f32(f32 x) { return fabsf(x); }

// asinpi_f32(x) is asin x / pi, within 1 ulp, by C's asin in f64. Zeros and NaN stay; beyond -1 and 1 it is NaN.
SKALD_FN f32 asinpi_f32(f32 x) { return (f32)(asin((f64)x) * 0.31830988618379067154); }

// acospi_f32(x) is acos x / pi, within 1 ulp, by C's acos in f64. NaN stays; beyond -1 and 1 it is NaN.
SKALD_FN f32 acospi_f32(f32 x) { return (f32)(acos((f64)x) * 0.31830988618379067154); }

// atanpi_f32(x) is atan x / pi, within 1 ulp, by C's atan in f64. Zeros and NaN stay; infinities give 1/2 with their
// sign.
SKALD_FN f32 atanpi_f32(f32 x) { return (f32)(atan((f64)x) * 0.31830988618379067154); }

// atan2pi_f32(y, x) is the angle of the point at (x, y) over pi, within 1 ulp, by C's atan2 in f64. The special
// cases are those of C's atan2, over pi; NaN if either is.
SKALD_FN f32 atan2pi_f32(f32 y, f32 x) { return (f32)(atan2((f64)y, (f64)x) * 0.31830988618379067154); }

// tanpi_f32(x) is tan(pi x), within 1 ulp, by sinpi_f64 and cospi_f64. Integers give zeros, halves of odd ones
// infinities; infinities give NaN, and NaN stays.
SKALD_FN f32 tanpi_f32(f32 x) { return (f32)(sinpi_f64(x) / cospi_f64(x)); }

// pow_f32(x, y) is x^y, within 2 ulp, by C's powf. The special cases are those of C: 1 where x is 1 or y is 0,
// whatever the other, which C libraries deny where it is a signalling NaN; NaN for negative x unless y is an integer.
SKALD_FN f32 pow_f32(f32 x, f32 y) { return x == 1.0f || y == 0.0f ? 1.0f : powf(x, y); }

// atan2_f32(y, x) is the angle of the point at (x, y), within 2 ulp, by C's atan2f. The special cases are those of
// C: multiples of pi / 4 for zeros and infinities, by their signs; NaN if either is.
SKALD_FN f32 atan2_f32(f32 y, f32 x) { return atan2f(y, x); }

// copysign_f32(x, y) is |x| with the sign of y, of NaN too: C's copysignf.
SKALD_FN f32 copysign_f32(f32 x, f32 y) { return copysignf(x, y); }

// nextafter_f32(x, y) is the number next to x in the direction of y; y if they are equal; NaN if either is: C's
// nextafterf.
SKALD_FN f32 nextafter_f32(f32 x, f32 y) { return nextafterf(x, y); }

// mod_f32(x, y) is the remainder of the truncated quotient, exactly, with the sign of x; NaN if x is infinite or y
// zero: C's fmodf.
SKALD_FN f32 mod_f32(f32 x, f32 y) { return fmodf(x, y); }

// hypot_f32(x, y) is sqrt(x^2 + y^2), within 2 ulp, by C's hypotf. Infinite if either is, else NaN if either is.
SKALD_FN f32 hypot_f32(f32 x, f32 y) {
  return isinf_f32(x) || isinf_f32(y) ? from_bits_f32(0x7f800000u) : hypotf(x, y);
}

// fma_f32(a, b, c) is a · b + c, rounded once.
SKALD_FN f32 fma_f32(f32 a, f32 b, f32 c) { return fmaf(a, b, c); }

// lerp_FLOAT(a, b, t) is a + (b - a) · t with t clamped to [0, 1]; NaN counts as 1.
SKALD_FN FLOAT lerp_FLOAT(FLOAT a, FLOAT b, FLOAT t) { return mad_FLOAT(b - a, max_FLOAT(0, min_FLOAT(1, t)), a); }

// ldexp_f32(x, n) is x · 2^n, rounded once.
SKALD_FN f32 ldexp_f32(f32 x, i32 n) { return ldexpf(x, n); }

// recip_FLOAT(x) is 1 / x, correctly rounded; zeros give infinities.
SKALD_FN FLOAT recip_FLOAT(FLOAT x) { return 1 / x; }

// isnan_f32(x) is true of NaN.
SKALD_FN bool isnan_f32(f32 x) { return (to_bits_f32(x) << 1) > ((u32)0xff000000u); }

// isinf_f32(x) is true of both infinities.
SKALD_FN bool isinf_f32(f32 x) { return (to_bits_f32(x) << 1) == ((u32)0xff000000u); }

// min_FLOAT(x, y) is the lesser; a single NaN is ignored, and -0 is below 0.
SKALD_FN FLOAT min_FLOAT(FLOAT x, FLOAT y) {
  if (x == y) return from_bits_FLOAT(to_bits_FLOAT(x) | to_bits_FLOAT(y));
  return x < y || isnan_FLOAT(y) ? x : y;
}

// max_FLOAT(x, y) is the greater; a single NaN is ignored, and -0 is below 0.
SKALD_FN FLOAT max_FLOAT(FLOAT x, FLOAT y) {
  if (x == y) return from_bits_FLOAT(to_bits_FLOAT(x) & to_bits_FLOAT(y));
  return x > y || isnan_FLOAT(y) ? x : y;
}

// neg_FLOAT(x) flips the sign, of NaN too.
SKALD_FN FLOAT neg_FLOAT(FLOAT x) { return -x; }

// sgn_FLOAT(x) is -1 or 1; zeros and NaN are returned as they are.
SKALD_FN FLOAT sgn_FLOAT(FLOAT x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// lt_FLOAT(x, y) is x < y; false beside NaN.
SKALD_FN bool lt_FLOAT(FLOAT x, FLOAT y) { return x < y; }

// le_FLOAT(x, y) is x <= y; false beside NaN.
SKALD_FN bool le_FLOAT(FLOAT x, FLOAT y) { return x <= y; }

// eq_FLOAT(x, y) is x = y; false beside NaN.
SKALD_FN bool eq_FLOAT(FLOAT x, FLOAT y) { return x == y; }

// sqrt_f64(x) is the square root, correctly rounded; negative numbers give NaN, and -0 stays: C's sqrt.
SKALD_FN f64 sqrt_f64(f64 x) { return sqrt(x); }

// cbrt_f64(x) is the cube root, within 2 ulp, by C's cbrt. Zeros, infinities and NaN stay.
SKALD_FN f64 cbrt_f64(f64 x) { return cbrt(x); }

// exp_f64(x) is e^x, within 2 ulp, by C's exp. Infinity and NaN stay, and -infinity becomes 0.
SKALD_FN f64 exp_f64(f64 x) { return exp(x); }

// exp2_f64(x) is 2^x, within 2 ulp, by C's exp2. Infinity and NaN stay, and -infinity becomes 0.
SKALD_FN f64 exp2_f64(f64 x) { return exp2(x); }

// expm1_f64(x) is e^x - 1, within 2 ulp, by C's expm1. Zeros, infinity and NaN stay, and -infinity becomes -1.
SKALD_FN f64 expm1_f64(f64 x) { return expm1(x); }

// log_f64(x) is the natural logarithm, within 2 ulp, by C's log. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
SKALD_FN f64 log_f64(f64 x) { return log(x); }

// log2_f64(x) is the binary logarithm, within 2 ulp, by C's log2. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
SKALD_FN f64 log2_f64(f64 x) { return log2(x); }

// log10_f64(x) is the decimal logarithm, within 2 ulp, by C's log10. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
SKALD_FN f64 log10_f64(f64 x) { return log10(x); }

// log1p_f64(x) is ln(1 + x), within 2 ulp, by C's log1p. -1 becomes -infinity, lesser numbers NaN; zeros, infinity and
// NaN stay.
SKALD_FN f64 log1p_f64(f64 x) { return log1p(x); }

// sin_f64(x) is the sine, within 2 ulp, by C's sin. Zeros and NaN stay; infinities give NaN.
SKALD_FN f64 sin_f64(f64 x) { return sin(x); }

// cos_f64(x) is the cosine, within 2 ulp, by C's cos. NaN stays; infinities give NaN.
SKALD_FN f64 cos_f64(f64 x) { return cos(x); }

// tan_f64(x) is the tangent, within 2 ulp, by C's tan. Zeros and NaN stay; infinities give NaN.
SKALD_FN f64 tan_f64(f64 x) { return tan(x); }

// asin_f64(x) is the arc sine, within 2 ulp, by C's asin. Zeros and NaN stay; beyond -1 and 1 it is NaN.
SKALD_FN f64 asin_f64(f64 x) { return asin(x); }

// acos_f64(x) is the arc cosine, within 2 ulp, by C's acos. NaN stays; beyond -1 and 1 it is NaN.
SKALD_FN f64 acos_f64(f64 x) { return acos(x); }

// atan_f64(x) is the arc tangent, within 2 ulp, by C's atan. Zeros and NaN stay; infinities give pi / 2 with their
// sign.
SKALD_FN f64 atan_f64(f64 x) { return atan(x); }

// sinh_f64(x) is the hyperbolic sine, within 2 ulp, by C's sinh. Zeros, infinities and NaN stay.
SKALD_FN f64 sinh_f64(f64 x) { return sinh(x); }

// cosh_f64(x) is the hyperbolic cosine, within 2 ulp, by C's cosh. Infinities give infinity; NaN stays.
SKALD_FN f64 cosh_f64(f64 x) { return cosh(x); }

// tanh_f64(x) is the hyperbolic tangent, within 2 ulp, by C's tanh. Zeros and NaN stay; infinities give 1 with their
// sign.
SKALD_FN f64 tanh_f64(f64 x) { return tanh(x); }

// asinh_f64(x) is the inverse hyperbolic sine, within 2 ulp, by C's asinh. Zeros, infinities and NaN stay.
SKALD_FN f64 asinh_f64(f64 x) { return asinh(x); }

// acosh_f64(x) is the inverse hyperbolic cosine, within 2 ulp, by C's acosh. 1 becomes 0, lesser numbers NaN; infinity
// and NaN stay.
SKALD_FN f64 acosh_f64(f64 x) { return acosh(x); }

// atanh_f64(x) is the inverse hyperbolic tangent, within 2 ulp, by C's log1p of a fraction whose rounding is made
// good. Zeros and NaN stay; -1 and 1 give infinities of their sign, and beyond it is NaN.
SKALD_FN f64 atanh_f64(f64 x) {
  f64 a = fabs(x), d = 1 - a, t = 2 * a / d;
  if (!(a < 1) || a < 0x1p-28) return atanh(x);
  f64 rest = fma(-t, d, 2 * a) - t * ((1 - d) - a);
  return copysign((log1p(t) + rest / d / (1 + t)) / 2, x);
}

// gamma_f64(x) is the gamma function, within 2 ulp, by dd_rising and dd_stirling, and by reflection below 0. Zeros
// give infinities of their sign, negative integers and -infinity NaN; infinity and NaN stay.
SKALD_FN f64 gamma_f64(f64 x) {
  f64 a = fabs(x);
  if (a < 0x1p-60) return 1 / x;
  if (!(a < 190) || (x < 0 && x == floor(x))) return tgamma(x);
  struct Rising r = dd_rising(a);
  struct DD l = dd_stirling(r.y);
  if (x > 0) {
    f64 k = dd_scale(l), g = ldexp(dd_div(dd_exp(l, k), r.product).hi, (i32)k);
    return a < 16 ? g / a : g;
  }
  struct DD s = dd_sinpi(a), q = dd_mul(dd_pi(), r.product);
  if (a >= 16) s = dd_mul(s, dd_fast(a, 0));
  f64 k = dd_scale(dd_neg(l)), g = ldexp(dd_mul(dd_div(q, s), dd_exp(dd_neg(l), k)).hi, (i32)k);
  return fmod(floor(a), 2) == 0 ? -g : g;
}

// lgamma_f64(x) is ln|gamma x|, within 4 ulp, by dd_rising and dd_stirling, and by reflection below 0. Zeros,
// negative integers and infinities give infinity; NaN stays. Below 1 the error is absolute: in ulps of 1.
SKALD_FN f64 lgamma_f64(f64 x) {
  f64 a = fabs(x);
  if (!(a < 0x1p1000) || a < 0x1p-250 || (x < 0 && x == floor(x))) return lgamma(x);
  struct Rising r = dd_rising(a);
  struct DD l = dd_stirling(r.y);
  if (a < 16) l = dd_add(l, dd_neg(dd_log(dd_mul(r.product, dd_fast(a, 0)))));
  if (x > 0) return l.hi;
  struct DD s = dd_mul(dd_sinpi(a), dd_fast(a, 0));
  return dd_add(dd_log(dd_div(dd_pi(), s)), dd_neg(l)).hi;
}

// erf_f64(x) is the error function, within 2 ulp, by C's erf. Zeros and NaN stay; infinities give 1 with their sign.
SKALD_FN f64 erf_f64(f64 x) { return erf(x); }

// erfc_f64(x) is 1 - erf x, within 4 ulp, by C's erfc. Infinity becomes 0, -infinity 2; NaN stays.
SKALD_FN f64 erfc_f64(f64 x) { return erfc(x); }

// floor_f64(x) rounds towards negative infinity; zeros, infinities and NaN stay: C's floor.
SKALD_FN f64 floor_f64(f64 x) { return floor(x); }

// ceil_f64(x) rounds towards infinity; zeros, infinities and NaN stay: C's ceil.
SKALD_FN f64 ceil_f64(f64 x) { return ceil(x); }

// round_f64(x) rounds to the nearest integer, ties to even; zeros, infinities and NaN stay: C's rint.
SKALD_FN f64 round_f64(f64 x) { return rint(x); }

// trunc_f64(x) rounds towards zero; zeros, infinities and NaN stay: C's trunc.
SKALD_FN f64 trunc_f64(f64 x) { return trunc(x); }

// abs_f64(x) clears the sign, of NaN too: C's fabs.
SKALD_FN f64 abs_f64(f64 x) { return fabs(x); }

// asinpi_f64(x) is asin x / pi, within 1 ulp, by dd_asin and dd_acospi. Zeros and NaN stay; beyond -1 and 1 it is
// NaN.
SKALD_FN f64 asinpi_f64(f64 x) {
  if (x == 0 || !(fabs(x) < 1)) return asin(x) / asin(1.0) / 2;
  if (fabs(x) <= 0.5) return dd_over_pi(dd_asin(dd_fast(x, 0))).hi;
  return copysign(dd_add(dd_fast(0.5, 0), dd_neg(dd_acospi(fabs(x)))).hi, x);
}

// acospi_f64(x) is acos x / pi, within 1 ulp, by dd_asin and dd_acospi. NaN stays; beyond -1 and 1 it is NaN.
SKALD_FN f64 acospi_f64(f64 x) {
  if (!(fabs(x) < 1)) return acos(x) / acos(-1.0);
  if (x > 0.5) return dd_acospi(x).hi;
  if (x < -0.5) return dd_add(dd_fast(1, 0), dd_neg(dd_acospi(-x))).hi;
  return dd_add(dd_fast(0.5, 0), dd_neg(dd_over_pi(dd_asin(dd_fast(x, 0))))).hi;
}

// atanpi_f64(x) is atan x / pi, within 2 ulp, by C's atan and over_pi. Zeros and NaN stay; infinities give 1/2 with
// their sign.
SKALD_FN f64 atanpi_f64(f64 x) { return over_pi(atan(x)); }

// atan2pi_f64(y, x) is the angle of the point at (x, y) over pi, within 2 ulp, by C's atan2 and over_pi. The special
// cases are those of C's atan2, over pi; NaN if either is.
SKALD_FN f64 atan2pi_f64(f64 y, f64 x) { return over_pi(atan2(y, x)); }

// tanpi_f64(x) is tan(pi x), within 2 ulp, by dd_sin and dd_cos. Integers give zeros, halves of odd ones infinities;
// infinities give NaN, and NaN stays.
SKALD_FN f64 tanpi_f64(f64 x) {
  f64 s = sinpi_f64(x), c = cospi_f64(x), r = fabs(x - rint(x));
  if (s == 0 || c == 0 || s != s) return s / c;
  struct DD a = dd_mul(dd_pi(), dd_fast(r > 0.25 ? 0.5 - r : r, 0));
  struct DD t = r > 0.25 ? dd_div(dd_cos(a), dd_sin(a)) : dd_div(dd_sin(a), dd_cos(a));
  return copysign(t.hi, s / c);
}

// pow_f64(x, y) is x^y, within 2 ulp, by C's pow. The special cases are those of C: 1 where x is 1 or y is 0,
// whatever the other, which C libraries deny where it is a signalling NaN; NaN for negative x unless y is an integer.
SKALD_FN f64 pow_f64(f64 x, f64 y) { return x == 1.0 || y == 0.0 ? 1.0 : pow(x, y); }

// atan2_f64(y, x) is the angle of the point at (x, y), within 2 ulp, by C's atan2. The special cases are those of C:
// multiples of pi / 4 for zeros and infinities, by their signs; NaN if either is.
SKALD_FN f64 atan2_f64(f64 y, f64 x) { return atan2(y, x); }

// copysign_f64(x, y) is |x| with the sign of y, of NaN too: C's copysign.
SKALD_FN f64 copysign_f64(f64 x, f64 y) { return copysign(x, y); }

// nextafter_f64(x, y) is the number next to x in the direction of y; y if they are equal; NaN if either is: C's
// nextafter.
SKALD_FN f64 nextafter_f64(f64 x, f64 y) { return nextafter(x, y); }

// mod_f64(x, y) is the remainder of the truncated quotient, exactly, with the sign of x; NaN if x is infinite or y
// zero: C's fmod.
SKALD_FN f64 mod_f64(f64 x, f64 y) { return fmod(x, y); }

// hypot_f64(x, y) is sqrt(x^2 + y^2), within 2 ulp, by C's hypot. Infinite if either is, else NaN if either is.
SKALD_FN f64 hypot_f64(f64 x, f64 y) {
  return isinf_f64(x) || isinf_f64(y) ? from_bits_f64(0x7ff0000000000000ull) : hypot(x, y);
}

// fma_f64(a, b, c) is a · b + c, rounded once.
SKALD_FN f64 fma_f64(f64 a, f64 b, f64 c) { return fma(a, b, c); }

// ldexp_f64(x, n) is x · 2^n, rounded once.
SKALD_FN f64 ldexp_f64(f64 x, i32 n) { return ldexp(x, n); }

// isnan_f64(x) is true of NaN.
SKALD_FN bool isnan_f64(f64 x) { return (to_bits_f64(x) << 1) > ((u64)0xffe0000000000000ull); }

// isinf_f64(x) is true of both infinities.
SKALD_FN bool isinf_f64(f64 x) { return (to_bits_f64(x) << 1) == ((u64)0xffe0000000000000ull); }
