// conv_f64_f16(x) rounds once: to an odd f32 first.
SKALD_FN F16 conv_f64_f16(f64 x) {
  f32 near = (f32)x;
  u32 bits = to_bits_f32(near);
  if ((f64)near != x && x == x) {
    bits -= fabs((f64)near) > fabs(x);
    bits |= 1u;
  }
  return norm_f16(from_bits_f32(bits));
}

// norm_f16(x) rounds the result of an f32 operation on f16 numbers.
SKALD_FN F16 norm_f16(f32 x) { return from_bits_f16(half_bits(x)); }

// conv_f32_f16(x) rounds to nearest, ties to even.
SKALD_FN F16 conv_f32_f16(f32 x) { return norm_f16(x); }

// conv_f16_FLOAT(x) is exact.
SKALD_FN FLOAT conv_f16_FLOAT(F16 x) { return x; }

// div_f16(x, y) is x / y; the double rounding is innocuous, since 24 >= 2 · 11 + 2.
SKALD_FN F16 div_f16(F16 x, F16 y) { return norm_f16(x / y); }

// lerp_f16(a, b, t) is a + (b - a) · t, every step rounded, with t clamped to [0, 1]; NaN counts as 1.
SKALD_FN F16 lerp_f16(F16 a, F16 b, F16 t) { return mad_f16(norm_f16(b - a), max_f32(0, min_f32(1, t)), a); }

// sqrt_f16(x) is the square root, correctly rounded; negative numbers give NaN, and -0 stays.
SKALD_FN F16 sqrt_f16(F16 x) { return norm_f16(sqrt_f32(x)); }

// cbrt_f16(x) is the cube root, within 1 ulp, by cbrt_f32, rounded. Zeros, infinities and NaN stay.
SKALD_FN F16 cbrt_f16(F16 x) { return norm_f16(cbrt_f32(x)); }

// exp_f16(x) is e^x, within 1 ulp, by exp_f32, rounded. Infinity and NaN stay, and -infinity becomes 0.
SKALD_FN F16 exp_f16(F16 x) { return norm_f16(exp_f32(x)); }

// exp2_f16(x) is 2^x, within 1 ulp, by exp2_f32, rounded. Infinity and NaN stay, and -infinity becomes 0.
SKALD_FN F16 exp2_f16(F16 x) { return norm_f16(exp2_f32(x)); }

// expm1_f16(x) is e^x - 1, within 1 ulp, by expm1_f32, rounded. Zeros, infinity and NaN stay, and -infinity becomes
// -1.
SKALD_FN F16 expm1_f16(F16 x) { return norm_f16(expm1_f32(x)); }

// log_f16(x) is the natural logarithm, within 1 ulp, by log_f32, rounded. Zeros give -infinity, negative numbers
// NaN; infinity and NaN stay.
SKALD_FN F16 log_f16(F16 x) { return norm_f16(log_f32(x)); }

// log2_f16(x) is the binary logarithm, within 1 ulp, by log2_f32, rounded. Zeros give -infinity, negative numbers
// NaN; infinity and NaN stay.
SKALD_FN F16 log2_f16(F16 x) { return norm_f16(log2_f32(x)); }

// log10_f16(x) is the decimal logarithm, within 1 ulp, by log10_f32, rounded. Zeros give -infinity, negative numbers
// NaN; infinity and NaN stay.
SKALD_FN F16 log10_f16(F16 x) { return norm_f16(log10_f32(x)); }

// log1p_f16(x) is ln(1 + x), within 1 ulp, by log1p_f32, rounded. -1 becomes -infinity, lesser numbers NaN; zeros,
// infinity and NaN stay.
SKALD_FN F16 log1p_f16(F16 x) { return norm_f16(log1p_f32(x)); }

// sin_f16(x) is the sine, within 1 ulp, by sin_f32, rounded. Zeros and NaN stay; infinities give NaN.
SKALD_FN F16 sin_f16(F16 x) { return norm_f16(sin_f32(x)); }

// cos_f16(x) is the cosine, within 1 ulp, by cos_f32, rounded. NaN stays; infinities give NaN.
SKALD_FN F16 cos_f16(F16 x) { return norm_f16(cos_f32(x)); }

// tan_f16(x) is the tangent, within 1 ulp, by tan_f32, rounded. Zeros and NaN stay; infinities give NaN.
SKALD_FN F16 tan_f16(F16 x) { return norm_f16(tan_f32(x)); }

// asin_f16(x) is the arc sine, within 1 ulp, by asin_f32, rounded. Zeros and NaN stay; beyond -1 and 1 it is NaN.
SKALD_FN F16 asin_f16(F16 x) { return norm_f16(asin_f32(x)); }

// acos_f16(x) is the arc cosine, within 1 ulp, by acos_f32, rounded. NaN stays; beyond -1 and 1 it is NaN.
SKALD_FN F16 acos_f16(F16 x) { return norm_f16(acos_f32(x)); }

// atan_f16(x) is the arc tangent, within 1 ulp, by atan_f32, rounded. Zeros and NaN stay; infinities give pi / 2
// with their sign.
SKALD_FN F16 atan_f16(F16 x) { return norm_f16(atan_f32(x)); }

// sinh_f16(x) is the hyperbolic sine, within 1 ulp, by sinh_f32, rounded. Zeros, infinities and NaN stay.
SKALD_FN F16 sinh_f16(F16 x) { return norm_f16(sinh_f32(x)); }

// cosh_f16(x) is the hyperbolic cosine, within 1 ulp, by cosh_f32, rounded. Infinities give infinity; NaN stays.
SKALD_FN F16 cosh_f16(F16 x) { return norm_f16(cosh_f32(x)); }

// tanh_f16(x) is the hyperbolic tangent, within 1 ulp, by tanh_f32, rounded. Zeros and NaN stay; infinities give 1
// with their sign.
SKALD_FN F16 tanh_f16(F16 x) { return norm_f16(tanh_f32(x)); }

// asinh_f16(x) is the inverse hyperbolic sine, within 1 ulp, by asinh_f32, rounded. Zeros, infinities and NaN stay.
SKALD_FN F16 asinh_f16(F16 x) { return norm_f16(asinh_f32(x)); }

// acosh_f16(x) is the inverse hyperbolic cosine, within 1 ulp, by acosh_f32, rounded. 1 becomes 0, lesser numbers NaN;
// infinity and NaN stay.
SKALD_FN F16 acosh_f16(F16 x) { return norm_f16(acosh_f32(x)); }

// atanh_f16(x) is the inverse hyperbolic tangent, within 1 ulp, by atanh_f32, rounded. Zeros and NaN stay; -1 and 1
// give infinities of their sign, and beyond it is NaN.
SKALD_FN F16 atanh_f16(F16 x) { return norm_f16(atanh_f32(x)); }

// gamma_f16(x) is the gamma function, within 1 ulp, by gamma_f32, rounded. Zeros give infinities of their sign,
// negative integers and -infinity NaN; infinity and NaN stay.
SKALD_FN F16 gamma_f16(F16 x) { return norm_f16(gamma_f32(x)); }

// lgamma_f16(x) is ln|gamma x|, within 1 ulp, by lgamma_f32, rounded. Zeros, negative integers and infinities give
// infinity; NaN stays. Below 1 the error is absolute: in ulps of 1.
SKALD_FN F16 lgamma_f16(F16 x) { return norm_f16(lgamma_f32(x)); }

// erf_f16(x) is the error function, within 1 ulp, by erf_f32, rounded. Zeros and NaN stay; infinities give 1 with
// their sign.
SKALD_FN F16 erf_f16(F16 x) { return norm_f16(erf_f32(x)); }

// erfc_f16(x) is 1 - erf x, within 1 ulp, by erfc_f32, rounded. Infinity becomes 0, -infinity 2; NaN stays.
SKALD_FN F16 erfc_f16(F16 x) { return norm_f16(erfc_f32(x)); }

// floor_f16(x) rounds towards negative infinity; zeros, infinities and NaN stay.
SKALD_FN F16 floor_f16(F16 x) { return floor_f32(x); }

// ceil_f16(x) rounds towards infinity; zeros, infinities and NaN stay.
SKALD_FN F16 ceil_f16(F16 x) { return ceil_f32(x); }

// round_f16(x) rounds to the nearest integer, ties to even; zeros, infinities and NaN stay.
SKALD_FN F16 round_f16(F16 x) { return round_f32(x); }

// trunc_f16(x) rounds towards zero; zeros, infinities and NaN stay.
SKALD_FN F16 trunc_f16(F16 x) { return trunc_f32(x); }

// asinpi_f16(x) is asin x / pi, within 1 ulp, by asinpi_f32, rounded. Zeros and NaN stay; beyond -1 and 1 it is NaN.
SKALD_FN F16 asinpi_f16(F16 x) { return norm_f16(asinpi_f32(x)); }

// acospi_f16(x) is acos x / pi, within 1 ulp, by acospi_f32, rounded. NaN stays; beyond -1 and 1 it is NaN.
SKALD_FN F16 acospi_f16(F16 x) { return norm_f16(acospi_f32(x)); }

// atanpi_f16(x) is atan x / pi, within 1 ulp, by atanpi_f32, rounded. Zeros and NaN stay; infinities give 1/2 with
// their sign.
SKALD_FN F16 atanpi_f16(F16 x) { return norm_f16(atanpi_f32(x)); }

// sinpi_f16(x) is sin(pi x), within 1 ulp, by sinpi_f32, rounded. Integers give a zero with their sign; infinities
// give NaN, and NaN stays.
SKALD_FN F16 sinpi_f16(F16 x) { return norm_f16(sinpi_f32(x)); }

// cospi_f16(x) is cos(pi x), within 1 ulp, by cospi_f32, rounded. Halves of odd integers give 0; infinities give
// NaN, and NaN stays.
SKALD_FN F16 cospi_f16(F16 x) { return norm_f16(cospi_f32(x)); }

// tanpi_f16(x) is tan(pi x), within 1 ulp, by tanpi_f32, rounded. Integers give zeros, halves of odd ones
// infinities; infinities give NaN, and NaN stays.
SKALD_FN F16 tanpi_f16(F16 x) { return norm_f16(tanpi_f32(x)); }

// exp10_f16(x) is 10^x, within 1 ulp, by exp10_f32, rounded. Infinity and NaN stay, and -infinity becomes 0.
SKALD_FN F16 exp10_f16(F16 x) { return norm_f16(exp10_f32(x)); }

// rsqrt_f16(x) is 1 / sqrt x, within 1 ulp, by rsqrt_f32, rounded. Zeros give infinities of their sign, negative
// numbers NaN, infinity 0; NaN stays.
SKALD_FN F16 rsqrt_f16(F16 x) { return norm_f16(rsqrt_f32(x)); }

// recip_f16(x) is 1 / x, correctly rounded; zeros give infinities.
SKALD_FN F16 recip_f16(F16 x) { return norm_f16(recip_f32(x)); }

// sgn_f16(x) is -1 or 1; zeros and NaN are returned as they are.
SKALD_FN F16 sgn_f16(F16 x) { return sgn_f32(x); }

// pow_f16(x, y) is x^y, within 1 ulp, by pow_f32, rounded. The special cases are those of C: 1 where x is 1 or y is
// 0, whatever the other; NaN for negative x unless y is an integer.
SKALD_FN F16 pow_f16(F16 x, F16 y) { return norm_f16(pow_f32(x, y)); }

// atan2_f16(y, x) is the angle of the point at (x, y), within 1 ulp, by atan2_f32, rounded. The special cases are
// those of C: multiples of pi / 4 for zeros and infinities, by their signs; NaN if either is.
SKALD_FN F16 atan2_f16(F16 y, F16 x) { return norm_f16(atan2_f32(y, x)); }

// atan2pi_f16(y, x) is the angle of the point at (x, y) over pi, within 1 ulp, by atan2pi_f32, rounded. The special
// cases are those of C's atan2, over pi; NaN if either is.
SKALD_FN F16 atan2pi_f16(F16 y, F16 x) { return norm_f16(atan2pi_f32(y, x)); }

// hypot_f16(x, y) is sqrt(x^2 + y^2), within 1 ulp, by hypot_f32, rounded. Infinite if either is, else NaN if either
// is.
SKALD_FN F16 hypot_f16(F16 x, F16 y) { return norm_f16(hypot_f32(x, y)); }

// mod_f16(x, y) is the remainder of the truncated quotient, exactly, with the sign of x; NaN if x is infinite or y
// zero.
SKALD_FN F16 mod_f16(F16 x, F16 y) { return mod_f32(x, y); }

// lt_f16(x, y) is x < y; false beside NaN.
SKALD_FN bool lt_f16(F16 x, F16 y) { return lt_f32(x, y); }

// le_f16(x, y) is x <= y; false beside NaN.
SKALD_FN bool le_f16(F16 x, F16 y) { return le_f32(x, y); }

// eq_f16(x, y) is x = y; false beside NaN.
SKALD_FN bool eq_f16(F16 x, F16 y) { return eq_f32(x, y); }

// ldexp_f16(x, n) is x · 2^n, rounded once: in f64 it is exact where it matters.
SKALD_FN F16 ldexp_f16(F16 x, i32 n) { return conv_f64_f16(ldexp((f64)x, n < -200 ? -200 : n > 200 ? 200 : n)); }

// nextafter_f16(x, y) is the number next to x in the direction of y; y if they are equal; NaN if either is.
SKALD_FN F16 nextafter_f16(F16 x, F16 y) {
  u32 bits = to_bits_f16(x);
  if (isnan_f32(x) || isnan_f32(y)) return from_bits_f16(0x7e00u);
  if (x == y) return y;
  if (x == 0) return from_bits_f16((to_bits_f16(y) & 0x8000u) | 1u);
  return from_bits_f16((x < y) == (bits < 0x8000u) ? bits + 1 : bits - 1);
}
