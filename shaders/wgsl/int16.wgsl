// norm_i16(a) wraps a around to 16 bits, sign-extended.
fn norm_i16(a: i32) -> i32 { return (a << 16u) >> 16u; }

// norm_u16(a) wraps a around to 16 bits.
fn norm_u16(a: u32) -> u32 { return a & 0xffffu; }

// div_i16(a, b) is a / b, rounded towards negative infinity; 0 if b is 0.
fn div_i16(a: i32, b: i32) -> i32 { return norm_i16(div_i32(a, b)); }

// div_u16(a, b) is a / b; 0 if b is 0.
fn div_u16(a: u32, b: u32) -> u32 { return norm_u16(div_u32(a, b)); }

// mod_i16(a, b) is a % b, with the sign of b; 0 if b is 0.
fn mod_i16(a: i32, b: i32) -> i32 { return norm_i16(mod_i32(a, b)); }

// mod_u16(a, b) is a % b; 0 if b is 0.
fn mod_u16(a: u32, b: u32) -> u32 { return norm_u16(mod_u32(a, b)); }

// quot_i16(a, b) is a // b, truncated; 0 if b is 0.
fn quot_i16(a: i32, b: i32) -> i32 { return norm_i16(quot_i32(a, b)); }

// quot_u16(a, b) is a // b; 0 if b is 0.
fn quot_u16(a: u32, b: u32) -> u32 { return norm_u16(quot_u32(a, b)); }

// rem_i16(a, b) is a %% b, with the sign of a; 0 if b is 0.
fn rem_i16(a: i32, b: i32) -> i32 { return norm_i16(rem_i32(a, b)); }

// rem_u16(a, b) is a %% b; 0 if b is 0.
fn rem_u16(a: u32, b: u32) -> u32 { return norm_u16(rem_u32(a, b)); }

// pow_i16(a, b) is a ** b, wrapped around; 0 if b is negative.
fn pow_i16(a: i32, b: i32) -> i32 { return norm_i16(pow_i32(a, b)); }

// pow_u16(a, b) is a ** b, wrapped around.
fn pow_u16(a: u32, b: u32) -> u32 { return norm_u16(pow_u32(a, b)); }

// shl_i16(a, n) is a << n; 0 if n is not in [0, 16).
fn shl_i16(a: i32, n: i32) -> i32 { return norm_i16(shl_i32(a, n)); }

// shr_i16(a, n) is the arithmetic a >> n; the sign if n is not in [0, 16).
fn shr_i16(a: i32, n: i32) -> i32 { return shr_i32(a, n); }

// ushr_i16(a, n) is the logical a >>> n; 0 if n is not in [0, 16).
fn ushr_i16(a: i32, n: i32) -> i32 { return norm_i16(i32(shr_u32(u32(a) & 0xffffu, u32(n)))); }

// shl_u16(a, n) is a << n; 0 if n is 16 or more.
fn shl_u16(a: u32, n: u32) -> u32 { return norm_u16(shl_u32(a, n)); }

// shr_u16(a, n) is a >> n; 0 if n is 16 or more.
fn shr_u16(a: u32, n: u32) -> u32 { return shr_u32(a, n); }

// ushr_u16(a, n) is a >>> n; 0 if n is 16 or more.
fn ushr_u16(a: u32, n: u32) -> u32 { return shr_u32(a, n); }

// min_i16(a, b) is the lesser.
fn min_i16(a: i32, b: i32) -> i32 { return min(a, b); }

// max_i16(a, b) is the greater.
fn max_i16(a: i32, b: i32) -> i32 { return max(a, b); }

// mul_hi_i16(a, b) is the upper half of the product.
fn mul_hi_i16(a: i32, b: i32) -> i32 { return (a * b) >> 16u; }

// mad_hi_i16(a, b, c) is mul_hi_i16(a, b) + c, wrapped around.
fn mad_hi_i16(a: i32, b: i32, c: i32) -> i32 { return norm_i16(((a * b) >> 16u) + c); }

// clz_i16(a) counts the leading zeros; 16 for zero.
fn clz_i16(a: i32) -> i32 { return i32(countLeadingZeros(u32(a) & 0xffffu)) - 16; }

// ctz_i16(a) counts the trailing zeros; 16 for zero.
fn ctz_i16(a: i32) -> i32 { return i32(countTrailingZeros(u32(a) | 0x10000u)); }

// popc_i16(a) counts the set bits.
fn popc_i16(a: i32) -> i32 { return i32(countOneBits(u32(a) & 0xffffu)); }

// min_u16(a, b) is the lesser.
fn min_u16(a: u32, b: u32) -> u32 { return min(a, b); }

// max_u16(a, b) is the greater.
fn max_u16(a: u32, b: u32) -> u32 { return max(a, b); }

// mul_hi_u16(a, b) is the upper half of the product.
fn mul_hi_u16(a: u32, b: u32) -> u32 { return (a * b) >> 16u; }

// mad_hi_u16(a, b, c) is mul_hi_u16(a, b) + c, wrapped around.
fn mad_hi_u16(a: u32, b: u32, c: u32) -> u32 { return norm_u16(((a * b) >> 16u) + c); }

// clz_u16(a) counts the leading zeros; 16 for zero.
fn clz_u16(a: u32) -> i32 { return i32(countLeadingZeros(u32(a) & 0xffffu)) - 16; }

// ctz_u16(a) counts the trailing zeros; 16 for zero.
fn ctz_u16(a: u32) -> i32 { return i32(countTrailingZeros(u32(a) | 0x10000u)); }

// popc_u16(a) counts the set bits.
fn popc_u16(a: u32) -> i32 { return i32(countOneBits(u32(a) & 0xffffu)); }

// abs_i16(a) is the absolute value; the lowest number maps to itself.
fn abs_i16(a: i32) -> i32 { return norm_i16(abs(a)); }

// abs_u16(a) is a.
fn abs_u16(a: u32) -> u32 { return a; }

// sgn_i16(a) is -1, 0 or 1.
fn sgn_i16(a: i32) -> i32 { return sgn_i32(a); }

// sgn_u16(a) is 0 or 1.
fn sgn_u16(a: u32) -> u32 { return sgn_u32(a); }
