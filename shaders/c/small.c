// norm_i8(a) wraps a around to 8 bits, sign-extended.
SKALD_FN i32 norm_i8(i32 a) { return (i32)((u32)a << 24) >> 24; }

// norm_u8(a) wraps a around to 8 bits.
SKALD_FN u32 norm_u8(u32 a) { return a & 0xffu; }

// div_i8(a, b) is a / b; 0 if b is 0.
SKALD_FN i32 div_i8(i32 a, i32 b) { return norm_i8(div_i32(a, b)); }

// div_u8(a, b) is a / b; 0 if b is 0.
SKALD_FN u32 div_u8(u32 a, u32 b) { return norm_u8(div_u32(a, b)); }

// mod_i8(a, b) is a % b; 0 if b is 0.
SKALD_FN i32 mod_i8(i32 a, i32 b) { return norm_i8(mod_i32(a, b)); }

// mod_u8(a, b) is a % b; 0 if b is 0.
SKALD_FN u32 mod_u8(u32 a, u32 b) { return norm_u8(mod_u32(a, b)); }

// quot_i8(a, b) is a // b; 0 if b is 0.
SKALD_FN i32 quot_i8(i32 a, i32 b) { return norm_i8(quot_i32(a, b)); }

// quot_u8(a, b) is a // b; 0 if b is 0.
SKALD_FN u32 quot_u8(u32 a, u32 b) { return norm_u8(quot_u32(a, b)); }

// rem_i8(a, b) is a %% b; 0 if b is 0.
SKALD_FN i32 rem_i8(i32 a, i32 b) { return norm_i8(rem_i32(a, b)); }

// rem_u8(a, b) is a %% b; 0 if b is 0.
SKALD_FN u32 rem_u8(u32 a, u32 b) { return norm_u8(rem_u32(a, b)); }

// pow_i8(a, b) is a ** b, wrapped around; 0 if b is negative.
SKALD_FN i32 pow_i8(i32 a, i32 b) { return norm_i8(pow_i32(a, b)); }

// pow_u8(a, b) is a ** b, wrapped around; 0 if b is negative.
SKALD_FN u32 pow_u8(u32 a, u32 b) { return norm_u8(pow_u32(a, b)); }

// shl_i8(a, n) is a << n; 0 if n is out of range.
SKALD_FN i32 shl_i8(i32 a, i32 n) { return norm_i8(shl_i32(a, n)); }

// shl_u8(a, n) is a << n; 0 if n is out of range.
SKALD_FN u32 shl_u8(u32 a, u32 n) { return norm_u8(shl_u32(a, n)); }

// shr_i8(a, n) is the arithmetic a >> n; the sign if n is out of range.
SKALD_FN i32 shr_i8(i32 a, i32 n) { return shr_i32(a, n); }

// ushr_i8(a, n) is the logical a >>> n; 0 if n is out of range.
SKALD_FN i32 ushr_i8(i32 a, i32 n) { return norm_i8((i32)shr_u32((u32)a & 0xffu, (u32)n)); }

// shr_u8(a, n) is a >> n; 0 if n is out of range.
SKALD_FN u32 shr_u8(u32 a, u32 n) { return shr_u32(a, n); }

// ushr_u8(a, n) is a >>> n; 0 if n is out of range.
SKALD_FN u32 ushr_u8(u32 a, u32 n) { return shr_u32(a, n); }

// min_i8(a, b) is the lesser.
SKALD_FN i32 min_i8(i32 a, i32 b) { return b < a ? b : a; }

// max_i8(a, b) is the greater.
SKALD_FN i32 max_i8(i32 a, i32 b) { return a < b ? b : a; }

// mul_hi_i8(a, b) is the upper half of the product.
SKALD_FN i32 mul_hi_i8(i32 a, i32 b) { return (a * b) >> 8; }

// mad_hi_i8(a, b, c) is mul_hi_i8(a, b) + c, wrapped around.
SKALD_FN i32 mad_hi_i8(i32 a, i32 b, i32 c) { return norm_i8(((a * b) >> 8) + c); }

// clz_i8(a) counts the leading zeros; 8 for zero.
SKALD_FN i32 clz_i8(i32 a) { return clz_u32((u32)a & 0xffu) - 24; }

// ctz_i8(a) counts the trailing zeros; 8 for zero.
SKALD_FN i32 ctz_i8(i32 a) { return ctz_u32((u32)a | 0x100u); }

// popc_i8(a) counts the set bits.
SKALD_FN i32 popc_i8(i32 a) { return popc_u32((u32)a & 0xffu); }

// min_u8(a, b) is the lesser.
SKALD_FN u32 min_u8(u32 a, u32 b) { return b < a ? b : a; }

// max_u8(a, b) is the greater.
SKALD_FN u32 max_u8(u32 a, u32 b) { return a < b ? b : a; }

// mul_hi_u8(a, b) is the upper half of the product.
SKALD_FN u32 mul_hi_u8(u32 a, u32 b) { return (a * b) >> 8; }

// mad_hi_u8(a, b, c) is mul_hi_u8(a, b) + c, wrapped around.
SKALD_FN u32 mad_hi_u8(u32 a, u32 b, u32 c) { return norm_u8(((a * b) >> 8) + c); }

// clz_u8(a) counts the leading zeros; 8 for zero.
SKALD_FN i32 clz_u8(u32 a) { return clz_u32((u32)a & 0xffu) - 24; }

// ctz_u8(a) counts the trailing zeros; 8 for zero.
SKALD_FN i32 ctz_u8(u32 a) { return ctz_u32((u32)a | 0x100u); }

// popc_u8(a) counts the set bits.
SKALD_FN i32 popc_u8(u32 a) { return popc_u32((u32)a & 0xffu); }

// abs_i8(a) is the absolute value; the lowest number maps to itself.
SKALD_FN i32 abs_i8(i32 a) { return norm_i8(abs_i32(a)); }

// abs_u8(a) is a.
SKALD_FN u32 abs_u8(u32 a) { return a; }

// sgn_i8(a) is -1, 0 or 1.
SKALD_FN i32 sgn_i8(i32 a) { return sgn_i32(a); }

// sgn_u8(a) is 0 or 1.
SKALD_FN u32 sgn_u8(u32 a) { return a != 0; }

// norm_i16(a) wraps a around to 16 bits, sign-extended.
SKALD_FN i32 norm_i16(i32 a) { return (i32)((u32)a << 16) >> 16; }

// norm_u16(a) wraps a around to 16 bits.
SKALD_FN u32 norm_u16(u32 a) { return a & 0xffffu; }

// div_i16(a, b) is a / b; 0 if b is 0.
SKALD_FN i32 div_i16(i32 a, i32 b) { return norm_i16(div_i32(a, b)); }

// div_u16(a, b) is a / b; 0 if b is 0.
SKALD_FN u32 div_u16(u32 a, u32 b) { return norm_u16(div_u32(a, b)); }

// mod_i16(a, b) is a % b; 0 if b is 0.
SKALD_FN i32 mod_i16(i32 a, i32 b) { return norm_i16(mod_i32(a, b)); }

// mod_u16(a, b) is a % b; 0 if b is 0.
SKALD_FN u32 mod_u16(u32 a, u32 b) { return norm_u16(mod_u32(a, b)); }

// quot_i16(a, b) is a // b; 0 if b is 0.
SKALD_FN i32 quot_i16(i32 a, i32 b) { return norm_i16(quot_i32(a, b)); }

// quot_u16(a, b) is a // b; 0 if b is 0.
SKALD_FN u32 quot_u16(u32 a, u32 b) { return norm_u16(quot_u32(a, b)); }

// rem_i16(a, b) is a %% b; 0 if b is 0.
SKALD_FN i32 rem_i16(i32 a, i32 b) { return norm_i16(rem_i32(a, b)); }

// rem_u16(a, b) is a %% b; 0 if b is 0.
SKALD_FN u32 rem_u16(u32 a, u32 b) { return norm_u16(rem_u32(a, b)); }

// pow_i16(a, b) is a ** b, wrapped around; 0 if b is negative.
SKALD_FN i32 pow_i16(i32 a, i32 b) { return norm_i16(pow_i32(a, b)); }

// pow_u16(a, b) is a ** b, wrapped around; 0 if b is negative.
SKALD_FN u32 pow_u16(u32 a, u32 b) { return norm_u16(pow_u32(a, b)); }

// shl_i16(a, n) is a << n; 0 if n is out of range.
SKALD_FN i32 shl_i16(i32 a, i32 n) { return norm_i16(shl_i32(a, n)); }

// shl_u16(a, n) is a << n; 0 if n is out of range.
SKALD_FN u32 shl_u16(u32 a, u32 n) { return norm_u16(shl_u32(a, n)); }

// shr_i16(a, n) is the arithmetic a >> n; the sign if n is out of range.
SKALD_FN i32 shr_i16(i32 a, i32 n) { return shr_i32(a, n); }

// ushr_i16(a, n) is the logical a >>> n; 0 if n is out of range.
SKALD_FN i32 ushr_i16(i32 a, i32 n) { return norm_i16((i32)shr_u32((u32)a & 0xffffu, (u32)n)); }

// shr_u16(a, n) is a >> n; 0 if n is out of range.
SKALD_FN u32 shr_u16(u32 a, u32 n) { return shr_u32(a, n); }

// ushr_u16(a, n) is a >>> n; 0 if n is out of range.
SKALD_FN u32 ushr_u16(u32 a, u32 n) { return shr_u32(a, n); }

// min_i16(a, b) is the lesser.
SKALD_FN i32 min_i16(i32 a, i32 b) { return b < a ? b : a; }

// max_i16(a, b) is the greater.
SKALD_FN i32 max_i16(i32 a, i32 b) { return a < b ? b : a; }

// mul_hi_i16(a, b) is the upper half of the product.
SKALD_FN i32 mul_hi_i16(i32 a, i32 b) { return (a * b) >> 16; }

// mad_hi_i16(a, b, c) is mul_hi_i16(a, b) + c, wrapped around.
SKALD_FN i32 mad_hi_i16(i32 a, i32 b, i32 c) { return norm_i16(((a * b) >> 16) + c); }

// clz_i16(a) counts the leading zeros; 16 for zero.
SKALD_FN i32 clz_i16(i32 a) { return clz_u32((u32)a & 0xffffu) - 16; }

// ctz_i16(a) counts the trailing zeros; 16 for zero.
SKALD_FN i32 ctz_i16(i32 a) { return ctz_u32((u32)a | 0x10000u); }

// popc_i16(a) counts the set bits.
SKALD_FN i32 popc_i16(i32 a) { return popc_u32((u32)a & 0xffffu); }

// min_u16(a, b) is the lesser.
SKALD_FN u32 min_u16(u32 a, u32 b) { return b < a ? b : a; }

// max_u16(a, b) is the greater.
SKALD_FN u32 max_u16(u32 a, u32 b) { return a < b ? b : a; }

// mul_hi_u16(a, b) is the upper half of the product.
SKALD_FN u32 mul_hi_u16(u32 a, u32 b) { return (a * b) >> 16; }

// mad_hi_u16(a, b, c) is mul_hi_u16(a, b) + c, wrapped around.
SKALD_FN u32 mad_hi_u16(u32 a, u32 b, u32 c) { return norm_u16(((a * b) >> 16) + c); }

// clz_u16(a) counts the leading zeros; 16 for zero.
SKALD_FN i32 clz_u16(u32 a) { return clz_u32((u32)a & 0xffffu) - 16; }

// ctz_u16(a) counts the trailing zeros; 16 for zero.
SKALD_FN i32 ctz_u16(u32 a) { return ctz_u32((u32)a | 0x10000u); }

// popc_u16(a) counts the set bits.
SKALD_FN i32 popc_u16(u32 a) { return popc_u32((u32)a & 0xffffu); }

// abs_i16(a) is the absolute value; the lowest number maps to itself.
SKALD_FN i32 abs_i16(i32 a) { return norm_i16(abs_i32(a)); }

// abs_u16(a) is a.
SKALD_FN u32 abs_u16(u32 a) { return a; }

// sgn_i16(a) is -1, 0 or 1.
SKALD_FN i32 sgn_i16(i32 a) { return sgn_i32(a); }

// sgn_u16(a) is 0 or 1.
SKALD_FN u32 sgn_u16(u32 a) { return a != 0; }
