// to_bits_f16(x) returns the 16 bits of x.
SKALD_FN u32 to_bits_f16(F16 x) { return half_bits(x); }

// from_bits_f16(bits) makes an f16 from its 16 bits.
SKALD_FN F16 from_bits_f16(u32 bits) { return half_value(bits); }

// add_f16(x, y) is x + y; the double rounding is innocuous, since 24 >= 2 · 11 + 2.
SKALD_FN F16 add_f16(F16 x, F16 y) { return norm_f16(x + y); }

// sub_f16(x, y) is x - y; the double rounding is innocuous, since 24 >= 2 · 11 + 2.
SKALD_FN F16 sub_f16(F16 x, F16 y) { return norm_f16(x - y); }

// mul_f16(x, y) is x * y; the double rounding is innocuous, since 24 >= 2 · 11 + 2.
SKALD_FN F16 mul_f16(F16 x, F16 y) { return norm_f16(x * y); }

// fma_f16(a, b, c) is a · b + c, rounded once: the product is exact, and the f64 sum is rounded to odd.
SKALD_FN F16 fma_f16(F16 a, F16 b, F16 c) {
  return conv_f64_f16(fma((f64)a, (f64)b, (f64)c));
}

// mad_f16(a, b, c) is a · b + c, rounded twice.
SKALD_FN F16 mad_f16(F16 a, F16 b, F16 c) { return norm_f16(norm_f16(a * b) + c); }

// abs_f16(x) clears the sign, of NaN too.
SKALD_FN F16 abs_f16(F16 x) { return abs_f32(x); }

// neg_f16(x) flips the sign, of NaN too.
SKALD_FN F16 neg_f16(F16 x) { return neg_f32(x); }

// min_f16(x, y) is the lesser; a single NaN is ignored, and -0 is below 0.
SKALD_FN F16 min_f16(F16 x, F16 y) { return min_f32(x, y); }

// max_f16(x, y) is the greater; a single NaN is ignored, and -0 is below 0.
SKALD_FN F16 max_f16(F16 x, F16 y) { return max_f32(x, y); }

// copysign_f16(x, y) is |x| with the sign of y, of NaN too.
SKALD_FN F16 copysign_f16(F16 x, F16 y) { return copysign_f32(x, y); }

// isnan_f16(x) is true of NaN.
SKALD_FN bool isnan_f16(F16 x) { return isnan_f32(x); }

// isinf_f16(x) is true of both infinities.
SKALD_FN bool isinf_f16(F16 x) { return isinf_f32(x); }
