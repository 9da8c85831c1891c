// conv_i8_f32(x) is exact.
fn conv_i8_f32(x: i32) -> f32 { return f32(x); }

// conv_i8_f64(x) is exact.
fn conv_i8_f64(x: i32) -> F64 { return conv_i32_f64(x); }

// conv_i16_f32(x) is exact.
fn conv_i16_f32(x: i32) -> f32 { return f32(x); }

// conv_i16_f64(x) is exact.
fn conv_i16_f64(x: i32) -> F64 { return conv_i32_f64(x); }

// conv_u8_f32(x) is exact.
fn conv_u8_f32(x: u32) -> f32 { return f32(x); }

// conv_u8_f64(x) is exact.
fn conv_u8_f64(x: u32) -> F64 { return conv_u32_f64(x); }

// conv_u16_f32(x) is exact.
fn conv_u16_f32(x: u32) -> f32 { return f32(x); }

// conv_u16_f64(x) is exact.
fn conv_u16_f64(x: u32) -> F64 { return conv_u32_f64(x); }

// conv_i32_f32(x) rounds to nearest, ties to even: the sum of two exact terms.
fn conv_i32_f32(x: i32) -> f32 { return f32(x >> 16u) * 65536.0 + f32(x & 0xffff); }

// conv_u32_f32(x) rounds to nearest, ties to even: the sum of two exact terms.
fn conv_u32_f32(x: u32) -> f32 { return f32(x >> 16u) * 65536.0 + f32(x & 0xffffu); }

// conv_i64_f32(x) rounds to nearest, ties to even.
fn conv_i64_f32(x: I64) -> f32 { return pack_f32(real_i64(x)); }

// conv_u64_f32(x) rounds to nearest, ties to even.
fn conv_u64_f32(x: U64) -> f32 { return pack_f32(real_words(0u, w_of_u64(x))); }

// conv_i8_f16(x) rounds to nearest, ties to even.
fn conv_i8_f16(x: i32) -> F16 { return conv_f32_f16(conv_i8_f32(x)); }

// conv_i16_f16(x) rounds to nearest, ties to even.
fn conv_i16_f16(x: i32) -> F16 { return conv_f32_f16(conv_i16_f32(x)); }

// conv_i32_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
fn conv_i32_f16(x: i32) -> F16 { return conv_f32_f16(conv_i32_f32(x)); }

// conv_i64_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
fn conv_i64_f16(x: I64) -> F16 { return conv_f32_f16(conv_i64_f32(x)); }

// conv_u8_f16(x) rounds to nearest, ties to even.
fn conv_u8_f16(x: u32) -> F16 { return conv_f32_f16(conv_u8_f32(x)); }

// conv_u16_f16(x) rounds to nearest, ties to even.
fn conv_u16_f16(x: u32) -> F16 { return conv_f32_f16(conv_u16_f32(x)); }

// conv_u32_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
fn conv_u32_f16(x: u32) -> F16 { return conv_f32_f16(conv_u32_f32(x)); }

// conv_u64_f16(x) rounds to nearest, ties to even; what f32 would round is infinite as f16.
fn conv_u64_f16(x: U64) -> F16 { return conv_f32_f16(conv_u64_f32(x)); }

// conv_f32_i32(x) truncates and keeps the low 32 bits; NaN and infinities give 0.
fn conv_f32_i32(x: f32) -> i32 {
  let bits = bitcast<u32>(x);
  let a = bits & 0x7fffffffu;
  if (a < 0x4f000000u) { return i32(x); }
  let shift = (a >> 23u) - 150u;
  let magnitude = select(((a & 0x7fffffu) | 0x800000u) << (shift & 31u), 0u, shift > 31u);
  return bitcast<i32>(select(magnitude, 0u - magnitude, (bits >> 31u) != 0u));
}

// conv_f32_u32(x) truncates and keeps the low 32 bits, also of negative numbers; NaN and infinities give 0.
fn conv_f32_u32(x: f32) -> u32 { return bitcast<u32>(conv_f32_i32(x)); }

// conv_f32_i64(x) truncates and keeps the low 64 bits; NaN and infinities give 0.
fn conv_f32_i64(x: f32) -> I64 {
  if (!finite_f32(x)) { return const_i64(0u, 0u); }
  let a = real_f32(x);
  let words = real_trunc_words(a);
  return i64_of_w(select(words, w_neg(words), a.sign != 0u));
}

// conv_f32_i8(x) truncates and keeps the low 8 bits; NaN and infinities give 0.
fn conv_f32_i8(x: f32) -> i32 { return norm_i8(conv_f32_i32(x)); }

// conv_f32_i16(x) truncates and keeps the low 16 bits; NaN and infinities give 0.
fn conv_f32_i16(x: f32) -> i32 { return norm_i16(conv_f32_i32(x)); }

// conv_f32_u8(x) truncates and keeps the low 8 bits; NaN and infinities give 0.
fn conv_f32_u8(x: f32) -> u32 { return norm_u8(conv_f32_u32(x)); }

// conv_f32_u16(x) truncates and keeps the low 16 bits; NaN and infinities give 0.
fn conv_f32_u16(x: f32) -> u32 { return norm_u16(conv_f32_u32(x)); }

// conv_f32_u64(x) truncates and keeps the low 64 bits; NaN and infinities give 0.
fn conv_f32_u64(x: f32) -> U64 { return conv_i64_u64(conv_f32_i64(x)); }

// conv_f64_i8(x) truncates and keeps the low 8 bits; NaN and infinities give 0.
fn conv_f64_i8(x: F64) -> i32 { return conv_i64_i8(conv_f64_i64(x)); }

// conv_f64_i16(x) truncates and keeps the low 16 bits; NaN and infinities give 0.
fn conv_f64_i16(x: F64) -> i32 { return conv_i64_i16(conv_f64_i64(x)); }

// conv_f64_i32(x) truncates and keeps the low 32 bits; NaN and infinities give 0.
fn conv_f64_i32(x: F64) -> i32 { return conv_i64_i32(conv_f64_i64(x)); }

// conv_f64_u8(x) truncates and keeps the low 8 bits; NaN and infinities give 0.
fn conv_f64_u8(x: F64) -> u32 { return conv_i64_u8(conv_f64_i64(x)); }

// conv_f64_u16(x) truncates and keeps the low 16 bits; NaN and infinities give 0.
fn conv_f64_u16(x: F64) -> u32 { return conv_i64_u16(conv_f64_i64(x)); }

// conv_f64_u32(x) truncates and keeps the low 32 bits; NaN and infinities give 0.
fn conv_f64_u32(x: F64) -> u32 { return conv_i64_u32(conv_f64_i64(x)); }

// conv_f64_u64(x) truncates and keeps the low 64 bits; NaN and infinities give 0.
fn conv_f64_u64(x: F64) -> U64 { return conv_i64_u64(conv_f64_i64(x)); }

// conv_f16_i8(x) truncates and keeps the low 8 bits; NaN and infinities give 0.
fn conv_f16_i8(x: F16) -> i32 { return conv_f32_i8(conv_f16_f32(x)); }

// conv_f16_i16(x) truncates and keeps the low 16 bits; NaN and infinities give 0.
fn conv_f16_i16(x: F16) -> i32 { return conv_f32_i16(conv_f16_f32(x)); }

// conv_f16_i32(x) truncates and keeps the low 32 bits; NaN and infinities give 0.
fn conv_f16_i32(x: F16) -> i32 { return conv_f32_i32(conv_f16_f32(x)); }

// conv_f16_i64(x) truncates and keeps the low 64 bits; NaN and infinities give 0.
fn conv_f16_i64(x: F16) -> I64 { return conv_f32_i64(conv_f16_f32(x)); }

// conv_f16_u8(x) truncates and keeps the low 8 bits; NaN and infinities give 0.
fn conv_f16_u8(x: F16) -> u32 { return conv_f32_u8(conv_f16_f32(x)); }

// conv_f16_u16(x) truncates and keeps the low 16 bits; NaN and infinities give 0.
fn conv_f16_u16(x: F16) -> u32 { return conv_f32_u16(conv_f16_f32(x)); }

// conv_f16_u32(x) truncates and keeps the low 32 bits; NaN and infinities give 0.
fn conv_f16_u32(x: F16) -> u32 { return conv_f32_u32(conv_f16_f32(x)); }

// conv_f16_u64(x) truncates and keeps the low 64 bits; NaN and infinities give 0.
fn conv_f16_u64(x: F16) -> U64 { return conv_f32_u64(conv_f16_f32(x)); }

// conv_f16_f64(x) is exact.
fn conv_f16_f64(x: F16) -> F64 { return conv_f32_f64(conv_f16_f32(x)); }

// conv_f32_bool(x) is x != 0, true of NaN.
fn conv_f32_bool(x: f32) -> bool { return !zero_f32(x); }

// conv_bool_f32(x) is 0 or 1.
fn conv_bool_f32(x: bool) -> f32 { return select(0.0, 1.0, x); }

// conv_f64_bool(x) is x != 0, true of NaN.
fn conv_f64_bool(x: F64) -> bool { return !zero_f64(x); }

// conv_bool_f64(x) is 0 or 1.
fn conv_bool_f64(x: bool) -> F64 { return const_f64(0u, select(0u, 0x3ff00000u, x)); }

// conv_f16_bool(x) is x != 0, true of NaN.
fn conv_f16_bool(x: F16) -> bool { return !zero_f32(conv_f16_f32(x)); }

// conv_bool_f16(x) is 0 or 1.
fn conv_bool_f16(x: bool) -> F16 { return conv_f32_f16(select(0.0, 1.0, x)); }
