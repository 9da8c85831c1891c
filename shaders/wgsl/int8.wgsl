// norm_i8(a) wraps a around to 8 bits, sign-extended.
fn norm_i8(a: i32) -> i32 { return (a << 24u) >> 24u; }

// norm_u8(a) wraps a around to 8 bits.
fn norm_u8(a: u32) -> u32 { return a & 0xffu; }

// div_i8(a, b) is a / b, rounded towards negative infinity; 0 if b is 0.
fn div_i8(a: i32, b: i32) -> i32 { return norm_i8(div_i32(a, b)); }

// div_u8(a, b) is a / b; 0 if b is 0.
fn div_u8(a: u32, b: u32) -> u32 { return norm_u8(div_u32(a, b)); }

// mod_i8(a, b) is a % b, with the sign of b; 0 if b is 0.
fn mod_i8(a: i32, b: i32) -> i32 { return norm_i8(mod_i32(a, b)); }

// mod_u8(a, b) is a % b; 0 if b is 0.
fn mod_u8(a: u32, b: u32) -> u32 { return norm_u8(mod_u32(a, b)); }

// quot_i8(a, b) is a // b, truncated; 0 if b is 0.
fn quot_i8(a: i32, b: i32) -> i32 { return norm_i8(quot_i32(a, b)); }

// quot_u8(a, b) is a // b; 0 if b is 0.
fn quot_u8(a: u32, b: u32) -> u32 { return norm_u8(quot_u32(a, b)); }

// rem_i8(a, b) is a %% b, with the sign of a; 0 if b is 0.
fn rem_i8(a: i32, b: i32) -> i32 { return norm_i8(rem_i32(a, b)); }

// rem_u8(a, b) is a %% b; 0 if b is 0.
fn rem_u8(a: u32, b: u32) -> u32 { return norm_u8(rem_u32(a, b)); }

// pow_i8(a, b) is a ** b, wrapped around; 0 if b is negative.
fn pow_i8(a: i32, b: i32) -> i32 { return norm_i8(pow_i32(a, b)); }

// pow_u8(a, b) is a ** b, wrapped around.
fn pow_u8(a: u32, b: u32) -> u32 { return norm_u8(pow_u32(a, b)); }

// shl_i8(a, n) is a << n; 0 if n is not in [0, 8).
fn shl_i8(a: i32, n: i32) -> i32 { return norm_i8(shl_i32(a, n)); }

// shr_i8(a, n) is the arithmetic a >> n; the sign if n is not in [0, 8).
fn shr_i8(a: i32, n: i32) -> i32 { return shr_i32(a, n); }

// ushr_i8(a, n) is the logical a >>> n; 0 if n is not in [0, 8).
fn ushr_i8(a: i32, n: i32) -> i32 { return norm_i8(i32(shr_u32(u32(a) & 0xffu, u32(n)))); }

// shl_u8(a, n) is a << n; 0 if n is 8 or more.
fn shl_u8(a: u32, n: u32) -> u32 { return norm_u8(shl_u32(a, n)); }

// shr_u8(a, n) is a >> n; 0 if n is 8 or more.
fn shr_u8(a: u32, n: u32) -> u32 { return shr_u32(a, n); }

// ushr_u8(a, n) is a >>> n; 0 if n is 8 or more.
fn ushr_u8(a: u32, n: u32) -> u32 { return shr_u32(a, n); }

// min_i8(a, b) is the lesser.
fn min_i8(a: i32, b: i32) -> i32 { return min(a, b); }

// max_i8(a, b) is the greater.
fn max_i8(a: i32, b: i32) -> i32 { return max(a, b); }

// mul_hi_i8(a, b) is the upper half of the product.
fn mul_hi_i8(a: i32, b: i32) -> i32 { return (a * b) >> 8u; }

// mad_hi_i8(a, b, c) is mul_hi_i8(a, b) + c, wrapped around.
fn mad_hi_i8(a: i32, b: i32, c: i32) -> i32 { return norm_i8(((a * b) >> 8u) + c); }

// clz_i8(a) counts the leading zeros; 8 for zero.
fn clz_i8(a: i32) -> i32 { return i32(countLeadingZeros(u32(a) & 0xffu)) - 24; }

// ctz_i8(a) counts the trailing zeros; 8 for zero.
fn ctz_i8(a: i32) -> i32 { return i32(countTrailingZeros(u32(a) | 0x100u)); }

// popc_i8(a) counts the set bits.
fn popc_i8(a: i32) -> i32 { return i32(countOneBits(u32(a) & 0xffu)); }

// min_u8(a, b) is the lesser.
fn min_u8(a: u32, b: u32) -> u32 { return min(a, b); }

// max_u8(a, b) is the greater.
fn max_u8(a: u32, b: u32) -> u32 { return max(a, b); }

// mul_hi_u8(a, b) is the upper half of the product.
fn mul_hi_u8(a: u32, b: u32) -> u32 { return (a * b) >> 8u; }

// mad_hi_u8(a, b, c) is mul_hi_u8(a, b) + c, wrapped around.
fn mad_hi_u8(a: u32, b: u32, c: u32) -> u32 { return norm_u8(((a * b) >> 8u) + c); }

// clz_u8(a) counts the leading zeros; 8 for zero.
fn clz_u8(a: u32) -> i32 { return i32(countLeadingZeros(u32(a) & 0xffu)) - 24; }

// ctz_u8(a) counts the trailing zeros; 8 for zero.
fn ctz_u8(a: u32) -> i32 { return i32(countTrailingZeros(u32(a) | 0x100u)); }

// popc_u8(a) counts the set bits.
fn popc_u8(a: u32) -> i32 { return i32(countOneBits(u32(a) & 0xffu)); }

// abs_i8(a) is the absolute value; the lowest number maps to itself.
fn abs_i8(a: i32) -> i32 { return norm_i8(abs(a)); }

// abs_u8(a) is a.
fn abs_u8(a: u32) -> u32 { return a; }

// sgn_i8(a) is -1, 0 or 1.
fn sgn_i8(a: i32) -> i32 { return sgn_i32(a); }

// sgn_u8(a) is 0 or 1.
fn sgn_u8(a: u32) -> u32 { return sgn_u32(a); }
