// half_bits(x) returns the bits of the f16 nearest to x, ties to even, by the GPU's conversion; a NaN keeps the upper bits of its payload,
// where the GPU would give one NaN for all.
SKALD_FN u32 half_bits(f32 x) {
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
  u32 bits = to_bits_f32(x), payload = bits >> 13 & 0x3ffu;
  return x == x ? (u32)h : (bits >> 16 & 0x8000u) | 0x7c00u | (payload ? payload : 0x200u);
}

// half_value(bits) is the value of an f16, exactly, by the GPU's conversion; a NaN keeps its payload.
SKALD_FN f32 half_value(u32 bits) {
  f32 x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((unsigned short)bits));
  return (bits & 0x7fffu) <= 0x7c00u ? x : from_bits_f32((bits & 0x8000u) << 16 | 0x7f800000u | (bits & 0x3ffu) << 13);
}

// F16 is an f16 as its 16 bits, which is what the GPU's instructions on f16 take. Where an f32 is wanted it is converted, exactly, and back by
// rounding.
struct F16 {
  unsigned short bits;
  F16() = default;
  __device__ __forceinline__ F16(f32 x) : bits((unsigned short)half_bits(x)) {}
  __device__ __forceinline__ operator f32() const { return half_value(bits); }
};

// to_bits_f16(x) returns the 16 bits of x.
SKALD_FN u32 to_bits_f16(F16 x) { return x.bits; }

// from_bits_f16(bits) makes an f16 from its 16 bits.
SKALD_FN F16 from_bits_f16(u32 bits) {
  F16 x;
  x.bits = (unsigned short)bits;
  return x;
}

// add_f16(x, y) is x + y, rounded once by the GPU's own instruction.
SKALD_FN F16 add_f16(F16 x, F16 y) {
  F16 r;
  asm("add.rn.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(x.bits), "h"(y.bits));
  return r;
}

// sub_f16(x, y) is x - y, rounded once by the GPU's own instruction.
SKALD_FN F16 sub_f16(F16 x, F16 y) {
  F16 r;
  asm("sub.rn.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(x.bits), "h"(y.bits));
  return r;
}

// mul_f16(x, y) is x * y, rounded once by the GPU's own instruction.
SKALD_FN F16 mul_f16(F16 x, F16 y) {
  F16 r;
  asm("mul.rn.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(x.bits), "h"(y.bits));
  return r;
}

// fma_f16(a, b, c) is a · b + c, rounded once by the GPU's own instruction.
SKALD_FN F16 fma_f16(F16 a, F16 b, F16 c) {
  F16 r;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
  return r;
}

// mad_f16(a, b, c) is a · b + c, rounded twice: instructions that say how they round are never fused.
SKALD_FN F16 mad_f16(F16 a, F16 b, F16 c) { return add_f16(mul_f16(a, b), c); }

// abs_f16(x) clears the sign, of NaN too.
SKALD_FN F16 abs_f16(F16 x) { return from_bits_f16(x.bits & 0x7fffu); }

// neg_f16(x) flips the sign, of NaN too.
SKALD_FN F16 neg_f16(F16 x) { return from_bits_f16(x.bits ^ 0x8000u); }

// isnan_f16(x) is true of NaN.
SKALD_FN bool isnan_f16(F16 x) { return (x.bits & 0x7fffu) > 0x7c00u; }

// isinf_f16(x) is true of both infinities.
SKALD_FN bool isinf_f16(F16 x) { return (x.bits & 0x7fffu) == 0x7c00u; }

// min_f16(x, y) is the lesser; a single NaN is ignored, and -0 is below 0.
SKALD_FN F16 min_f16(F16 x, F16 y) {
  if ((f32)x == (f32)y) return from_bits_f16(x.bits | y.bits);
  return (f32)x < (f32)y || isnan_f16(y) ? x : y;
}

// max_f16(x, y) is the greater; a single NaN is ignored, and -0 is below 0.
SKALD_FN F16 max_f16(F16 x, F16 y) {
  if ((f32)x == (f32)y) return from_bits_f16(x.bits & y.bits);
  return (f32)x > (f32)y || isnan_f16(y) ? x : y;
}

// copysign_f16(x, y) is |x| with the sign of y, of NaN too.
SKALD_FN F16 copysign_f16(F16 x, F16 y) { return from_bits_f16((x.bits & 0x7fffu) | (y.bits & 0x8000u)); }
