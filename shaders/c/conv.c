// conv_i8_i16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN i32 conv_i8_i16(i32 x) { return norm_i16((i32)x); }

// conv_i8_i32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN i32 conv_i8_i32(i32 x) { return (i32)x; }

// conv_i8_i64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN i64 conv_i8_i64(i32 x) { return (i64)x; }

// conv_i8_u8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN u32 conv_i8_u8(i32 x) { return norm_u8((u32)x); }

// conv_i8_u16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN u32 conv_i8_u16(i32 x) { return norm_u16((u32)x); }

// conv_i8_u32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN u32 conv_i8_u32(i32 x) { return (u32)x; }

// conv_i8_u64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN u64 conv_i8_u64(i32 x) { return (u64)x; }

// conv_i8_bool(x) is x != 0.
SKALD_FN bool conv_i8_bool(i32 x) { return x != 0; }

// conv_bool_i8(x) is 0 or 1.
SKALD_FN i32 conv_bool_i8(bool x) { return x ? 1 : 0; }

// conv_i8_FLOAT(x) rounds to nearest, ties to even.
SKALD_FN FLOAT conv_i8_FLOAT(i32 x) { return (FLOAT)x; }

// conv_i8_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
SKALD_FN F16 conv_i8_f16(i32 x) { return norm_f16((f32)x); }

// conv_i16_i8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN i32 conv_i16_i8(i32 x) { return norm_i8((i32)x); }

// conv_i16_i32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN i32 conv_i16_i32(i32 x) { return (i32)x; }

// conv_i16_i64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN i64 conv_i16_i64(i32 x) { return (i64)x; }

// conv_i16_u8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN u32 conv_i16_u8(i32 x) { return norm_u8((u32)x); }

// conv_i16_u16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN u32 conv_i16_u16(i32 x) { return norm_u16((u32)x); }

// conv_i16_u32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN u32 conv_i16_u32(i32 x) { return (u32)x; }

// conv_i16_u64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN u64 conv_i16_u64(i32 x) { return (u64)x; }

// conv_i16_bool(x) is x != 0.
SKALD_FN bool conv_i16_bool(i32 x) { return x != 0; }

// conv_bool_i16(x) is 0 or 1.
SKALD_FN i32 conv_bool_i16(bool x) { return x ? 1 : 0; }

// conv_i16_FLOAT(x) rounds to nearest, ties to even.
SKALD_FN FLOAT conv_i16_FLOAT(i32 x) { return (FLOAT)x; }

// conv_i16_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
SKALD_FN F16 conv_i16_f16(i32 x) { return norm_f16((f32)x); }

// conv_i32_i8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN i32 conv_i32_i8(i32 x) { return norm_i8((i32)x); }

// conv_i32_i16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN i32 conv_i32_i16(i32 x) { return norm_i16((i32)x); }

// conv_i32_i64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN i64 conv_i32_i64(i32 x) { return (i64)x; }

// conv_i32_u8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN u32 conv_i32_u8(i32 x) { return norm_u8((u32)x); }

// conv_i32_u16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN u32 conv_i32_u16(i32 x) { return norm_u16((u32)x); }

// conv_i32_u32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN u32 conv_i32_u32(i32 x) { return (u32)x; }

// conv_i32_u64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN u64 conv_i32_u64(i32 x) { return (u64)x; }

// conv_i32_bool(x) is x != 0.
SKALD_FN bool conv_i32_bool(i32 x) { return x != 0; }

// conv_bool_i32(x) is 0 or 1.
SKALD_FN i32 conv_bool_i32(bool x) { return x ? 1 : 0; }

// conv_i32_FLOAT(x) rounds to nearest, ties to even.
SKALD_FN FLOAT conv_i32_FLOAT(i32 x) { return (FLOAT)x; }

// conv_i32_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
SKALD_FN F16 conv_i32_f16(i32 x) { return norm_f16((f32)x); }

// conv_i64_i8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN i32 conv_i64_i8(i64 x) { return norm_i8((i32)x); }

// conv_i64_i16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN i32 conv_i64_i16(i64 x) { return norm_i16((i32)x); }

// conv_i64_i32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN i32 conv_i64_i32(i64 x) { return (i32)x; }

// conv_i64_u8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN u32 conv_i64_u8(i64 x) { return norm_u8((u32)x); }

// conv_i64_u16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN u32 conv_i64_u16(i64 x) { return norm_u16((u32)x); }

// conv_i64_u32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN u32 conv_i64_u32(i64 x) { return (u32)x; }

// conv_i64_u64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN u64 conv_i64_u64(i64 x) { return (u64)x; }

// conv_i64_bool(x) is x != 0.
SKALD_FN bool conv_i64_bool(i64 x) { return x != 0; }

// conv_bool_i64(x) is 0 or 1.
SKALD_FN i64 conv_bool_i64(bool x) { return x ? 1 : 0; }

// conv_i64_FLOAT(x) rounds to nearest, ties to even.
SKALD_FN FLOAT conv_i64_FLOAT(i64 x) { return (FLOAT)x; }

// conv_i64_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
SKALD_FN F16 conv_i64_f16(i64 x) { return norm_f16((f32)x); }

// conv_u8_i8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN i32 conv_u8_i8(u32 x) { return norm_i8((i32)x); }

// conv_u8_i16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN i32 conv_u8_i16(u32 x) { return norm_i16((i32)x); }

// conv_u8_i32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN i32 conv_u8_i32(u32 x) { return (i32)x; }

// conv_u8_i64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN i64 conv_u8_i64(u32 x) { return (i64)x; }

// conv_u8_u16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN u32 conv_u8_u16(u32 x) { return norm_u16((u32)x); }

// conv_u8_u32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN u32 conv_u8_u32(u32 x) { return (u32)x; }

// conv_u8_u64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN u64 conv_u8_u64(u32 x) { return (u64)x; }

// conv_u8_bool(x) is x != 0.
SKALD_FN bool conv_u8_bool(u32 x) { return x != 0; }

// conv_bool_u8(x) is 0 or 1.
SKALD_FN u32 conv_bool_u8(bool x) { return x ? 1 : 0; }

// conv_u8_FLOAT(x) rounds to nearest, ties to even.
SKALD_FN FLOAT conv_u8_FLOAT(u32 x) { return (FLOAT)x; }

// conv_u8_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
SKALD_FN F16 conv_u8_f16(u32 x) { return norm_f16((f32)x); }

// conv_u16_i8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN i32 conv_u16_i8(u32 x) { return norm_i8((i32)x); }

// conv_u16_i16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN i32 conv_u16_i16(u32 x) { return norm_i16((i32)x); }

// conv_u16_i32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN i32 conv_u16_i32(u32 x) { return (i32)x; }

// conv_u16_i64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN i64 conv_u16_i64(u32 x) { return (i64)x; }

// conv_u16_u8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN u32 conv_u16_u8(u32 x) { return norm_u8((u32)x); }

// conv_u16_u32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN u32 conv_u16_u32(u32 x) { return (u32)x; }

// conv_u16_u64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN u64 conv_u16_u64(u32 x) { return (u64)x; }

// conv_u16_bool(x) is x != 0.
SKALD_FN bool conv_u16_bool(u32 x) { return x != 0; }

// conv_bool_u16(x) is 0 or 1.
SKALD_FN u32 conv_bool_u16(bool x) { return x ? 1 : 0; }

// conv_u16_FLOAT(x) rounds to nearest, ties to even.
SKALD_FN FLOAT conv_u16_FLOAT(u32 x) { return (FLOAT)x; }

// conv_u16_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
SKALD_FN F16 conv_u16_f16(u32 x) { return norm_f16((f32)x); }

// conv_u32_i8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN i32 conv_u32_i8(u32 x) { return norm_i8((i32)x); }

// conv_u32_i16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN i32 conv_u32_i16(u32 x) { return norm_i16((i32)x); }

// conv_u32_i32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN i32 conv_u32_i32(u32 x) { return (i32)x; }

// conv_u32_i64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN i64 conv_u32_i64(u32 x) { return (i64)x; }

// conv_u32_u8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN u32 conv_u32_u8(u32 x) { return norm_u8((u32)x); }

// conv_u32_u16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN u32 conv_u32_u16(u32 x) { return norm_u16((u32)x); }

// conv_u32_u64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN u64 conv_u32_u64(u32 x) { return (u64)x; }

// conv_u32_bool(x) is x != 0.
SKALD_FN bool conv_u32_bool(u32 x) { return x != 0; }

// conv_bool_u32(x) is 0 or 1.
SKALD_FN u32 conv_bool_u32(bool x) { return x ? 1 : 0; }

// conv_u32_FLOAT(x) rounds to nearest, ties to even.
SKALD_FN FLOAT conv_u32_FLOAT(u32 x) { return (FLOAT)x; }

// conv_u32_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
SKALD_FN F16 conv_u32_f16(u32 x) { return norm_f16((f32)x); }

// conv_u64_i8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN i32 conv_u64_i8(u64 x) { return norm_i8((i32)x); }

// conv_u64_i16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN i32 conv_u64_i16(u64 x) { return norm_i16((i32)x); }

// conv_u64_i32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN i32 conv_u64_i32(u64 x) { return (i32)x; }

// conv_u64_i64(x) keeps the low 64 bits, or extends x by its own sign.
SKALD_FN i64 conv_u64_i64(u64 x) { return (i64)x; }

// conv_u64_u8(x) keeps the low 8 bits, or extends x by its own sign.
SKALD_FN u32 conv_u64_u8(u64 x) { return norm_u8((u32)x); }

// conv_u64_u16(x) keeps the low 16 bits, or extends x by its own sign.
SKALD_FN u32 conv_u64_u16(u64 x) { return norm_u16((u32)x); }

// conv_u64_u32(x) keeps the low 32 bits, or extends x by its own sign.
SKALD_FN u32 conv_u64_u32(u64 x) { return (u32)x; }

// conv_u64_bool(x) is x != 0.
SKALD_FN bool conv_u64_bool(u64 x) { return x != 0; }

// conv_bool_u64(x) is 0 or 1.
SKALD_FN u64 conv_bool_u64(bool x) { return x ? 1 : 0; }

// conv_u64_FLOAT(x) rounds to nearest, ties to even.
SKALD_FN FLOAT conv_u64_FLOAT(u64 x) { return (FLOAT)x; }

// conv_u64_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
SKALD_FN F16 conv_u64_f16(u64 x) { return norm_f16((f32)x); }

// conv_f64_i64(x) truncates and keeps the low 64 bits; NaN and infinities give 0.
SKALD_FN i64 conv_f64_i64(f64 x) {
  u64 bits = to_bits_f64(x), m = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  i32 exp = (i32)(bits >> 52 & 0x7ff) - 1075;
  if (exp >= 64 || exp <= -64) return 0;
  m = exp < 0 ? m >> -exp : m << exp;
  return (i64)(bits >> 63 ? 0 - m : m);
}

// conv_f16_i8(x) truncates and keeps the low 8 bits; NaN and infinities give 0.
SKALD_FN i32 conv_f16_i8(F16 x) { return norm_i8((i32)conv_f64_i64(x)); }

// conv_f16_i16(x) truncates and keeps the low 16 bits; NaN and infinities give 0.
SKALD_FN i32 conv_f16_i16(F16 x) { return norm_i16((i32)conv_f64_i64(x)); }

// conv_f16_i32(x) truncates and keeps the low 32 bits; NaN and infinities give 0.
SKALD_FN i32 conv_f16_i32(F16 x) { return (i32)conv_f64_i64(x); }

// conv_f16_i64(x) truncates and keeps the low 64 bits; NaN and infinities give 0.
SKALD_FN i64 conv_f16_i64(F16 x) { return (i64)conv_f64_i64(x); }

// conv_f16_u8(x) truncates and keeps the low 8 bits; NaN and infinities give 0.
SKALD_FN u32 conv_f16_u8(F16 x) { return norm_u8((u32)conv_f64_i64(x)); }

// conv_f16_u16(x) truncates and keeps the low 16 bits; NaN and infinities give 0.
SKALD_FN u32 conv_f16_u16(F16 x) { return norm_u16((u32)conv_f64_i64(x)); }

// conv_f16_u32(x) truncates and keeps the low 32 bits; NaN and infinities give 0.
SKALD_FN u32 conv_f16_u32(F16 x) { return (u32)conv_f64_i64(x); }

// conv_f16_u64(x) truncates and keeps the low 64 bits; NaN and infinities give 0.
SKALD_FN u64 conv_f16_u64(F16 x) { return (u64)conv_f64_i64(x); }

// conv_f16_bool(x) is x != 0, true of NaN.
SKALD_FN bool conv_f16_bool(F16 x) { return x != 0; }

// conv_bool_f16(x) is 0 or 1.
SKALD_FN F16 conv_bool_f16(bool x) { return x ? 1 : 0; }

// conv_FLOAT_i8(x) truncates and keeps the low 8 bits; NaN and infinities give 0.
SKALD_FN i32 conv_FLOAT_i8(FLOAT x) { return norm_i8((i32)conv_f64_i64(x)); }

// conv_FLOAT_i16(x) truncates and keeps the low 16 bits; NaN and infinities give 0.
SKALD_FN i32 conv_FLOAT_i16(FLOAT x) { return norm_i16((i32)conv_f64_i64(x)); }

// conv_FLOAT_i32(x) truncates and keeps the low 32 bits; NaN and infinities give 0.
SKALD_FN i32 conv_FLOAT_i32(FLOAT x) { return (i32)conv_f64_i64(x); }

// conv_f32_i64(x) truncates and keeps the low 64 bits; NaN and infinities give 0.
SKALD_FN i64 conv_f32_i64(f32 x) { return (i64)conv_f64_i64(x); }

// conv_FLOAT_u8(x) truncates and keeps the low 8 bits; NaN and infinities give 0.
SKALD_FN u32 conv_FLOAT_u8(FLOAT x) { return norm_u8((u32)conv_f64_i64(x)); }

// conv_FLOAT_u16(x) truncates and keeps the low 16 bits; NaN and infinities give 0.
SKALD_FN u32 conv_FLOAT_u16(FLOAT x) { return norm_u16((u32)conv_f64_i64(x)); }

// conv_FLOAT_u32(x) truncates and keeps the low 32 bits; NaN and infinities give 0.
SKALD_FN u32 conv_FLOAT_u32(FLOAT x) { return (u32)conv_f64_i64(x); }

// conv_FLOAT_u64(x) truncates and keeps the low 64 bits; NaN and infinities give 0.
SKALD_FN u64 conv_FLOAT_u64(FLOAT x) { return (u64)conv_f64_i64(x); }

// conv_FLOAT_bool(x) is x != 0, true of NaN.
SKALD_FN bool conv_FLOAT_bool(FLOAT x) { return x != 0; }

// conv_bool_FLOAT(x) is 0 or 1.
SKALD_FN FLOAT conv_bool_FLOAT(bool x) { return x ? 1 : 0; }

// conv_f32_f64(x) is exact.
SKALD_FN f64 conv_f32_f64(f32 x) { return x; }

// conv_f64_f32(x) rounds to nearest, ties to even.
SKALD_FN f32 conv_f64_f32(f64 x) { return (f32)x; }

// const_f64(low, high) makes an f64 from the words of its bits.
SKALD_FN f64 const_f64(u32 low, u32 high) { return from_bits_f64((u64)high << 32 | low); }
