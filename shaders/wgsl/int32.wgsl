// div_i32(a, b) is Futhark's a / b, which rounds towards negative infinity; 0 if b is 0, and the lowest number divided
// by -1 wraps around.
fn div_i32(a: i32, b: i32) -> i32 {
  let q = quot_i32(a, b);
  let r = a - q * b;
  return q - select(0, 1, b != 0 && r != 0 && (r ^ b) < 0);
}

// mod_i32(a, b) is Futhark's a % b, which has the sign of b; 0 if b is 0.
fn mod_i32(a: i32, b: i32) -> i32 {
  let r = rem_i32(a, b);
  return r + select(0, b, r != 0 && (r ^ b) < 0);
}

// quot_i32(a, b) is a // b, which truncates; 0 if b is 0. The divisor is replaced where the hardware's result is
// undefined.
fn quot_i32(a: i32, b: i32) -> i32 {
  let bad = b == 0 || (b == -1 && a == i32(-2147483647 - 1));
  return select(a / select(b, 1, bad), 0, b == 0);
}

// rem_i32(a, b) is a %% b, which has the sign of a; 0 if b is 0.
fn rem_i32(a: i32, b: i32) -> i32 { return select(a - quot_i32(a, b) * b, 0, b == 0); }

// div_u32(a, b) is a / b; 0 if b is 0.
fn div_u32(a: u32, b: u32) -> u32 { return select(a / select(b, 1u, b == 0u), 0u, b == 0u); }

// mod_u32(a, b) is a % b; 0 if b is 0.
fn mod_u32(a: u32, b: u32) -> u32 { return select(a % select(b, 1u, b == 0u), 0u, b == 0u); }

// quot_u32(a, b) is a // b, which is the same as a / b.
fn quot_u32(a: u32, b: u32) -> u32 { return div_u32(a, b); }

// rem_u32(a, b) is a %% b, which is the same as a % b.
fn rem_u32(a: u32, b: u32) -> u32 { return mod_u32(a, b); }

// pow_u32(a, b) is a ** b modulo 2^32, by squaring.
fn pow_u32(a: u32, b: u32) -> u32 {
  var result = 1u;
  var square = a;
  for (var rest = b; rest != 0u; rest >>= 1u) {
    result = select(result, result * square, (rest & 1u) != 0u);
    square *= square;
  }
  return result;
}

// pow_i32(a, b) is a ** b modulo 2^32; 0 if b is negative.
fn pow_i32(a: i32, b: i32) -> i32 {
  if (b < 0) { return 0; }
  return bitcast<i32>(pow_u32(bitcast<u32>(a), bitcast<u32>(b)));
}

// shl_u32(a, n) is a << n; 0 if n is 32 or more.
fn shl_u32(a: u32, n: u32) -> u32 { return select(a << (n & 31u), 0u, n > 31u); }

// shr_u32(a, n) is a >> n; 0 if n is 32 or more.
fn shr_u32(a: u32, n: u32) -> u32 { return select(a >> (n & 31u), 0u, n > 31u); }

// ushr_u32(a, n) is a >>> n; 0 if n is 32 or more.
fn ushr_u32(a: u32, n: u32) -> u32 { return shr_u32(a, n); }

// shl_i32(a, n) is a << n; 0 if n is not in [0, 32).
fn shl_i32(a: i32, n: i32) -> i32 { return select(a << (u32(n) & 31u), 0, u32(n) > 31u); }

// shr_i32(a, n) is the arithmetic a >> n; the sign if n is not in [0, 32).
fn shr_i32(a: i32, n: i32) -> i32 { return a >> min(u32(n), 31u); }

// ushr_i32(a, n) is the logical a >>> n; 0 if n is not in [0, 32).
fn ushr_i32(a: i32, n: i32) -> i32 { return bitcast<i32>(shr_u32(bitcast<u32>(a), u32(n))); }

// mul_hi_i32(a, b) is the upper word of the product. Hacker's Delight, section 8-3.
fn mul_hi_i32(a: i32, b: i32) -> i32 {
  return bitcast<i32>(mul_hi_u32(bitcast<u32>(a), bitcast<u32>(b))) - ((a >> 31u) & b) - ((b >> 31u) & a);
}

// min_i32(a, b) is the lesser.
fn min_i32(a: i32, b: i32) -> i32 { return min(a, b); }

// max_i32(a, b) is the greater.
fn max_i32(a: i32, b: i32) -> i32 { return max(a, b); }

// mad_hi_i32(a, b, c) is mul_hi_i32(a, b) + c modulo 2^32.
fn mad_hi_i32(a: i32, b: i32, c: i32) -> i32 { return mul_hi_i32(a, b) + c; }

// clz_i32(a) counts the leading zeros; 32 for zero.
fn clz_i32(a: i32) -> i32 { return i32(countLeadingZeros(a)); }

// ctz_i32(a) counts the trailing zeros; 32 for zero.
fn ctz_i32(a: i32) -> i32 { return i32(countTrailingZeros(a)); }

// popc_i32(a) counts the set bits.
fn popc_i32(a: i32) -> i32 { return i32(countOneBits(a)); }

// min_u32(a, b) is the lesser.
fn min_u32(a: u32, b: u32) -> u32 { return min(a, b); }

// max_u32(a, b) is the greater.
fn max_u32(a: u32, b: u32) -> u32 { return max(a, b); }

// mad_hi_u32(a, b, c) is mul_hi_u32(a, b) + c modulo 2^32.
fn mad_hi_u32(a: u32, b: u32, c: u32) -> u32 { return mul_hi_u32(a, b) + c; }

// clz_u32(a) counts the leading zeros; 32 for zero.
fn clz_u32(a: u32) -> i32 { return i32(countLeadingZeros(a)); }

// ctz_u32(a) counts the trailing zeros; 32 for zero.
fn ctz_u32(a: u32) -> i32 { return i32(countTrailingZeros(a)); }

// popc_u32(a) counts the set bits.
fn popc_u32(a: u32) -> i32 { return i32(countOneBits(a)); }

// abs_i32(a) is the absolute value; the lowest number maps to itself.
fn abs_i32(a: i32) -> i32 { return select(a, 0 - a, a < 0); }

// abs_u32(a) is a.
fn abs_u32(a: u32) -> u32 { return a; }

// sgn_i32(a) is -1, 0 or 1.
fn sgn_i32(a: i32) -> i32 { return (a >> 31u) | select(0, 1, a > 0); }

// sgn_u32(a) is 0 or 1.
fn sgn_u32(a: u32) -> u32 { return select(0u, 1u, a != 0u); }
