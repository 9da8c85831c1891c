// to_bits_f32(x) returns the bits of x.
SKALD_FN u32 to_bits_f32(f32 x) {
  u32 bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

// from_bits_f32(bits) makes a number from its bits.
SKALD_FN f32 from_bits_f32(u32 bits) {
  f32 x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// to_bits_f64(x) returns the bits of x.
SKALD_FN u64 to_bits_f64(f64 x) {
  u64 bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

// from_bits_f64(bits) makes a number from its bits.
SKALD_FN f64 from_bits_f64(u64 bits) {
  f64 x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// clz_u32(a) counts the leading zeros; 32 for zero.
SKALD_FN i32 clz_u32(u32 a) { return a == 0 ? 32 : __builtin_clz(a); }

// ctz_u32(a) counts the trailing zeros; 32 for zero.
SKALD_FN i32 ctz_u32(u32 a) { return a == 0 ? 32 : __builtin_ctz(a); }

// popc_u32(a) counts the set bits.
SKALD_FN i32 popc_u32(u32 a) { return __builtin_popcount(a); }

// clz_u64(a) counts the leading zeros; 64 for zero.
SKALD_FN i32 clz_u64(u64 a) { return a == 0 ? 64 : __builtin_clzll(a); }

// ctz_u64(a) counts the trailing zeros; 64 for zero.
SKALD_FN i32 ctz_u64(u64 a) { return a == 0 ? 64 : __builtin_ctzll(a); }

// popc_u64(a) counts the set bits.
SKALD_FN i32 popc_u64(u64 a) { return __builtin_popcountll(a); }

// mul_hi_u64(a, b) is the upper half of the product.
SKALD_FN u64 mul_hi_u64(u64 a, u64 b) { return (u64)(((unsigned __int128)a * b) >> 64); }

// mul_hi_i64(a, b) is the upper half of the product.
SKALD_FN i64 mul_hi_i64(i64 a, i64 b) { return (i64)(((__int128)a * b) >> 64); }

// sinpi_f64(x) is sin(pi x), within 2 ulp, by C's sin: the argument is reduced exactly before it is multiplied.
// Integers give a zero with their sign; infinities give NaN, and NaN stays.
SKALD_FN f64 sinpi_f64(f64 x) {
  f64 r = fmod(x, 2), a = fabs(r);
  if (a == 0 || a == 1) return copysign(0, x);
  if (a > 1.5) return sin(3.14159265358979323846 * (r - copysign(2, r)));
  if (a > 0.5) return sin(3.14159265358979323846 * (copysign(1, r) - r));
  return sin(3.14159265358979323846 * r);
}

// cospi_f64(x) is cos(pi x), within 2 ulp, by C's sin and cos: the argument is reduced exactly before it is
// multiplied. Halves of odd integers give 0; infinities give NaN, and NaN stays.
SKALD_FN f64 cospi_f64(f64 x) {
  f64 r = fabs(fmod(x, 2));
  if (r > 1.25) r = 2 - r;
  if (r >= 0.75) return -cos(3.14159265358979323846 * (r - 1));
  if (r > 0.25) return sin(3.14159265358979323846 * (0.5 - r));
  return cos(3.14159265358979323846 * r);
}

// sinpi_f32(x) is sin(pi x), within 2 ulp, by sinpi_f64, rounded. Integers give a zero with their sign; infinities
// give NaN, and NaN stays.
SKALD_FN f32 sinpi_f32(f32 x) { return (f32)sinpi_f64(x); }

// cospi_f32(x) is cos(pi x), within 2 ulp, by cospi_f64, rounded. Halves of odd integers give 0; infinities give
// NaN, and NaN stays.
SKALD_FN f32 cospi_f32(f32 x) { return (f32)cospi_f64(x); }

// exp10_f64(x) is 10^x, within 2 ulp, by C's pow. Infinity and NaN stay, and -infinity becomes 0.
SKALD_FN f64 exp10_f64(f64 x) { return pow(10, x); }

// exp10_f32(x) is 10^x, within 1 ulp, by C's pow in f64. Infinity and NaN stay, and -infinity becomes 0.
SKALD_FN f32 exp10_f32(f32 x) { return (f32)pow(10, x); }

// rsqrt_f32(x) is 1 / sqrt x, within 2 ulp, by C's sqrt in f64. Zeros give infinities of their sign, negative
// numbers NaN, infinity 0; NaN stays.
SKALD_FN f32 rsqrt_f32(f32 x) { return (f32)(1 / sqrt((f64)x)); }

// rsqrt_f64(x) is 1 / sqrt x, within 2 ulp, by C's sqrt. Zeros give infinities of their sign, negative numbers NaN,
// infinity 0; NaN stays.
SKALD_FN f64 rsqrt_f64(f64 x) { return 1 / sqrt(x); }

// mad_FLOAT(a, b, c) is a · b + c, rounded twice: the compiler must not see both.
SKALD_FN FLOAT mad_FLOAT(FLOAT a, FLOAT b, FLOAT c) {
  volatile FLOAT product = a * b;
  return product + c;
}

// half_bits(x) returns the bits of the f16 nearest to x, ties to even; a NaN keeps the upper bits of its payload.
SKALD_FN u32 half_bits(f32 x) {
  u32 bits = to_bits_f32(x), sign = bits >> 16 & 0x8000u, a = bits & 0x7fffffffu;
  if (a > 0x7f800000u) return sign | 0x7c00u | ((a >> 13 & 0x3ffu) ? (a >> 13 & 0x3ffu) : 0x200u);
  if (a >= 0x477ff000u) return sign | 0x7c00u;
  if (a >= 0x38800000u) return sign | (a - 0x38000000u + 0xfffu + (a >> 13 & 1u)) >> 13;
  if (a < 0x33000000u) return sign;
  u32 shift = 126 - (a >> 23), m = (a & 0x7fffffu) | 0x800000u;
  u32 kept = m >> shift, lost = m << (32 - shift);
  return sign | (kept + (lost > 0x80000000u || (lost == 0x80000000u && (kept & 1u))));
}

// half_value(bits) is the value of an f16, exactly.
SKALD_FN f32 half_value(u32 bits) {
  u32 sign = (bits & 0x8000u) << 16, a = bits & 0x7fffu;
  if (a >= 0x7c00u) return from_bits_f32(sign | 0x7f800000u | (a & 0x3ffu) << 13);
  if (a >= 0x400u) return from_bits_f32(sign | ((a << 13) + 0x38000000u));
  return from_bits_f32(sign | to_bits_f32((f32)a * 5.9604644775390625e-8f));
}
