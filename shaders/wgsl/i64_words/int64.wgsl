// The representation of 64-bit integers: (low, high).
alias I64 = vec2<u32>;

// Likewise for unsigned ones.
alias U64 = vec2<u32>;

// mul_hi_u32(a, b) is the upper word of the product, from four products of half words. Hacker's Delight, section 8-2.
fn mul_hi_u32(a: u32, b: u32) -> u32 {
  let low = a & 0xffffu;
  let high = a >> 16u;
  let t = high * (b & 0xffffu) + ((low * (b & 0xffffu)) >> 16u);
  let s = low * (b >> 16u) + (t & 0xffffu);
  return high * (b >> 16u) + (t >> 16u) + (s >> 16u);
}

// w_of_u64(a) returns the two words of a.
fn w_of_u64(a: U64) -> vec2<u32> { return a; }

// u64_of_w(a) makes an integer from its words.
fn u64_of_w(a: vec2<u32>) -> U64 { return a; }

// const_i64(low, high) makes a number from its words.
fn const_i64(low: u32, high: u32) -> I64 { return vec2<u32>(low, high); }

// add_i64(a, b) is a + b modulo 2^64.
fn add_i64(a: I64, b: I64) -> I64 { return w_add(a, b); }

// sub_i64(a, b) is a - b modulo 2^64.
fn sub_i64(a: I64, b: I64) -> I64 { return w_sub(a, b); }

// mul_i64(a, b) is a * b modulo 2^64.
fn mul_i64(a: I64, b: I64) -> I64 { return w_mul(a, b); }

// neg_i64(a) is -a modulo 2^64.
fn neg_i64(a: I64) -> I64 { return w_neg(a); }

// not_i64(a) is the bitwise complement.
fn not_i64(a: I64) -> I64 { return ~a; }

// and_i64(a, b) is bitwise.
fn and_i64(a: I64, b: I64) -> I64 { return a & b; }

// or_i64(a, b) is bitwise.
fn or_i64(a: I64, b: I64) -> I64 { return a | b; }

// xor_i64(a, b) is bitwise.
fn xor_i64(a: I64, b: I64) -> I64 { return a ^ b; }

// eq_i64(a, b) is a = b.
fn eq_i64(a: I64, b: I64) -> bool { return w_eq(a, b); }

// lt_i64(a, b) is a < b.
fn lt_i64(a: I64, b: I64) -> bool {
  return bitcast<i32>(a.y) < bitcast<i32>(b.y) || (a.y == b.y && a.x < b.x);
}

// le_i64(a, b) is a <= b.
fn le_i64(a: I64, b: I64) -> bool { return !lt_i64(b, a); }

// min_i64(a, b) is the lesser.
fn min_i64(a: I64, b: I64) -> I64 { return select(a, b, lt_i64(b, a)); }

// max_i64(a, b) is the greater.
fn max_i64(a: I64, b: I64) -> I64 { return select(a, b, lt_i64(a, b)); }

// shl_i64(a, n) is a << n; 0 if n is not in [0, 64).
fn shl_i64(a: I64, n: I64) -> I64 { return select(w_shl(a, n.x & 63u), vec2<u32>(), n.y != 0u || n.x > 63u); }

// ushr_i64(a, n) is the logical a >>> n; 0 if n is not in [0, 64).
fn ushr_i64(a: I64, n: I64) -> I64 { return select(w_shr(a, n.x & 63u), vec2<u32>(), n.y != 0u || n.x > 63u); }

// shr_i64(a, n) is the arithmetic a >> n; the sign if n is not in [0, 64).
fn shr_i64(a: I64, n: I64) -> I64 { return w_sar(a, select(min(n.x, 63u), 63u, n.y != 0u)); }

// clz_i64(a) counts the leading zeros; 64 for zero.
fn clz_i64(a: I64) -> i32 { return i32(w_clz(a)); }

// ctz_i64(a) counts the trailing zeros; 64 for zero.
fn ctz_i64(a: I64) -> i32 { return i32(w_ctz(a)); }

// popc_i64(a) counts the set bits.
fn popc_i64(a: I64) -> i32 { return i32(countOneBits(a.x) + countOneBits(a.y)); }

// mad_hi_i64(a, b, c) is mul_hi_i64(a, b) + c modulo 2^64.
fn mad_hi_i64(a: I64, b: I64, c: I64) -> I64 { return w_add(mul_hi_i64(a, b), c); }

// const_u64(low, high) makes a number from its words.
fn const_u64(low: u32, high: u32) -> U64 { return vec2<u32>(low, high); }

// add_u64(a, b) is a + b modulo 2^64.
fn add_u64(a: U64, b: U64) -> U64 { return w_add(a, b); }

// sub_u64(a, b) is a - b modulo 2^64.
fn sub_u64(a: U64, b: U64) -> U64 { return w_sub(a, b); }

// mul_u64(a, b) is a * b modulo 2^64.
fn mul_u64(a: U64, b: U64) -> U64 { return w_mul(a, b); }

// neg_u64(a) is -a modulo 2^64.
fn neg_u64(a: U64) -> U64 { return w_neg(a); }

// not_u64(a) is the bitwise complement.
fn not_u64(a: U64) -> U64 { return ~a; }

// and_u64(a, b) is bitwise.
fn and_u64(a: U64, b: U64) -> U64 { return a & b; }

// or_u64(a, b) is bitwise.
fn or_u64(a: U64, b: U64) -> U64 { return a | b; }

// xor_u64(a, b) is bitwise.
fn xor_u64(a: U64, b: U64) -> U64 { return a ^ b; }

// eq_u64(a, b) is a = b.
fn eq_u64(a: U64, b: U64) -> bool { return w_eq(a, b); }

// lt_u64(a, b) is a < b.
fn lt_u64(a: U64, b: U64) -> bool { return w_lt(a, b); }

// le_u64(a, b) is a <= b.
fn le_u64(a: U64, b: U64) -> bool { return !lt_u64(b, a); }

// min_u64(a, b) is the lesser.
fn min_u64(a: U64, b: U64) -> U64 { return select(a, b, lt_u64(b, a)); }

// max_u64(a, b) is the greater.
fn max_u64(a: U64, b: U64) -> U64 { return select(a, b, lt_u64(a, b)); }

// shl_u64(a, n) is a << n; 0 if n is not in [0, 64).
fn shl_u64(a: U64, n: U64) -> U64 { return select(w_shl(a, n.x & 63u), vec2<u32>(), n.y != 0u || n.x > 63u); }

// ushr_u64(a, n) is the logical a >>> n; 0 if n is not in [0, 64).
fn ushr_u64(a: U64, n: U64) -> U64 { return select(w_shr(a, n.x & 63u), vec2<u32>(), n.y != 0u || n.x > 63u); }

// shr_u64(a, n) is a >> n; 0 if n is 64 or more.
fn shr_u64(a: U64, n: U64) -> U64 { return ushr_u64(a, n); }

// clz_u64(a) counts the leading zeros; 64 for zero.
fn clz_u64(a: U64) -> i32 { return i32(w_clz(a)); }

// ctz_u64(a) counts the trailing zeros; 64 for zero.
fn ctz_u64(a: U64) -> i32 { return i32(w_ctz(a)); }

// popc_u64(a) counts the set bits.
fn popc_u64(a: U64) -> i32 { return i32(countOneBits(a.x) + countOneBits(a.y)); }

// mad_hi_u64(a, b, c) is mul_hi_u64(a, b) + c modulo 2^64.
fn mad_hi_u64(a: U64, b: U64, c: U64) -> U64 { return w_add(mul_hi_u64(a, b), c); }

// mul_hi_u64(a, b) is the upper half of the product.
fn mul_hi_u64(a: U64, b: U64) -> U64 { return w_mul_hi(a, b); }

// mul_hi_i64(a, b) is the upper half of the product. Hacker's Delight, section 8-3.
fn mul_hi_i64(a: I64, b: I64) -> I64 {
  let signs = vec2<bool>((a.y >> 31u) != 0u, (b.y >> 31u) != 0u);
  let over = w_add(select(vec2<u32>(), b, signs.x), select(vec2<u32>(), a, signs.y));
  return w_sub(w_mul_hi(a, b), over);
}

// div_u64(a, b) is a / b; 0 if b is 0.
fn div_u64(a: U64, b: U64) -> U64 { return w_divmod(a, b).xy; }

// mod_u64(a, b) is a % b; 0 if b is 0.
fn mod_u64(a: U64, b: U64) -> U64 { return w_divmod(a, b).zw; }

// quot_u64(a, b) is a // b, the same as a / b.
fn quot_u64(a: U64, b: U64) -> U64 { return div_u64(a, b); }

// rem_u64(a, b) is a %% b, the same as a % b.
fn rem_u64(a: U64, b: U64) -> U64 { return mod_u64(a, b); }

// quotrem_i64(a, b) returns the truncated quotient (x, y) and the remainder (z, w), which has the sign of a; both are 0
// if b is 0.
fn quotrem_i64(a: I64, b: I64) -> vec4<u32> {
  let qr = w_divmod(abs_i64(a), abs_i64(b));
  let q = select(qr.xy, w_neg(qr.xy), ((a.y ^ b.y) >> 31u) != 0u);
  let r = select(qr.zw, w_neg(qr.zw), (a.y >> 31u) != 0u);
  return vec4<u32>(q, r);
}

// quot_i64(a, b) is a // b, which truncates; 0 if b is 0.
fn quot_i64(a: I64, b: I64) -> I64 { return quotrem_i64(a, b).xy; }

// rem_i64(a, b) is a %% b, which has the sign of a; 0 if b is 0.
fn rem_i64(a: I64, b: I64) -> I64 { return quotrem_i64(a, b).zw; }

// div_i64(a, b) is a / b, which rounds towards negative infinity; 0 if b is 0.
fn div_i64(a: I64, b: I64) -> I64 {
  let qr = quotrem_i64(a, b);
  let down = !w_zero(qr.zw) && ((qr.w ^ b.y) >> 31u) != 0u;
  return select(qr.xy, w_sub(qr.xy, vec2<u32>(1u, 0u)), down);
}

// mod_i64(a, b) is a % b, which has the sign of b; 0 if b is 0.
fn mod_i64(a: I64, b: I64) -> I64 {
  let r = rem_i64(a, b);
  return select(r, w_add(r, b), !w_zero(r) && ((r.y ^ b.y) >> 31u) != 0u);
}

// pow_u64(a, b) is a ** b modulo 2^64, by squaring.
fn pow_u64(a: U64, b: U64) -> U64 {
  var result = vec2<u32>(1u, 0u);
  var square = a;
  for (var rest = b; !w_zero(rest); rest = w_shr(rest, 1u)) {
    if ((rest.x & 1u) != 0u) { result = w_mul(result, square); }
    square = w_mul(square, square);
  }
  return result;
}

// pow_i64(a, b) is a ** b modulo 2^64; 0 if b is negative.
fn pow_i64(a: I64, b: I64) -> I64 {
  if ((b.y >> 31u) != 0u) { return vec2<u32>(); }
  return pow_u64(a, b);
}

// abs_i64(a) is the absolute value; the lowest number maps to itself.
fn abs_i64(a: I64) -> I64 { return select(a, w_neg(a), (a.y >> 31u) != 0u); }

// abs_u64(a) is a.
fn abs_u64(a: U64) -> U64 { return a; }

// sgn_i64(a) is -1, 0 or 1.
fn sgn_i64(a: I64) -> I64 {
  let sign = bitcast<u32>(bitcast<i32>(a.y) >> 31u);
  return vec2<u32>(sign | select(1u, 0u, w_zero(a)), sign);
}

// sgn_u64(a) is 0 or 1.
fn sgn_u64(a: U64) -> U64 { return vec2<u32>(select(1u, 0u, w_zero(a)), 0u); }

// w_of_i64(a) returns the two words of a.
fn w_of_i64(a: I64) -> vec2<u32> { return a; }

// i64_of_w(a) makes an integer from its words.
fn i64_of_w(a: vec2<u32>) -> I64 { return a; }
