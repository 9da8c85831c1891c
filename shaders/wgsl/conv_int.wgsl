// conv_i8_i16(x) is exact.
fn conv_i8_i16(x: i32) -> i32 { return x; }

// conv_i8_i32(x) is exact.
fn conv_i8_i32(x: i32) -> i32 { return x; }

// conv_i8_i64(x) extends the sign.
fn conv_i8_i64(x: i32) -> I64 { return i64_of_w(vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u))); }

// conv_i8_u8(x) keeps the low 8 bits.
fn conv_i8_u8(x: i32) -> u32 { return norm_u8(bitcast<u32>(x)); }

// conv_i8_u16(x) keeps the low 16 bits.
fn conv_i8_u16(x: i32) -> u32 { return norm_u16(bitcast<u32>(x)); }

// conv_i8_u32(x) keeps the low 32 bits.
fn conv_i8_u32(x: i32) -> u32 { return bitcast<u32>(x); }

// conv_i8_u64(x) extends the sign.
fn conv_i8_u64(x: i32) -> U64 { return u64_of_w(vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u))); }

// conv_i16_i8(x) keeps the low 8 bits.
fn conv_i16_i8(x: i32) -> i32 { return norm_i8(x); }

// conv_i16_i32(x) is exact.
fn conv_i16_i32(x: i32) -> i32 { return x; }

// conv_i16_i64(x) extends the sign.
fn conv_i16_i64(x: i32) -> I64 { return i64_of_w(vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u))); }

// conv_i16_u8(x) keeps the low 8 bits.
fn conv_i16_u8(x: i32) -> u32 { return norm_u8(bitcast<u32>(x)); }

// conv_i16_u16(x) keeps the low 16 bits.
fn conv_i16_u16(x: i32) -> u32 { return norm_u16(bitcast<u32>(x)); }

// conv_i16_u32(x) keeps the low 32 bits.
fn conv_i16_u32(x: i32) -> u32 { return bitcast<u32>(x); }

// conv_i16_u64(x) extends the sign.
fn conv_i16_u64(x: i32) -> U64 { return u64_of_w(vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u))); }

// conv_i32_i8(x) keeps the low 8 bits.
fn conv_i32_i8(x: i32) -> i32 { return norm_i8(x); }

// conv_i32_i16(x) keeps the low 16 bits.
fn conv_i32_i16(x: i32) -> i32 { return norm_i16(x); }

// conv_i32_i64(x) extends the sign.
fn conv_i32_i64(x: i32) -> I64 { return i64_of_w(vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u))); }

// conv_i32_u8(x) keeps the low 8 bits.
fn conv_i32_u8(x: i32) -> u32 { return norm_u8(bitcast<u32>(x)); }

// conv_i32_u16(x) keeps the low 16 bits.
fn conv_i32_u16(x: i32) -> u32 { return norm_u16(bitcast<u32>(x)); }

// conv_i32_u32(x) keeps the low 32 bits.
fn conv_i32_u32(x: i32) -> u32 { return bitcast<u32>(x); }

// conv_i32_u64(x) extends the sign.
fn conv_i32_u64(x: i32) -> U64 { return u64_of_w(vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u))); }

// conv_i64_i8(x) keeps the low 8 bits.
fn conv_i64_i8(x: I64) -> i32 { return norm_i8(bitcast<i32>(w_of_i64(x).x)); }

// conv_i64_i16(x) keeps the low 16 bits.
fn conv_i64_i16(x: I64) -> i32 { return norm_i16(bitcast<i32>(w_of_i64(x).x)); }

// conv_i64_i32(x) keeps the low 32 bits.
fn conv_i64_i32(x: I64) -> i32 { return bitcast<i32>(w_of_i64(x).x); }

// conv_i64_u8(x) keeps the low 8 bits.
fn conv_i64_u8(x: I64) -> u32 { return norm_u8(w_of_i64(x).x); }

// conv_i64_u16(x) keeps the low 16 bits.
fn conv_i64_u16(x: I64) -> u32 { return norm_u16(w_of_i64(x).x); }

// conv_i64_u32(x) keeps the low 32 bits.
fn conv_i64_u32(x: I64) -> u32 { return w_of_i64(x).x; }

// conv_i64_u64(x) keeps the 64 bits.
fn conv_i64_u64(x: I64) -> U64 { return u64_of_w(w_of_i64(x)); }

// conv_u8_i8(x) keeps the low 8 bits.
fn conv_u8_i8(x: u32) -> i32 { return norm_i8(bitcast<i32>(x)); }

// conv_u8_i16(x) is exact.
fn conv_u8_i16(x: u32) -> i32 { return bitcast<i32>(x); }

// conv_u8_i32(x) is exact.
fn conv_u8_i32(x: u32) -> i32 { return bitcast<i32>(x); }

// conv_u8_i64(x) is exact.
fn conv_u8_i64(x: u32) -> I64 { return i64_of_w(vec2<u32>(x, 0u)); }

// conv_u8_u16(x) is exact.
fn conv_u8_u16(x: u32) -> u32 { return x; }

// conv_u8_u32(x) is exact.
fn conv_u8_u32(x: u32) -> u32 { return x; }

// conv_u8_u64(x) is exact.
fn conv_u8_u64(x: u32) -> U64 { return u64_of_w(vec2<u32>(x, 0u)); }

// conv_u16_i8(x) keeps the low 8 bits.
fn conv_u16_i8(x: u32) -> i32 { return norm_i8(bitcast<i32>(x)); }

// conv_u16_i16(x) keeps the low 16 bits.
fn conv_u16_i16(x: u32) -> i32 { return norm_i16(bitcast<i32>(x)); }

// conv_u16_i32(x) is exact.
fn conv_u16_i32(x: u32) -> i32 { return bitcast<i32>(x); }

// conv_u16_i64(x) is exact.
fn conv_u16_i64(x: u32) -> I64 { return i64_of_w(vec2<u32>(x, 0u)); }

// conv_u16_u8(x) keeps the low 8 bits.
fn conv_u16_u8(x: u32) -> u32 { return norm_u8(x); }

// conv_u16_u32(x) is exact.
fn conv_u16_u32(x: u32) -> u32 { return x; }

// conv_u16_u64(x) is exact.
fn conv_u16_u64(x: u32) -> U64 { return u64_of_w(vec2<u32>(x, 0u)); }

// conv_u32_i8(x) keeps the low 8 bits.
fn conv_u32_i8(x: u32) -> i32 { return norm_i8(bitcast<i32>(x)); }

// conv_u32_i16(x) keeps the low 16 bits.
fn conv_u32_i16(x: u32) -> i32 { return norm_i16(bitcast<i32>(x)); }

// conv_u32_i32(x) keeps the low 32 bits.
fn conv_u32_i32(x: u32) -> i32 { return bitcast<i32>(x); }

// conv_u32_i64(x) is exact.
fn conv_u32_i64(x: u32) -> I64 { return i64_of_w(vec2<u32>(x, 0u)); }

// conv_u32_u8(x) keeps the low 8 bits.
fn conv_u32_u8(x: u32) -> u32 { return norm_u8(x); }

// conv_u32_u16(x) keeps the low 16 bits.
fn conv_u32_u16(x: u32) -> u32 { return norm_u16(x); }

// conv_u32_u64(x) is exact.
fn conv_u32_u64(x: u32) -> U64 { return u64_of_w(vec2<u32>(x, 0u)); }

// conv_u64_i8(x) keeps the low 8 bits.
fn conv_u64_i8(x: U64) -> i32 { return norm_i8(bitcast<i32>(w_of_u64(x).x)); }

// conv_u64_i16(x) keeps the low 16 bits.
fn conv_u64_i16(x: U64) -> i32 { return norm_i16(bitcast<i32>(w_of_u64(x).x)); }

// conv_u64_i32(x) keeps the low 32 bits.
fn conv_u64_i32(x: U64) -> i32 { return bitcast<i32>(w_of_u64(x).x); }

// conv_u64_i64(x) keeps the 64 bits.
fn conv_u64_i64(x: U64) -> I64 { return i64_of_w(w_of_u64(x)); }

// conv_u64_u8(x) keeps the low 8 bits.
fn conv_u64_u8(x: U64) -> u32 { return norm_u8(w_of_u64(x).x); }

// conv_u64_u16(x) keeps the low 16 bits.
fn conv_u64_u16(x: U64) -> u32 { return norm_u16(w_of_u64(x).x); }

// conv_u64_u32(x) keeps the low 32 bits.
fn conv_u64_u32(x: U64) -> u32 { return w_of_u64(x).x; }

// conv_i8_bool(x) is x != 0.
fn conv_i8_bool(x: i32) -> bool { return x != 0; }

// conv_bool_i8(x) is 0 or 1.
fn conv_bool_i8(x: bool) -> i32 { return select(0, 1, x); }

// conv_i16_bool(x) is x != 0.
fn conv_i16_bool(x: i32) -> bool { return x != 0; }

// conv_bool_i16(x) is 0 or 1.
fn conv_bool_i16(x: bool) -> i32 { return select(0, 1, x); }

// conv_i32_bool(x) is x != 0.
fn conv_i32_bool(x: i32) -> bool { return x != 0; }

// conv_bool_i32(x) is 0 or 1.
fn conv_bool_i32(x: bool) -> i32 { return select(0, 1, x); }

// conv_i64_bool(x) is x != 0.
fn conv_i64_bool(x: I64) -> bool { return !w_zero(w_of_i64(x)); }

// conv_bool_i64(x) is 0 or 1.
fn conv_bool_i64(x: bool) -> I64 { return i64_of_w(vec2<u32>(select(0u, 1u, x), 0u)); }

// conv_u8_bool(x) is x != 0.
fn conv_u8_bool(x: u32) -> bool { return x != 0u; }

// conv_bool_u8(x) is 0 or 1.
fn conv_bool_u8(x: bool) -> u32 { return select(0u, 1u, x); }

// conv_u16_bool(x) is x != 0.
fn conv_u16_bool(x: u32) -> bool { return x != 0u; }

// conv_bool_u16(x) is 0 or 1.
fn conv_bool_u16(x: bool) -> u32 { return select(0u, 1u, x); }

// conv_u32_bool(x) is x != 0.
fn conv_u32_bool(x: u32) -> bool { return x != 0u; }

// conv_bool_u32(x) is 0 or 1.
fn conv_bool_u32(x: bool) -> u32 { return select(0u, 1u, x); }

// conv_u64_bool(x) is x != 0.
fn conv_u64_bool(x: U64) -> bool { return !w_zero(w_of_u64(x)); }

// conv_bool_u64(x) is 0 or 1.
fn conv_bool_u64(x: bool) -> U64 { return u64_of_w(vec2<u32>(select(0u, 1u, x), 0u)); }
