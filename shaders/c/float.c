// sqrt_f32(x) is C's sqrtf.
SKALD_FN f32 sqrt_f32(f32 x) { return sqrtf(x); }

// cbrt_f32(x) is C's cbrtf.
SKALD_FN f32 cbrt_f32(f32 x) { return cbrtf(x); }

// exp_f32(x) is C's expf.
SKALD_FN f32 exp_f32(f32 x) { return expf(x); }

// exp2_f32(x) is C's exp2f.
SKALD_FN f32 exp2_f32(f32 x) { return exp2f(x); }

// expm1_f32(x) is C's expm1f.
SKALD_FN f32 expm1_f32(f32 x) { return expm1f(x); }

// log_f32(x) is C's logf.
SKALD_FN f32 log_f32(f32 x) { return logf(x); }

// log2_f32(x) is C's log2f.
SKALD_FN f32 log2_f32(f32 x) { return log2f(x); }

// log10_f32(x) is C's log10f.
SKALD_FN f32 log10_f32(f32 x) { return log10f(x); }

// log1p_f32(x) is C's log1pf.
SKALD_FN f32 log1p_f32(f32 x) { return log1pf(x); }

// sin_f32(x) is C's sinf.
SKALD_FN f32 sin_f32(f32 x) { return sinf(x); }

// cos_f32(x) is C's cosf.
SKALD_FN f32 cos_f32(f32 x) { return cosf(x); }

// tan_f32(x) is C's tanf.
SKALD_FN f32 tan_f32(f32 x) { return tanf(x); }

// asin_f32(x) is C's asinf.
SKALD_FN f32 asin_f32(f32 x) { return asinf(x); }

// acos_f32(x) is C's acosf.
SKALD_FN f32 acos_f32(f32 x) { return acosf(x); }

// atan_f32(x) is C's atanf.
SKALD_FN f32 atan_f32(f32 x) { return atanf(x); }

// sinh_f32(x) is C's sinhf.
SKALD_FN f32 sinh_f32(f32 x) { return sinhf(x); }

// cosh_f32(x) is C's coshf.
SKALD_FN f32 cosh_f32(f32 x) { return coshf(x); }

// tanh_f32(x) is C's tanhf.
SKALD_FN f32 tanh_f32(f32 x) { return tanhf(x); }

// asinh_f32(x) is C's asinhf.
SKALD_FN f32 asinh_f32(f32 x) { return asinhf(x); }

// acosh_f32(x) is C's acoshf.
SKALD_FN f32 acosh_f32(f32 x) { return acoshf(x); }

// atanh_f32(x) is C's atanhf.
SKALD_FN f32 atanh_f32(f32 x) { return atanhf(x); }

// gamma_f32(x) is C's tgammaf.
SKALD_FN f32 gamma_f32(f32 x) { return tgammaf(x); }

// lgamma_f32(x) is C's lgammaf.
SKALD_FN f32 lgamma_f32(f32 x) { return lgammaf(x); }

// erf_f32(x) is C's erff.
SKALD_FN f32 erf_f32(f32 x) { return erff(x); }

// erfc_f32(x) is C's erfcf.
SKALD_FN f32 erfc_f32(f32 x) { return erfcf(x); }

// floor_f32(x) is C's floorf.
SKALD_FN f32 floor_f32(f32 x) { return floorf(x); }

// ceil_f32(x) is C's ceilf.
SKALD_FN f32 ceil_f32(f32 x) { return ceilf(x); }

// round_f32(x) is C's rintf.
SKALD_FN f32 round_f32(f32 x) { return rintf(x); }

// trunc_f32(x) is C's truncf.
SKALD_FN f32 trunc_f32(f32 x) { return truncf(x); }

// abs_f32(x) is C's fabsf.
SKALD_FN f32 abs_f32(f32 x) { return fabsf(x); }

// asinpi_f32(x) is asin x / pi.
SKALD_FN f32 asinpi_f32(f32 x) { return (f32)(asin((f64)x) * 0.31830988618379067154); }

// acospi_f32(x) is acos x / pi.
SKALD_FN f32 acospi_f32(f32 x) { return (f32)(acos((f64)x) * 0.31830988618379067154); }

// atanpi_f32(x) is atan x / pi.
SKALD_FN f32 atanpi_f32(f32 x) { return (f32)(atan((f64)x) * 0.31830988618379067154); }

// atan2pi_f32(y, x) is atan2(y, x) / pi.
SKALD_FN f32 atan2pi_f32(f32 y, f32 x) { return (f32)(atan2((f64)y, (f64)x) * 0.31830988618379067154); }

// tanpi_f32(x) is tan(pi x).
SKALD_FN f32 tanpi_f32(f32 x) { return sinpi_f32(x) / cospi_f32(x); }

// pow_f32(x, y) is C's powf.
SKALD_FN f32 pow_f32(f32 x, f32 y) { return powf(x, y); }

// atan2_f32(y, x) is C's atan2f.
SKALD_FN f32 atan2_f32(f32 y, f32 x) { return atan2f(y, x); }

// copysign_f32(x, y) is C's copysignf.
SKALD_FN f32 copysign_f32(f32 x, f32 y) { return copysignf(x, y); }

// nextafter_f32(x, y) is C's nextafterf.
SKALD_FN f32 nextafter_f32(f32 x, f32 y) { return nextafterf(x, y); }

// mod_f32(x, y) is C's fmodf.
SKALD_FN f32 mod_f32(f32 x, f32 y) { return fmodf(x, y); }

// hypot_f32(x, y) is C's hypotf, infinite beside a signalling NaN too.
SKALD_FN f32 hypot_f32(f32 x, f32 y) {
  return isinf_f32(x) || isinf_f32(y) ? from_bits_f32(0x7f800000u) : hypotf(x, y);
}

// fma_f32(a, b, c) is a · b + c, rounded once.
SKALD_FN f32 fma_f32(f32 a, f32 b, f32 c) { return fmaf(a, b, c); }

// lerp_f32(a, b, t) is a + (b - a) · t with t clamped to [0, 1]; NaN counts as 1.
SKALD_FN f32 lerp_f32(f32 a, f32 b, f32 t) { return mad_f32(b - a, max_f32(0, min_f32(1, t)), a); }

// ldexp_f32(x, n) is x · 2^n, rounded once.
SKALD_FN f32 ldexp_f32(f32 x, i32 n) { return ldexpf(x, n); }

// recip_f32(x) is 1 / x.
SKALD_FN f32 recip_f32(f32 x) { return 1 / x; }

// isnan_f32(x) is true of NaN.
SKALD_FN bool isnan_f32(f32 x) { return (to_bits_f32(x) << 1) > ((u32)0xff000000u); }

// isinf_f32(x) is true of both infinities.
SKALD_FN bool isinf_f32(f32 x) { return (to_bits_f32(x) << 1) == ((u32)0xff000000u); }

// min_f32(x, y) is the lesser; a single NaN is ignored, and -0 is below 0.
SKALD_FN f32 min_f32(f32 x, f32 y) {
  if (x == y) return from_bits_f32(to_bits_f32(x) | to_bits_f32(y));
  return x < y || isnan_f32(y) ? x : y;
}

// max_f32(x, y) is the greater; a single NaN is ignored, and -0 is below 0.
SKALD_FN f32 max_f32(f32 x, f32 y) {
  if (x == y) return from_bits_f32(to_bits_f32(x) & to_bits_f32(y));
  return x > y || isnan_f32(y) ? x : y;
}

// neg_f32(x) flips the sign.
SKALD_FN f32 neg_f32(f32 x) { return -x; }

// sgn_f32(x) is -1 or 1; zeros and NaN are returned as they are.
SKALD_FN f32 sgn_f32(f32 x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// lt_f32(x, y) is x < y.
SKALD_FN bool lt_f32(f32 x, f32 y) { return x < y; }

// le_f32(x, y) is x <= y.
SKALD_FN bool le_f32(f32 x, f32 y) { return x <= y; }

// eq_f32(x, y) is x == y.
SKALD_FN bool eq_f32(f32 x, f32 y) { return x == y; }

// sqrt_f64(x) is C's sqrt.
SKALD_FN f64 sqrt_f64(f64 x) { return sqrt(x); }

// cbrt_f64(x) is C's cbrt.
SKALD_FN f64 cbrt_f64(f64 x) { return cbrt(x); }

// exp_f64(x) is C's exp.
SKALD_FN f64 exp_f64(f64 x) { return exp(x); }

// exp2_f64(x) is C's exp2.
SKALD_FN f64 exp2_f64(f64 x) { return exp2(x); }

// expm1_f64(x) is C's expm1.
SKALD_FN f64 expm1_f64(f64 x) { return expm1(x); }

// log_f64(x) is C's log.
SKALD_FN f64 log_f64(f64 x) { return log(x); }

// log2_f64(x) is C's log2.
SKALD_FN f64 log2_f64(f64 x) { return log2(x); }

// log10_f64(x) is C's log10.
SKALD_FN f64 log10_f64(f64 x) { return log10(x); }

// log1p_f64(x) is C's log1p.
SKALD_FN f64 log1p_f64(f64 x) { return log1p(x); }

// sin_f64(x) is C's sin.
SKALD_FN f64 sin_f64(f64 x) { return sin(x); }

// cos_f64(x) is C's cos.
SKALD_FN f64 cos_f64(f64 x) { return cos(x); }

// tan_f64(x) is C's tan.
SKALD_FN f64 tan_f64(f64 x) { return tan(x); }

// asin_f64(x) is C's asin.
SKALD_FN f64 asin_f64(f64 x) { return asin(x); }

// acos_f64(x) is C's acos.
SKALD_FN f64 acos_f64(f64 x) { return acos(x); }

// atan_f64(x) is C's atan.
SKALD_FN f64 atan_f64(f64 x) { return atan(x); }

// sinh_f64(x) is C's sinh.
SKALD_FN f64 sinh_f64(f64 x) { return sinh(x); }

// cosh_f64(x) is C's cosh.
SKALD_FN f64 cosh_f64(f64 x) { return cosh(x); }

// tanh_f64(x) is C's tanh.
SKALD_FN f64 tanh_f64(f64 x) { return tanh(x); }

// asinh_f64(x) is C's asinh.
SKALD_FN f64 asinh_f64(f64 x) { return asinh(x); }

// acosh_f64(x) is C's acosh.
SKALD_FN f64 acosh_f64(f64 x) { return acosh(x); }

// atanh_f64(x) is C's atanh.
SKALD_FN f64 atanh_f64(f64 x) { return atanh(x); }

// gamma_f64(x) is C's tgamma.
SKALD_FN f64 gamma_f64(f64 x) { return tgamma(x); }

// lgamma_f64(x) is C's lgamma.
SKALD_FN f64 lgamma_f64(f64 x) { return lgamma(x); }

// erf_f64(x) is C's erf.
SKALD_FN f64 erf_f64(f64 x) { return erf(x); }

// erfc_f64(x) is C's erfc.
SKALD_FN f64 erfc_f64(f64 x) { return erfc(x); }

// floor_f64(x) is C's floor.
SKALD_FN f64 floor_f64(f64 x) { return floor(x); }

// ceil_f64(x) is C's ceil.
SKALD_FN f64 ceil_f64(f64 x) { return ceil(x); }

// round_f64(x) is C's rint.
SKALD_FN f64 round_f64(f64 x) { return rint(x); }

// trunc_f64(x) is C's trunc.
SKALD_FN f64 trunc_f64(f64 x) { return trunc(x); }

// abs_f64(x) is C's fabs.
SKALD_FN f64 abs_f64(f64 x) { return fabs(x); }

// asinpi_f64(x) is asin x / pi.
SKALD_FN f64 asinpi_f64(f64 x) { return (f64)(asin((f64)x) * 0.31830988618379067154); }

// acospi_f64(x) is acos x / pi.
SKALD_FN f64 acospi_f64(f64 x) { return (f64)(acos((f64)x) * 0.31830988618379067154); }

// atanpi_f64(x) is atan x / pi.
SKALD_FN f64 atanpi_f64(f64 x) { return (f64)(atan((f64)x) * 0.31830988618379067154); }

// atan2pi_f64(y, x) is atan2(y, x) / pi.
SKALD_FN f64 atan2pi_f64(f64 y, f64 x) { return (f64)(atan2((f64)y, (f64)x) * 0.31830988618379067154); }

// tanpi_f64(x) is tan(pi x).
SKALD_FN f64 tanpi_f64(f64 x) { return sinpi_f64(x) / cospi_f64(x); }

// pow_f64(x, y) is C's pow.
SKALD_FN f64 pow_f64(f64 x, f64 y) { return pow(x, y); }

// atan2_f64(y, x) is C's atan2.
SKALD_FN f64 atan2_f64(f64 y, f64 x) { return atan2(y, x); }

// copysign_f64(x, y) is C's copysign.
SKALD_FN f64 copysign_f64(f64 x, f64 y) { return copysign(x, y); }

// nextafter_f64(x, y) is C's nextafter.
SKALD_FN f64 nextafter_f64(f64 x, f64 y) { return nextafter(x, y); }

// mod_f64(x, y) is C's fmod.
SKALD_FN f64 mod_f64(f64 x, f64 y) { return fmod(x, y); }

// hypot_f64(x, y) is C's hypot, infinite beside a signalling NaN too.
SKALD_FN f64 hypot_f64(f64 x, f64 y) {
  return isinf_f64(x) || isinf_f64(y) ? from_bits_f64(0x7ff0000000000000ull) : hypot(x, y);
}

// fma_f64(a, b, c) is a · b + c, rounded once.
SKALD_FN f64 fma_f64(f64 a, f64 b, f64 c) { return fma(a, b, c); }

// lerp_f64(a, b, t) is a + (b - a) · t with t clamped to [0, 1]; NaN counts as 1.
SKALD_FN f64 lerp_f64(f64 a, f64 b, f64 t) { return mad_f64(b - a, max_f64(0, min_f64(1, t)), a); }

// ldexp_f64(x, n) is x · 2^n, rounded once.
SKALD_FN f64 ldexp_f64(f64 x, i32 n) { return ldexp(x, n); }

// recip_f64(x) is 1 / x.
SKALD_FN f64 recip_f64(f64 x) { return 1 / x; }

// isnan_f64(x) is true of NaN.
SKALD_FN bool isnan_f64(f64 x) { return (to_bits_f64(x) << 1) > ((u64)0xffe0000000000000ull); }

// isinf_f64(x) is true of both infinities.
SKALD_FN bool isinf_f64(f64 x) { return (to_bits_f64(x) << 1) == ((u64)0xffe0000000000000ull); }

// min_f64(x, y) is the lesser; a single NaN is ignored, and -0 is below 0.
SKALD_FN f64 min_f64(f64 x, f64 y) {
  if (x == y) return from_bits_f64(to_bits_f64(x) | to_bits_f64(y));
  return x < y || isnan_f64(y) ? x : y;
}

// max_f64(x, y) is the greater; a single NaN is ignored, and -0 is below 0.
SKALD_FN f64 max_f64(f64 x, f64 y) {
  if (x == y) return from_bits_f64(to_bits_f64(x) & to_bits_f64(y));
  return x > y || isnan_f64(y) ? x : y;
}

// neg_f64(x) flips the sign.
SKALD_FN f64 neg_f64(f64 x) { return -x; }

// sgn_f64(x) is -1 or 1; zeros and NaN are returned as they are.
SKALD_FN f64 sgn_f64(f64 x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// lt_f64(x, y) is x < y.
SKALD_FN bool lt_f64(f64 x, f64 y) { return x < y; }

// le_f64(x, y) is x <= y.
SKALD_FN bool le_f64(f64 x, f64 y) { return x <= y; }

// eq_f64(x, y) is x == y.
SKALD_FN bool eq_f64(f64 x, f64 y) { return x == y; }
