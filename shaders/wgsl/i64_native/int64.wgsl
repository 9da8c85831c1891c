// The representation of 64-bit integers.
alias I64 = i64;

// Likewise for unsigned ones.
alias U64 = u64;

// mul_hi_u32(a, b) is the upper word of the product.
fn mul_hi_u32(a: u32, b: u32) -> u32 { return u32((u64(a) * u64(b)) >> 32u); }

// w_of_u64(a) returns the two words of a.
fn w_of_u64(a: U64) -> vec2<u32> { return vec2<u32>(u32(a & 0xfffffffflu), u32(a >> 32u)); }

// u64_of_w(a) makes an integer from its words.
fn u64_of_w(a: vec2<u32>) -> U64 { return (u64(a.y) << 32u) | u64(a.x); }

// const_u64(low, high) makes a number from its words.
fn const_u64(low: u32, high: u32) -> U64 { return (u64(high) << 32u) | u64(low); }

// const_i64(low, high) makes a number from its words.
fn const_i64(low: u32, high: u32) -> I64 { return bitcast<i64>(const_u64(low, high)); }

// min_i64(a, b) is the lesser.
fn min_i64(a: I64, b: I64) -> I64 { return select(a, b, b < a); }

// max_i64(a, b) is the greater.
fn max_i64(a: I64, b: I64) -> I64 { return select(a, b, a < b); }

// shl_i64(a, n) is a << n; 0 if n is not in [0, 64).
fn shl_i64(a: I64, n: I64) -> I64 { return select(a << (u32(n) & 63u), 0li, bitcast<u64>(n) > 63lu); }

// shr_i64(a, n) is the arithmetic a >> n; the sign if n is not in [0, 64).
fn shr_i64(a: I64, n: I64) -> I64 { return a >> select(u32(n) & 63u, 63u, bitcast<u64>(n) > 63lu); }

// ushr_i64(a, n) is the logical a >>> n; 0 if n is not in [0, 64).
fn ushr_i64(a: I64, n: I64) -> I64 { return bitcast<i64>(shr_u64(bitcast<u64>(a), bitcast<u64>(n))); }

// clz_i64(a) counts the leading zeros; 64 for zero.
fn clz_i64(a: I64) -> i32 { return i32(w_clz(w_of_u64(bitcast<u64>(a)))); }

// ctz_i64(a) counts the trailing zeros; 64 for zero.
fn ctz_i64(a: I64) -> i32 { return i32(w_ctz(w_of_u64(bitcast<u64>(a)))); }

// popc_i64(a) counts the set bits.
fn popc_i64(a: I64) -> i32 {
  let words = w_of_u64(bitcast<u64>(a));
  return i32(countOneBits(words.x) + countOneBits(words.y));
}

// mad_hi_i64(a, b, c) is mul_hi_i64(a, b) + c modulo 2^64.
fn mad_hi_i64(a: I64, b: I64, c: I64) -> I64 { return mul_hi_i64(a, b) + c; }

// min_u64(a, b) is the lesser.
fn min_u64(a: U64, b: U64) -> U64 { return select(a, b, b < a); }

// max_u64(a, b) is the greater.
fn max_u64(a: U64, b: U64) -> U64 { return select(a, b, a < b); }

// shl_u64(a, n) is a << n; 0 if n is not in [0, 64).
fn shl_u64(a: U64, n: U64) -> U64 { return select(a << (u32(n) & 63u), 0lu, n > 63lu); }

// shr_u64(a, n) is a >> n; 0 if n is 64 or more.
fn shr_u64(a: U64, n: U64) -> U64 { return select(a >> (u32(n) & 63u), 0lu, n > 63lu); }

// ushr_u64(a, n) is a >>> n; 0 if n is 64 or more.
fn ushr_u64(a: U64, n: U64) -> U64 { return shr_u64(a, n); }

// clz_u64(a) counts the leading zeros; 64 for zero.
fn clz_u64(a: U64) -> i32 { return i32(w_clz(w_of_u64(a))); }

// ctz_u64(a) counts the trailing zeros; 64 for zero.
fn ctz_u64(a: U64) -> i32 { return i32(w_ctz(w_of_u64(a))); }

// popc_u64(a) counts the set bits.
fn popc_u64(a: U64) -> i32 {
  let words = w_of_u64(a);
  return i32(countOneBits(words.x) + countOneBits(words.y));
}

// mad_hi_u64(a, b, c) is mul_hi_u64(a, b) + c modulo 2^64.
fn mad_hi_u64(a: U64, b: U64, c: U64) -> U64 { return mul_hi_u64(a, b) + c; }

// mul_hi_u64(a, b) is the upper half of the product, from four products of words. Hacker's Delight, section 8-2.
fn mul_hi_u64(a: U64, b: U64) -> U64 {
  let low = a & 0xfffffffflu;
  let high = a >> 32u;
  let t = high * (b & 0xfffffffflu) + ((low * (b & 0xfffffffflu)) >> 32u);
  let s = low * (b >> 32u) + (t & 0xfffffffflu);
  return high * (b >> 32u) + (t >> 32u) + (s >> 32u);
}

// mul_hi_i64(a, b) is the upper half of the product. Hacker's Delight, section 8-3.
fn mul_hi_i64(a: I64, b: I64) -> I64 {
  let product = bitcast<i64>(mul_hi_u64(bitcast<u64>(a), bitcast<u64>(b)));
  return product - ((a >> 63u) & b) - ((b >> 63u) & a);
}

// div_u64(a, b) is a / b; 0 if b is 0.
fn div_u64(a: U64, b: U64) -> U64 { return select(a / select(b, 1lu, b == 0lu), 0lu, b == 0lu); }

// mod_u64(a, b) is a % b; 0 if b is 0.
fn mod_u64(a: U64, b: U64) -> U64 { return select(a % select(b, 1lu, b == 0lu), 0lu, b == 0lu); }

// quot_u64(a, b) is a // b, the same as a / b.
fn quot_u64(a: U64, b: U64) -> U64 { return div_u64(a, b); }

// rem_u64(a, b) is a %% b, the same as a % b.
fn rem_u64(a: U64, b: U64) -> U64 { return mod_u64(a, b); }

// quot_i64(a, b) is a // b, which truncates; 0 if b is 0. It divides magnitudes, so the lowest number divided by -1
// wraps around.
fn quot_i64(a: I64, b: I64) -> I64 {
  let q = bitcast<i64>(div_u64(bitcast<u64>(abs_i64(a)), bitcast<u64>(abs_i64(b))));
  return select(q, 0li - q, (a ^ b) < 0li);
}

// rem_i64(a, b) is a %% b, which has the sign of a; 0 if b is 0.
fn rem_i64(a: I64, b: I64) -> I64 {
  let r = bitcast<i64>(mod_u64(bitcast<u64>(abs_i64(a)), bitcast<u64>(abs_i64(b))));
  return select(r, 0li - r, a < 0li);
}

// div_i64(a, b) is a / b, which rounds towards negative infinity; 0 if b is 0.
fn div_i64(a: I64, b: I64) -> I64 {
  let q = quot_i64(a, b);
  let r = a - q * b;
  return q - select(0li, 1li, b != 0li && r != 0li && (r ^ b) < 0li);
}

// mod_i64(a, b) is a % b, which has the sign of b; 0 if b is 0.
fn mod_i64(a: I64, b: I64) -> I64 {
  let r = rem_i64(a, b);
  return r + select(0li, b, r != 0li && (r ^ b) < 0li);
}

// pow_u64(a, b) is a ** b modulo 2^64, by squaring.
fn pow_u64(a: U64, b: U64) -> U64 {
  var result = 1lu;
  var square = a;
  for (var rest = b; rest != 0lu; rest = rest >> 1u) {
    result = select(result, result * square, (rest & 1lu) != 0lu);
    square = square * square;
  }
  return result;
}

// pow_i64(a, b) is a ** b modulo 2^64; 0 if b is negative.
fn pow_i64(a: I64, b: I64) -> I64 {
  if (b < 0li) { return 0li; }
  return bitcast<i64>(pow_u64(bitcast<u64>(a), bitcast<u64>(b)));
}

// abs_i64(a) is the absolute value; the lowest number maps to itself.
fn abs_i64(a: I64) -> I64 { return select(a, 0li - a, a < 0li); }

// abs_u64(a) is a.
fn abs_u64(a: U64) -> U64 { return a; }

// sgn_i64(a) is -1, 0 or 1.
fn sgn_i64(a: I64) -> I64 { return (a >> 63u) | select(0li, 1li, a > 0li); }

// sgn_u64(a) is 0 or 1.
fn sgn_u64(a: U64) -> U64 { return select(0lu, 1lu, a != 0lu); }

// w_of_i64(a) returns the two words of a.
fn w_of_i64(a: I64) -> vec2<u32> { return w_of_u64(bitcast<u64>(a)); }

// i64_of_w(a) makes an integer from its words.
fn i64_of_w(a: vec2<u32>) -> I64 { return bitcast<i64>(u64_of_w(a)); }
