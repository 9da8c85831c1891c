// quot_i32(a, b) is a // b, which truncates; 0 if b is 0.
SKALD_FN i32 quot_i32(i32 a, i32 b) { return b == 0 ? 0 : b == -1 ? (i32)((u32)0 - (u32)a) : a / b; }

// rem_i32(a, b) is a %% b, which has the sign of a; 0 if b is 0.
SKALD_FN i32 rem_i32(i32 a, i32 b) { return b == 0 || b == -1 ? 0 : a % b; }

// div_i32(a, b) is a / b, which rounds towards negative infinity; 0 if b is 0.
SKALD_FN i32 div_i32(i32 a, i32 b) {
  i32 r = rem_i32(a, b);
  return quot_i32(a, b) - (r != 0 && (r ^ b) < 0);
}

// mod_i32(a, b) is a % b, which has the sign of b; 0 if b is 0.
SKALD_FN i32 mod_i32(i32 a, i32 b) {
  i32 r = rem_i32(a, b);
  return r + (r != 0 && (r ^ b) < 0 ? b : 0);
}

// pow_i32(a, b) is a ** b modulo 2^32; 0 if b is negative.
SKALD_FN i32 pow_i32(i32 a, i32 b) { return b < 0 ? 0 : (i32)pow_u32((u32)a, (u32)b); }

// shl_i32(a, n) is a << n; 0 if n is not in [0, 32).
SKALD_FN i32 shl_i32(i32 a, i32 n) { return (u32)n >= 32 ? 0 : (i32)((u32)a << n); }

// shr_i32(a, n) is the arithmetic a >> n; the sign if n is not in [0, 32).
SKALD_FN i32 shr_i32(i32 a, i32 n) { return a >> ((u32)n >= 32 ? 31 : n); }

// ushr_i32(a, n) is the logical a >>> n; 0 if n is not in [0, 32).
SKALD_FN i32 ushr_i32(i32 a, i32 n) { return (u32)n >= 32 ? 0 : (i32)((u32)a >> n); }

// abs_i32(a) is the absolute value; the lowest number maps to itself.
SKALD_FN i32 abs_i32(i32 a) { return a < 0 ? (i32)((u32)0 - (u32)a) : a; }

// sgn_i32(a) is -1, 0 or 1.
SKALD_FN i32 sgn_i32(i32 a) { return (a > 0) - (a < 0); }

// mad_hi_i32(a, b, c) is mul_hi_i32(a, b) + c modulo 2^32.
SKALD_FN i32 mad_hi_i32(i32 a, i32 b, i32 c) { return (i32)((u32)mul_hi_i32(a, b) + (u32)c); }

// clz_i32(a) counts the leading zeros; 32 for zero.
SKALD_FN i32 clz_i32(i32 a) { return clz_u32((u32)a); }

// ctz_i32(a) counts the trailing zeros; 32 for zero.
SKALD_FN i32 ctz_i32(i32 a) { return ctz_u32((u32)a); }

// popc_i32(a) counts the set bits.
SKALD_FN i32 popc_i32(i32 a) { return popc_u32((u32)a); }

// quot_i64(a, b) is a // b, which truncates; 0 if b is 0.
SKALD_FN i64 quot_i64(i64 a, i64 b) { return b == 0 ? 0 : b == -1 ? (i64)((u64)0 - (u64)a) : a / b; }

// rem_i64(a, b) is a %% b, which has the sign of a; 0 if b is 0.
SKALD_FN i64 rem_i64(i64 a, i64 b) { return b == 0 || b == -1 ? 0 : a % b; }

// div_i64(a, b) is a / b, which rounds towards negative infinity; 0 if b is 0.
SKALD_FN i64 div_i64(i64 a, i64 b) {
  i64 r = rem_i64(a, b);
  return quot_i64(a, b) - (r != 0 && (r ^ b) < 0);
}

// mod_i64(a, b) is a % b, which has the sign of b; 0 if b is 0.
SKALD_FN i64 mod_i64(i64 a, i64 b) {
  i64 r = rem_i64(a, b);
  return r + (r != 0 && (r ^ b) < 0 ? b : 0);
}

// pow_i64(a, b) is a ** b modulo 2^64; 0 if b is negative.
SKALD_FN i64 pow_i64(i64 a, i64 b) { return b < 0 ? 0 : (i64)pow_u64((u64)a, (u64)b); }

// shl_i64(a, n) is a << n; 0 if n is not in [0, 64).
SKALD_FN i64 shl_i64(i64 a, i64 n) { return (u64)n >= 64 ? 0 : (i64)((u64)a << n); }

// shr_i64(a, n) is the arithmetic a >> n; the sign if n is not in [0, 64).
SKALD_FN i64 shr_i64(i64 a, i64 n) { return a >> ((u64)n >= 64 ? 63 : n); }

// ushr_i64(a, n) is the logical a >>> n; 0 if n is not in [0, 64).
SKALD_FN i64 ushr_i64(i64 a, i64 n) { return (u64)n >= 64 ? 0 : (i64)((u64)a >> n); }

// abs_i64(a) is the absolute value; the lowest number maps to itself.
SKALD_FN i64 abs_i64(i64 a) { return a < 0 ? (i64)((u64)0 - (u64)a) : a; }

// sgn_i64(a) is -1, 0 or 1.
SKALD_FN i64 sgn_i64(i64 a) { return (a > 0) - (a < 0); }

// mad_hi_i64(a, b, c) is mul_hi_i64(a, b) + c modulo 2^64.
SKALD_FN i64 mad_hi_i64(i64 a, i64 b, i64 c) { return (i64)((u64)mul_hi_i64(a, b) + (u64)c); }

// clz_i64(a) counts the leading zeros; 64 for zero.
SKALD_FN i32 clz_i64(i64 a) { return clz_u64((u64)a); }

// ctz_i64(a) counts the trailing zeros; 64 for zero.
SKALD_FN i32 ctz_i64(i64 a) { return ctz_u64((u64)a); }

// popc_i64(a) counts the set bits.
SKALD_FN i32 popc_i64(i64 a) { return popc_u64((u64)a); }

// div_u32(a, b) is a / b; 0 if b is 0.
SKALD_FN u32 div_u32(u32 a, u32 b) { return b == 0 ? 0 : a / b; }

// mod_u32(a, b) is a % b; 0 if b is 0.
SKALD_FN u32 mod_u32(u32 a, u32 b) { return b == 0 ? 0 : a % b; }

// quot_u32(a, b) is a // b, the same as a / b.
SKALD_FN u32 quot_u32(u32 a, u32 b) { return div_u32(a, b); }

// rem_u32(a, b) is a %% b, the same as a % b.
SKALD_FN u32 rem_u32(u32 a, u32 b) { return mod_u32(a, b); }

// pow_u32(a, b) is a ** b modulo 2^32, by squaring.
SKALD_FN u32 pow_u32(u32 a, u32 b) {
  u32 result = 1;
  for (; b != 0; b >>= 1) {
    if (b & 1) result *= a;
    a *= a;
  }
  return result;
}

// shl_u32(a, n) is a << n; 0 if n is 32 or more.
SKALD_FN u32 shl_u32(u32 a, u32 n) { return n >= 32 ? 0 : a << n; }

// shr_u32(a, n) is a >> n; 0 if n is 32 or more.
SKALD_FN u32 shr_u32(u32 a, u32 n) { return n >= 32 ? 0 : a >> n; }

// ushr_u32(a, n) is a >>> n; 0 if n is 32 or more.
SKALD_FN u32 ushr_u32(u32 a, u32 n) { return shr_u32(a, n); }

// abs_u32(a) is a.
SKALD_FN u32 abs_u32(u32 a) { return a; }

// sgn_u32(a) is 0 or 1.
SKALD_FN u32 sgn_u32(u32 a) { return a != 0; }

// mad_hi_u32(a, b, c) is mul_hi_u32(a, b) + c modulo 2^32.
SKALD_FN u32 mad_hi_u32(u32 a, u32 b, u32 c) { return mul_hi_u32(a, b) + c; }

// div_u64(a, b) is a / b; 0 if b is 0.
SKALD_FN u64 div_u64(u64 a, u64 b) { return b == 0 ? 0 : a / b; }

// mod_u64(a, b) is a % b; 0 if b is 0.
SKALD_FN u64 mod_u64(u64 a, u64 b) { return b == 0 ? 0 : a % b; }

// quot_u64(a, b) is a // b, the same as a / b.
SKALD_FN u64 quot_u64(u64 a, u64 b) { return div_u64(a, b); }

// rem_u64(a, b) is a %% b, the same as a % b.
SKALD_FN u64 rem_u64(u64 a, u64 b) { return mod_u64(a, b); }

// pow_u64(a, b) is a ** b modulo 2^64, by squaring.
SKALD_FN u64 pow_u64(u64 a, u64 b) {
  u64 result = 1;
  for (; b != 0; b >>= 1) {
    if (b & 1) result *= a;
    a *= a;
  }
  return result;
}

// shl_u64(a, n) is a << n; 0 if n is 64 or more.
SKALD_FN u64 shl_u64(u64 a, u64 n) { return n >= 64 ? 0 : a << n; }

// shr_u64(a, n) is a >> n; 0 if n is 64 or more.
SKALD_FN u64 shr_u64(u64 a, u64 n) { return n >= 64 ? 0 : a >> n; }

// ushr_u64(a, n) is a >>> n; 0 if n is 64 or more.
SKALD_FN u64 ushr_u64(u64 a, u64 n) { return shr_u64(a, n); }

// abs_u64(a) is a.
SKALD_FN u64 abs_u64(u64 a) { return a; }

// sgn_u64(a) is 0 or 1.
SKALD_FN u64 sgn_u64(u64 a) { return a != 0; }

// mad_hi_u64(a, b, c) is mul_hi_u64(a, b) + c modulo 2^64.
SKALD_FN u64 mad_hi_u64(u64 a, u64 b, u64 c) { return mul_hi_u64(a, b) + c; }

// min_i32(a, b) is the lesser.
SKALD_FN i32 min_i32(i32 a, i32 b) { return b < a ? b : a; }

// max_i32(a, b) is the greater.
SKALD_FN i32 max_i32(i32 a, i32 b) { return a < b ? b : a; }

// min_i64(a, b) is the lesser.
SKALD_FN i64 min_i64(i64 a, i64 b) { return b < a ? b : a; }

// max_i64(a, b) is the greater.
SKALD_FN i64 max_i64(i64 a, i64 b) { return a < b ? b : a; }

// const_i64(low, high) makes a number from its words.
SKALD_FN i64 const_i64(u32 low, u32 high) { return (i64)((u64)high << 32 | low); }

// min_u32(a, b) is the lesser.
SKALD_FN u32 min_u32(u32 a, u32 b) { return b < a ? b : a; }

// max_u32(a, b) is the greater.
SKALD_FN u32 max_u32(u32 a, u32 b) { return a < b ? b : a; }

// min_u64(a, b) is the lesser.
SKALD_FN u64 min_u64(u64 a, u64 b) { return b < a ? b : a; }

// max_u64(a, b) is the greater.
SKALD_FN u64 max_u64(u64 a, u64 b) { return a < b ? b : a; }

// const_u64(low, high) makes a number from its words.
SKALD_FN u64 const_u64(u32 low, u32 high) { return (u64)((u64)high << 32 | low); }

// mul_hi_i32(a, b) is the upper word of the product.
SKALD_FN i32 mul_hi_i32(i32 a, i32 b) { return (i32)(((i64)a * b) >> 32); }

// mul_hi_u32(a, b) is the upper word of the product.
SKALD_FN u32 mul_hi_u32(u32 a, u32 b) { return (u32)(((u64)a * b) >> 32); }
