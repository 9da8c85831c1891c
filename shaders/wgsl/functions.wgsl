// in_f32(x) is any f32 as a Real; NaN and infinities too.
fn in_f32(x: f32) -> Real {
  if (finite_f32(x)) { return real_f32(x); }
  if (isnan_f32(x)) { return real_nan(); }
  return real_inf(bitcast<u32>(x) & 0x80000000u);
}

// in_f64(x) is any f64 as a Real; NaN and infinities too.
fn in_f64(x: F64) -> Real {
  if (finite_f64(x)) { return real_f64(x); }
  if (isnan_f64(x)) { return real_nan(); }
  return real_inf(w_of_f64(x).y & 0x80000000u);
}

// in_f16(x) is any f16 as a Real; NaN and infinities too.
fn in_f16(x: F16) -> Real { return in_f32(conv_f16_f32(x)); }

// out_f32(a) rounds any Real to f32.
fn out_f32(a: Real) -> f32 {
  if (real_is_nan(a)) { return nan_f32(); }
  return pack_f32(a);
}

// out_f64(a) rounds any Real to f64.
fn out_f64(a: Real) -> F64 {
  if (real_is_nan(a)) { return nan_f64(); }
  return pack_f64(a);
}

// out_f16(a) rounds any Real to f16.
fn out_f16(a: Real) -> F16 {
  if (real_is_nan(a)) { return from_bits_f16(0x7e00u); }
  return from_bits_f16(pack_half(a));
}

// exp_f16(x) is e^x, within 1 ulp, by exp_f32. Infinity and NaN stay, and -infinity becomes 0.
fn exp_f16(x: F16) -> F16 { return conv_f32_f16(exp_f32(conv_f16_f32(x))); }

// exp2_f16(x) is 2^x, within 1 ulp, by exp2_f32. Infinity and NaN stay, and -infinity becomes 0.
fn exp2_f16(x: F16) -> F16 { return conv_f32_f16(exp2_f32(conv_f16_f32(x))); }

// exp10_f16(x) is 10^x, within 1 ulp, by exp10_f32. Infinity and NaN stay, and -infinity becomes 0.
fn exp10_f16(x: F16) -> F16 { return conv_f32_f16(exp10_f32(conv_f16_f32(x))); }

// expm1_f16(x) is e^x - 1, within 1 ulp, by real_expm1. Zeros, infinity and NaN stay, and -infinity becomes -1.
fn expm1_f16(x: F16) -> F16 { return out_f16(real_expm1(in_f16(x))); }

// expm1_f32(x) is e^x - 1, within 1 ulp, by real_expm1. Zeros, infinity and NaN stay, and -infinity becomes -1.
fn expm1_f32(x: f32) -> f32 { return out_f32(real_expm1(in_f32(x))); }

// expm1_f64(x) is e^x - 1, within 1 ulp, by real_expm1. Zeros, infinity and NaN stay, and -infinity becomes -1.
fn expm1_f64(x: F64) -> F64 { return out_f64(real_expm1(in_f64(x))); }

// log_f16(x) is the natural logarithm, within 1 ulp, by log_f32. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log_f16(x: F16) -> F16 { return conv_f32_f16(log_f32(conv_f16_f32(x))); }

// log2_f16(x) is the binary logarithm, within 1 ulp, by log2_f32. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log2_f16(x: F16) -> F16 { return conv_f32_f16(log2_f32(conv_f16_f32(x))); }

// log10_f16(x) is the decimal logarithm, within 1 ulp, by log10_f32. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log10_f16(x: F16) -> F16 { return conv_f32_f16(log10_f32(conv_f16_f32(x))); }

// log1p_f16(x) is ln(1 + x), within 1 ulp, by real_log1p. -1 becomes -infinity, lesser numbers NaN; zeros, infinity
// and NaN stay.
fn log1p_f16(x: F16) -> F16 { return out_f16(real_log1p(in_f16(x))); }

// log1p_f32(x) is ln(1 + x), within 1 ulp, by real_log1p. -1 becomes -infinity, lesser numbers NaN; zeros, infinity
// and NaN stay.
fn log1p_f32(x: f32) -> f32 { return out_f32(real_log1p(in_f32(x))); }

// log1p_f64(x) is ln(1 + x), within 1 ulp, by real_log1p. -1 becomes -infinity, lesser numbers NaN; zeros, infinity
// and NaN stay.
fn log1p_f64(x: F64) -> F64 { return out_f64(real_log1p(in_f64(x))); }

// cbrt_f16(x) is the cube root, within 1 ulp, by real_cbrt. Zeros, infinities and NaN stay.
fn cbrt_f16(x: F16) -> F16 { return out_f16(real_cbrt(in_f16(x))); }

// cbrt_f32(x) is the cube root, within 1 ulp, by real_cbrt. Zeros, infinities and NaN stay.
fn cbrt_f32(x: f32) -> f32 { return out_f32(real_cbrt(in_f32(x))); }

// cbrt_f64(x) is the cube root, within 1 ulp, by real_cbrt. Zeros, infinities and NaN stay.
fn cbrt_f64(x: F64) -> F64 { return out_f64(real_cbrt(in_f64(x))); }

// sin_f16(x) is the sine, within 1 ulp, by sin_f32. Zeros and NaN stay; infinities give NaN.
fn sin_f16(x: F16) -> F16 { return conv_f32_f16(sin_f32(conv_f16_f32(x))); }

// cos_f16(x) is the cosine, within 1 ulp, by cos_f32. NaN stays; infinities give NaN.
fn cos_f16(x: F16) -> F16 { return conv_f32_f16(cos_f32(conv_f16_f32(x))); }

// tan_f16(x) is the tangent, within 1 ulp, by real_tan. Zeros and NaN stay; infinities give NaN.
fn tan_f16(x: F16) -> F16 { return out_f16(real_tan(in_f16(x))); }

// tan_f32(x) is the tangent, within 1 ulp, by real_tan. Zeros and NaN stay; infinities give NaN.
fn tan_f32(x: f32) -> f32 { return out_f32(real_tan(in_f32(x))); }

// tan_f64(x) is the tangent, within 1 ulp, by real_tan. Zeros and NaN stay; infinities give NaN.
fn tan_f64(x: F64) -> F64 { return out_f64(real_tan(in_f64(x))); }

// asin_f16(x) is the arc sine, within 1 ulp, by asin_f32. Zeros and NaN stay; beyond -1 and 1 it is NaN.
fn asin_f16(x: F16) -> F16 { return conv_f32_f16(asin_f32(conv_f16_f32(x))); }

// asin_f64(x) is the arc sine, within 1 ulp, by real_asin. Zeros and NaN stay; beyond -1 and 1 it is NaN.
fn asin_f64(x: F64) -> F64 { return out_f64(real_asin(in_f64(x))); }

// acos_f16(x) is the arc cosine, within 1 ulp, by acos_f32. NaN stays; beyond -1 and 1 it is NaN.
fn acos_f16(x: F16) -> F16 { return conv_f32_f16(acos_f32(conv_f16_f32(x))); }

// acos_f64(x) is the arc cosine, within 1 ulp, by real_acos. NaN stays; beyond -1 and 1 it is NaN.
fn acos_f64(x: F64) -> F64 { return out_f64(real_acos(in_f64(x))); }

// atan_f16(x) is the arc tangent, within 1 ulp, by atan_f32. Zeros and NaN stay; infinities give pi / 2 with their
// sign.
fn atan_f16(x: F16) -> F16 { return conv_f32_f16(atan_f32(conv_f16_f32(x))); }

// atan_f64(x) is the arc tangent, within 1 ulp, by real_atan. Zeros and NaN stay; infinities give pi / 2 with their
// sign.
fn atan_f64(x: F64) -> F64 { return out_f64(real_atan(in_f64(x))); }

// sinpi_f16(x) is sin(pi x), within 1 ulp, by real_sinpi. Integers give a zero with their sign; infinities give NaN,
// and NaN stays.
fn sinpi_f16(x: F16) -> F16 { return out_f16(real_sinpi(in_f16(x))); }

// sinpi_f32(x) is sin(pi x), within 1 ulp, by real_sinpi. Integers give a zero with their sign; infinities give NaN,
// and NaN stays.
fn sinpi_f32(x: f32) -> f32 { return out_f32(real_sinpi(in_f32(x))); }

// sinpi_f64(x) is sin(pi x), within 1 ulp, by real_sinpi. Integers give a zero with their sign; infinities give NaN,
// and NaN stays.
fn sinpi_f64(x: F64) -> F64 { return out_f64(real_sinpi(in_f64(x))); }

// cospi_f16(x) is cos(pi x), within 1 ulp, by real_cospi. Halves of odd integers give 0; infinities give NaN, and
// NaN stays.
fn cospi_f16(x: F16) -> F16 { return out_f16(real_cospi(in_f16(x))); }

// cospi_f32(x) is cos(pi x), within 1 ulp, by real_cospi. Halves of odd integers give 0; infinities give NaN, and
// NaN stays.
fn cospi_f32(x: f32) -> f32 { return out_f32(real_cospi(in_f32(x))); }

// cospi_f64(x) is cos(pi x), within 1 ulp, by real_cospi. Halves of odd integers give 0; infinities give NaN, and
// NaN stays.
fn cospi_f64(x: F64) -> F64 { return out_f64(real_cospi(in_f64(x))); }

// tanpi_f16(x) is tan(pi x), within 1 ulp, by real_tanpi. Integers give zeros, halves of odd ones infinities;
// infinities give NaN, and NaN stays.
fn tanpi_f16(x: F16) -> F16 { return out_f16(real_tanpi(in_f16(x))); }

// tanpi_f32(x) is tan(pi x), within 1 ulp, by real_tanpi. Integers give zeros, halves of odd ones infinities;
// infinities give NaN, and NaN stays.
fn tanpi_f32(x: f32) -> f32 { return out_f32(real_tanpi(in_f32(x))); }

// tanpi_f64(x) is tan(pi x), within 1 ulp, by real_tanpi. Integers give zeros, halves of odd ones infinities;
// infinities give NaN, and NaN stays.
fn tanpi_f64(x: F64) -> F64 { return out_f64(real_tanpi(in_f64(x))); }

// asinpi_f16(x) is asin x / pi, within 1 ulp, by real_asinpi. Zeros and NaN stay; beyond -1 and 1 it is NaN.
fn asinpi_f16(x: F16) -> F16 { return out_f16(real_asinpi(in_f16(x))); }

// asinpi_f32(x) is asin x / pi, within 1 ulp, by real_asinpi. Zeros and NaN stay; beyond -1 and 1 it is NaN.
fn asinpi_f32(x: f32) -> f32 { return out_f32(real_asinpi(in_f32(x))); }

// asinpi_f64(x) is asin x / pi, within 1 ulp, by real_asinpi. Zeros and NaN stay; beyond -1 and 1 it is NaN.
fn asinpi_f64(x: F64) -> F64 { return out_f64(real_asinpi(in_f64(x))); }

// acospi_f16(x) is acos x / pi, within 1 ulp, by real_acospi. NaN stays; beyond -1 and 1 it is NaN.
fn acospi_f16(x: F16) -> F16 { return out_f16(real_acospi(in_f16(x))); }

// acospi_f32(x) is acos x / pi, within 1 ulp, by real_acospi. NaN stays; beyond -1 and 1 it is NaN.
fn acospi_f32(x: f32) -> f32 { return out_f32(real_acospi(in_f32(x))); }

// acospi_f64(x) is acos x / pi, within 1 ulp, by real_acospi. NaN stays; beyond -1 and 1 it is NaN.
fn acospi_f64(x: F64) -> F64 { return out_f64(real_acospi(in_f64(x))); }

// atanpi_f16(x) is atan x / pi, within 1 ulp, by real_atanpi. Zeros and NaN stay; infinities give 1/2 with their
// sign.
fn atanpi_f16(x: F16) -> F16 { return out_f16(real_atanpi(in_f16(x))); }

// atanpi_f32(x) is atan x / pi, within 1 ulp, by real_atanpi. Zeros and NaN stay; infinities give 1/2 with their
// sign.
fn atanpi_f32(x: f32) -> f32 { return out_f32(real_atanpi(in_f32(x))); }

// atanpi_f64(x) is atan x / pi, within 1 ulp, by real_atanpi. Zeros and NaN stay; infinities give 1/2 with their
// sign.
fn atanpi_f64(x: F64) -> F64 { return out_f64(real_atanpi(in_f64(x))); }

// sinh_f16(x) is the hyperbolic sine, within 1 ulp, by real_sinh. Zeros, infinities and NaN stay.
fn sinh_f16(x: F16) -> F16 { return out_f16(real_sinh(in_f16(x))); }

// sinh_f32(x) is the hyperbolic sine, within 1 ulp, by real_sinh. Zeros, infinities and NaN stay.
fn sinh_f32(x: f32) -> f32 { return out_f32(real_sinh(in_f32(x))); }

// sinh_f64(x) is the hyperbolic sine, within 1 ulp, by real_sinh. Zeros, infinities and NaN stay.
fn sinh_f64(x: F64) -> F64 { return out_f64(real_sinh(in_f64(x))); }

// cosh_f16(x) is the hyperbolic cosine, within 1 ulp, by real_cosh. Infinities give infinity; NaN stays.
fn cosh_f16(x: F16) -> F16 { return out_f16(real_cosh(in_f16(x))); }

// cosh_f32(x) is the hyperbolic cosine, within 1 ulp, by real_cosh. Infinities give infinity; NaN stays.
fn cosh_f32(x: f32) -> f32 { return out_f32(real_cosh(in_f32(x))); }

// cosh_f64(x) is the hyperbolic cosine, within 1 ulp, by real_cosh. Infinities give infinity; NaN stays.
fn cosh_f64(x: F64) -> F64 { return out_f64(real_cosh(in_f64(x))); }

// tanh_f16(x) is the hyperbolic tangent, within 1 ulp, by real_tanh. Zeros and NaN stay; infinities give 1 with
// their sign.
fn tanh_f16(x: F16) -> F16 { return out_f16(real_tanh(in_f16(x))); }

// tanh_f32(x) is the hyperbolic tangent, within 1 ulp, by real_tanh. Zeros and NaN stay; infinities give 1 with
// their sign.
fn tanh_f32(x: f32) -> f32 { return out_f32(real_tanh(in_f32(x))); }

// tanh_f64(x) is the hyperbolic tangent, within 1 ulp, by real_tanh. Zeros and NaN stay; infinities give 1 with
// their sign.
fn tanh_f64(x: F64) -> F64 { return out_f64(real_tanh(in_f64(x))); }

// asinh_f16(x) is the inverse hyperbolic sine, within 1 ulp, by real_asinh. Zeros, infinities and NaN stay.
fn asinh_f16(x: F16) -> F16 { return out_f16(real_asinh(in_f16(x))); }

// asinh_f32(x) is the inverse hyperbolic sine, within 1 ulp, by real_asinh. Zeros, infinities and NaN stay.
fn asinh_f32(x: f32) -> f32 { return out_f32(real_asinh(in_f32(x))); }

// asinh_f64(x) is the inverse hyperbolic sine, within 1 ulp, by real_asinh. Zeros, infinities and NaN stay.
fn asinh_f64(x: F64) -> F64 { return out_f64(real_asinh(in_f64(x))); }

// acosh_f16(x) is the inverse hyperbolic cosine, within 1 ulp, by real_acosh. 1 becomes 0, lesser numbers NaN;
// infinity and NaN stay.
fn acosh_f16(x: F16) -> F16 { return out_f16(real_acosh(in_f16(x))); }

// acosh_f32(x) is the inverse hyperbolic cosine, within 1 ulp, by real_acosh. 1 becomes 0, lesser numbers NaN;
// infinity and NaN stay.
fn acosh_f32(x: f32) -> f32 { return out_f32(real_acosh(in_f32(x))); }

// acosh_f64(x) is the inverse hyperbolic cosine, within 1 ulp, by real_acosh. 1 becomes 0, lesser numbers NaN;
// infinity and NaN stay.
fn acosh_f64(x: F64) -> F64 { return out_f64(real_acosh(in_f64(x))); }

// atanh_f16(x) is the inverse hyperbolic tangent, within 1 ulp, by real_atanh. Zeros and NaN stay; -1 and 1 give
// infinities of their sign, and beyond it is NaN.
fn atanh_f16(x: F16) -> F16 { return out_f16(real_atanh(in_f16(x))); }

// atanh_f32(x) is the inverse hyperbolic tangent, within 1 ulp, by real_atanh. Zeros and NaN stay; -1 and 1 give
// infinities of their sign, and beyond it is NaN.
fn atanh_f32(x: f32) -> f32 { return out_f32(real_atanh(in_f32(x))); }

// atanh_f64(x) is the inverse hyperbolic tangent, within 1 ulp, by real_atanh. Zeros and NaN stay; -1 and 1 give
// infinities of their sign, and beyond it is NaN.
fn atanh_f64(x: F64) -> F64 { return out_f64(real_atanh(in_f64(x))); }

// erf_f16(x) is the error function, within 1 ulp, by erf_f32. Zeros and NaN stay; infinities give 1 with their
// sign.
fn erf_f16(x: F16) -> F16 { return conv_f32_f16(erf_f32(conv_f16_f32(x))); }

// erf_f64(x) is the error function, within 1 ulp, by real_erf. Zeros and NaN stay; infinities give 1 with their
// sign.
fn erf_f64(x: F64) -> F64 { return out_f64(real_erf(in_f64(x))); }

// erfc_f16(x) is 1 - erf x, within 1 ulp, by real_erfc. Infinity becomes 0, -infinity 2; NaN stays.
fn erfc_f16(x: F16) -> F16 { return out_f16(real_erfc(in_f16(x))); }

// erfc_f32(x) is 1 - erf x, within 1 ulp, by real_erfc. Infinity becomes 0, -infinity 2; NaN stays.
fn erfc_f32(x: f32) -> f32 { return out_f32(real_erfc(in_f32(x))); }

// erfc_f64(x) is 1 - erf x, within 4 ulp, by real_erfc. Infinity becomes 0, -infinity 2; NaN stays.
fn erfc_f64(x: F64) -> F64 { return out_f64(real_erfc(in_f64(x))); }

// gamma_f16(x) is the gamma function, within 1 ulp, by real_gamma. Zeros give infinities of their sign, negative
// integers and -infinity NaN; infinity and NaN stay.
fn gamma_f16(x: F16) -> F16 { return out_f16(real_gamma(in_f16(x))); }

// gamma_f32(x) is the gamma function, within 1 ulp, by real_gamma. Zeros give infinities of their sign, negative
// integers and -infinity NaN; infinity and NaN stay.
fn gamma_f32(x: f32) -> f32 { return out_f32(real_gamma(in_f32(x))); }

// gamma_f64(x) is the gamma function, within 4 ulp, by real_gamma. Zeros give infinities of their sign, negative
// integers and -infinity NaN; infinity and NaN stay.
fn gamma_f64(x: F64) -> F64 { return out_f64(real_gamma(in_f64(x))); }

// lgamma_f16(x) is ln|gamma x|, within 1 ulp, by real_lgamma. Zeros, negative integers and infinities give infinity;
// NaN stays. Below 1 the error is absolute: in ulps of 1.
fn lgamma_f16(x: F16) -> F16 { return out_f16(real_lgamma(in_f16(x))); }

// lgamma_f32(x) is ln|gamma x|, within 1 ulp, by real_lgamma. Zeros, negative integers and infinities give infinity;
// NaN stays. Below 1 the error is absolute: in ulps of 1.
fn lgamma_f32(x: f32) -> f32 { return out_f32(real_lgamma(in_f32(x))); }

// lgamma_f64(x) is ln|gamma x|, within 4 ulp, by real_lgamma. Zeros, negative integers and infinities give infinity;
// NaN stays. Below 1 the error is absolute: in ulps of 1.
fn lgamma_f64(x: F64) -> F64 { return out_f64(real_lgamma(in_f64(x))); }

// pow_f16(x, y) is x^y, within 1 ulp, by pow_f32. The special cases are those of C: 1 where x is 1 or y is 0,
// whatever the other; NaN for negative x unless y is an integer.
fn pow_f16(x: F16, y: F16) -> F16 {
  return conv_f32_f16(pow_f32(conv_f16_f32(x), conv_f16_f32(y)));
}

// hypot_f16(x, y) is sqrt(x^2 + y^2), within 1 ulp, by real_hypot. Infinite if either is, else NaN if either is.
fn hypot_f16(x: F16, y: F16) -> F16 { return out_f16(real_hypot(in_f16(x), in_f16(y))); }

// hypot_f32(x, y) is sqrt(x^2 + y^2), within 1 ulp, by real_hypot. Infinite if either is, else NaN if either is.
fn hypot_f32(x: f32, y: f32) -> f32 { return out_f32(real_hypot(in_f32(x), in_f32(y))); }

// hypot_f64(x, y) is sqrt(x^2 + y^2), within 1 ulp, by real_hypot. Infinite if either is, else NaN if either is.
fn hypot_f64(x: F64, y: F64) -> F64 { return out_f64(real_hypot(in_f64(x), in_f64(y))); }

// atan2_f16(y, x) is the angle of the point at (x, y), within 1 ulp, by atan2_f32. The special cases are those of
// C: multiples of pi / 4 for zeros and infinities, by their signs; NaN if either is.
fn atan2_f16(y: F16, x: F16) -> F16 {
  return conv_f32_f16(atan2_f32(conv_f16_f32(y), conv_f16_f32(x)));
}

// atan2_f64(y, x) is the angle of the point at (x, y), within 1 ulp, by real_atan2. The special cases are those of
// C: multiples of pi / 4 for zeros and infinities, by their signs; NaN if either is.
fn atan2_f64(y: F64, x: F64) -> F64 { return out_f64(real_atan2(in_f64(y), in_f64(x))); }

// atan2pi_f16(y, x) is the angle of the point at (x, y) over pi, within 1 ulp, by real_atan2pi. The special cases
// are those of C's atan2, over pi; NaN if either is.
fn atan2pi_f16(y: F16, x: F16) -> F16 { return out_f16(real_atan2pi(in_f16(y), in_f16(x))); }

// atan2pi_f32(y, x) is the angle of the point at (x, y) over pi, within 1 ulp, by real_atan2pi. The special cases
// are those of C's atan2, over pi; NaN if either is.
fn atan2pi_f32(y: f32, x: f32) -> f32 { return out_f32(real_atan2pi(in_f32(y), in_f32(x))); }

// atan2pi_f64(y, x) is the angle of the point at (x, y) over pi, within 1 ulp, by real_atan2pi. The special cases
// are those of C's atan2, over pi; NaN if either is.
fn atan2pi_f64(y: F64, x: F64) -> F64 { return out_f64(real_atan2pi(in_f64(y), in_f64(x))); }

// recip_f16(x) is 1 / x, correctly rounded.
fn recip_f16(x: F16) -> F16 { return div_f16(conv_f32_f16(1.0), x); }

// rsqrt_f16(x) is 1 / sqrt x, within 1 ulp, by rsqrt_f32. Zeros give infinities of their sign, negative numbers NaN,
// infinity 0; NaN stays.
fn rsqrt_f16(x: F16) -> F16 { return conv_f32_f16(rsqrt_f32(conv_f16_f32(x))); }
