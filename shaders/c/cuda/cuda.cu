// to_bits_f32(x) returns the bits of x.
SKALD_FN u32 to_bits_f32(f32 x) { return (u32)__float_as_uint(x); }

// from_bits_f32(bits) makes a number from its bits.
SKALD_FN f32 from_bits_f32(u32 bits) { return __uint_as_float(bits); }

// to_bits_f64(x) returns the bits of x.
SKALD_FN u64 to_bits_f64(f64 x) { return (u64)__double_as_longlong(x); }

// from_bits_f64(bits) makes a number from its bits.
SKALD_FN f64 from_bits_f64(u64 bits) { return __longlong_as_double(bits); }

// clz_u32(a) counts the leading zeros; 32 for zero.
SKALD_FN i32 clz_u32(u32 a) { return __clz(a); }

// ctz_u32(a) counts the trailing zeros; 32 for zero.
SKALD_FN i32 ctz_u32(u32 a) { return a == 0 ? 32 : __ffs(a) - 1; }

// popc_u32(a) counts the set bits.
SKALD_FN i32 popc_u32(u32 a) { return __popc(a); }

// clz_u64(a) counts the leading zeros; 64 for zero.
SKALD_FN i32 clz_u64(u64 a) { return __clzll(a); }

// ctz_u64(a) counts the trailing zeros; 64 for zero.
SKALD_FN i32 ctz_u64(u64 a) { return a == 0 ? 64 : __ffsll(a) - 1; }

// popc_u64(a) counts the set bits.
SKALD_FN i32 popc_u64(u64 a) { return __popcll(a); }

// mul_hi_u64(a, b) is the upper half of the product.
SKALD_FN u64 mul_hi_u64(u64 a, u64 b) { return __umul64hi(a, b); }

// mul_hi_i64(a, b) is the upper half of the product.
SKALD_FN i64 mul_hi_i64(i64 a, i64 b) { return __mul64hi(a, b); }

// sin_cos_f32(x) is the sine and the cosine, within 2 ulp, by CUDA's sincosf. Zeros and NaN stay; infinities give NaN.
SKALD_FN float2 sin_cos_f32(f32 x) {
  float2 both;
  sincosf(x, &both.x, &both.y);
  return both;
}

// sinpi_f32(x) is sin(pi x), within 2 ulp, by CUDA's sinpif. Integers give a zero with their sign; infinities give
// NaN, and NaN stays.
SKALD_FN f32 sinpi_f32(f32 x) { return sinpif(x); }

// cospi_f32(x) is cos(pi x), within 2 ulp, by CUDA's cospif. Halves of odd integers give 0; infinities give NaN, and
// NaN stays.
SKALD_FN f32 cospi_f32(f32 x) { return cospif(x); }

// exp10_f32(x) is 10^x, within 1 ulp, by CUDA's exp10 in f64. Infinity and NaN stay, and -infinity becomes 0.
SKALD_FN f32 exp10_f32(f32 x) { return (f32)exp10((f64)x); }

// rsqrt_f32(x) is 1 / sqrt x, within 2 ulp, by CUDA's rsqrtf. Zeros give infinities of their sign, negative numbers
// NaN, infinity 0; NaN stays.
SKALD_FN f32 rsqrt_f32(f32 x) { return rsqrtf(x); }

// mad_f32(a, b, c) is a · b + c, rounded twice: the intrinsics are never fused.
SKALD_FN f32 mad_f32(f32 a, f32 b, f32 c) { return __fadd_rn(__fmul_rn(a, b), c); }

// sinpi_f64(x) is sin(pi x), within 2 ulp, by CUDA's sinpi. Integers give a zero with their sign; infinities give
// NaN, and NaN stays.
SKALD_FN f64 sinpi_f64(f64 x) { return sinpi(x); }

// cospi_f64(x) is cos(pi x), within 2 ulp, by CUDA's cospi. Halves of odd integers give 0; infinities give NaN, and
// NaN stays.
SKALD_FN f64 cospi_f64(f64 x) { return cospi(x); }

// exp10_f64(x) is 10^x, within 2 ulp, by CUDA's exp10. Infinity and NaN stay, and -infinity becomes 0.
SKALD_FN f64 exp10_f64(f64 x) { return exp10(x); }

// rsqrt_f64(x) is 1 / sqrt x, within 2 ulp, by CUDA's rsqrt. Zeros give infinities of their sign, negative numbers
// NaN, infinity 0; NaN stays.
SKALD_FN f64 rsqrt_f64(f64 x) { return rsqrt(x); }

// mad_f64(a, b, c) is a · b + c, rounded twice: the intrinsics are never fused.
SKALD_FN f64 mad_f64(f64 a, f64 b, f64 c) { return __dadd_rn(__dmul_rn(a, b), c); }
