// w_add(a, b) is a + b modulo 2^64, on values of two words (low, high), like all functions named w_….
fn w_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

// w_sub(a, b) is a - b modulo 2^64.
fn w_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// w_neg(a) is -a modulo 2^64.
fn w_neg(a: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(0u - a.x, ~a.y + select(0u, 1u, a.x == 0u));
}

// w_mul(a, b) is a * b modulo 2^64.
fn w_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x * b.x, mul_hi_u32(a.x, b.x) + a.x * b.y + a.y * b.x);
}

// w_wide(a, b) is the whole product of two words.
fn w_wide(a: u32, b: u32) -> vec2<u32> { return vec2<u32>(a * b, mul_hi_u32(a, b)); }

// w_mul_full(a, b) is the whole product of four words, lowest first.
fn w_mul_full(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
  let p = w_wide(a.x, b.x);
  let q = w_add(w_wide(a.y, b.x), vec2<u32>(p.y, 0u));
  let r = w_add(w_wide(a.x, b.y), vec2<u32>(q.x, 0u));
  let s = w_add(w_add(w_wide(a.y, b.y), vec2<u32>(q.y, 0u)), vec2<u32>(r.y, 0u));
  return vec4<u32>(p.x, r.x, s.x, s.y);
}

// w_mul_hi(a, b) is the upper half of the product, exactly.
fn w_mul_hi(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> { return w_mul_full(a, b).zw; }

// w_lt(a, b) is a < b as unsigned numbers.
fn w_lt(a: vec2<u32>, b: vec2<u32>) -> bool { return a.y < b.y || (a.y == b.y && a.x < b.x); }

// w_eq(a, b) is a = b.
fn w_eq(a: vec2<u32>, b: vec2<u32>) -> bool { return a.x == b.x && a.y == b.y; }

// w_zero(a) is a = 0.
fn w_zero(a: vec2<u32>) -> bool { return (a.x | a.y) == 0u; }

// w_shl(a, n) is a << n for n below 64.
fn w_shl(a: vec2<u32>, n: u32) -> vec2<u32> {
  let m = n & 31u;
  let carry = (a.x >> 1u) >> (31u - m);
  return select(vec2<u32>(a.x << m, (a.y << m) | carry), vec2<u32>(0u, a.x << m), n >= 32u);
}

// w_shr(a, n) is the logical a >> n for n below 64.
fn w_shr(a: vec2<u32>, n: u32) -> vec2<u32> {
  let m = n & 31u;
  let carry = (a.y << 1u) << (31u - m);
  return select(vec2<u32>((a.x >> m) | carry, a.y >> m), vec2<u32>(a.y >> m, 0u), n >= 32u);
}

// w_sar(a, n) is the arithmetic a >> n for n below 64.
fn w_sar(a: vec2<u32>, n: u32) -> vec2<u32> {
  let m = n & 31u;
  let high = bitcast<u32>(bitcast<i32>(a.y) >> m);
  let fill = bitcast<u32>(bitcast<i32>(a.y) >> 31u);
  let carry = (a.y << 1u) << (31u - m);
  return select(vec2<u32>((a.x >> m) | carry, high), vec2<u32>(high, fill), n >= 32u);
}

// w_shr_sticky(a, n) is a >> n for any n; the last bit is set if any bit that was shifted out was set.
fn w_shr_sticky(a: vec2<u32>, n: u32) -> vec2<u32> {
  let lost = w_shl(a, 64u - n);
  let kept = w_shr(a, n);
  let near = vec2<u32>(kept.x | select(1u, 0u, w_zero(lost)), kept.y);
  let far = vec2<u32>(select(1u, 0u, w_zero(a)), 0u);
  return select(select(near, far, n >= 64u), a, n == 0u);
}

// w_clz(a) counts the leading zeros; 64 for zero.
fn w_clz(a: vec2<u32>) -> u32 {
  return select(countLeadingZeros(a.y), 32u + countLeadingZeros(a.x), a.y == 0u);
}

// w_ctz(a) counts the trailing zeros; 64 for zero.
fn w_ctz(a: vec2<u32>) -> u32 {
  return select(countTrailingZeros(a.x), 32u + countTrailingZeros(a.y), a.x == 0u);
}

// w_div_digit(u, next, v) divides u * 2^16 + next by v, where v has its top bit set and u < v. It returns the 16-bit
// quotient and the remainder. Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D, steps D3 to D6.
fn w_div_digit(u: u32, next: u32, v: u32) -> vec2<u32> {
  let high = v >> 16u;
  let low = v & 0xffffu;
  var q = u / high;
  var r = u - q * high;
  for (var i = 0u; i < 2u; i++) {
    if (r < 0x10000u && (q >= 0x10000u || q * low > ((r << 16u) | next))) {
      q -= 1u;
      r += high;
    }
  }
  return vec2<u32>(q, ((u << 16u) | next) - q * v);
}

// w_div_word(a, v) divides two words by one, for a.y < v: quotient and remainder, one word each.
fn w_div_word(a: vec2<u32>, v: u32) -> vec2<u32> {
  let s = countLeadingZeros(v);
  let u = w_shl(a, s);
  var quotient = 0u;
  var rest = u.y;
  for (var shift = 16i; shift >= 0; shift -= 16) {
    let digit = w_div_digit(rest, (u.x >> u32(shift)) & 0xffffu, v << s);
    quotient = (quotient << 16u) + digit.x;
    rest = digit.y;
  }
  return vec2<u32>(quotient, rest >> s);
}

// w_divmod(a, b) returns the unsigned quotient (x, y) and remainder (z, w); both are 0 if b is 0. Warren, Hacker's
// Delight, 2nd edition, section 9-5: the quotient's estimate from the upper word of b is at most 1 too large.
fn w_divmod(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
  if (w_zero(b)) { return vec4<u32>(); }
  if (b.y == 0u) {
    let high = a.y / b.x;
    let low = w_div_word(vec2<u32>(a.x, a.y - high * b.x), b.x);
    return vec4<u32>(low.x, high, low.y, 0u);
  }
  let n = countLeadingZeros(b.y);
  let estimate = w_div_word(w_shr(a, 1u), w_shl(b, n).y).x;
  var q = estimate >> (31u - n);
  q = select(q - 1u, 0u, q == 0u);
  var r = w_sub(a, w_mul(vec2<u32>(q, 0u), b));
  if (!w_lt(r, b)) {
    q += 1u;
    r = w_sub(r, b);
  }
  return vec4<u32>(q, 0u, r.x, r.y);
}

// w_div3(u, v) divides three words (lowest first) by two, for u.yz < v and the top bit of v set: quotient (x) and
// remainder (y, z). Knuth 4.3.1, algorithm D; the estimate is at most 2 too large.
fn w_div3(u: vec3<u32>, v: vec2<u32>) -> vec3<u32> {
  var q = 0xffffffffu;
  if (u.z < v.y) { q = w_div_word(u.yz, v.y).x; }
  let p = w_wide(q, v.x);
  let middle = w_add(w_wide(q, v.y), vec2<u32>(p.y, 0u));
  var low = w_sub(u.xy, vec2<u32>(p.x, middle.x));
  var high = u.z - middle.y - select(0u, 1u, w_lt(u.xy, vec2<u32>(p.x, middle.x)));
  for (var i = 0u; i < 2u; i++) {
    if ((high >> 31u) != 0u) {
      q -= 1u;
      low = w_add(low, v);
      high += select(0u, 1u, w_lt(low, v));
    }
  }
  return vec3<u32>(q, low);
}

// w4_shr(a, n) is a >> n on four words, for n below 128; the bits shifted out are lost.
fn w4_shr(a: vec4<u32>, n: u32) -> vec4<u32> {
  var b = select(a, vec4<u32>(a.zw, 0u, 0u), n >= 64u);
  b = select(b, vec4<u32>(b.yzw, 0u), (n & 32u) != 0u);
  let m = n & 31u;
  return (b >> vec4<u32>(m)) | ((vec4<u32>(b.yzw, 0u) << vec4<u32>(1u)) << vec4<u32>(31u - m));
}

// w4_shl(a, n) is a << n on four words, for n below 128.
fn w4_shl(a: vec4<u32>, n: u32) -> vec4<u32> {
  var b = select(a, vec4<u32>(0u, 0u, a.xy), n >= 64u);
  b = select(b, vec4<u32>(0u, b.xyz), (n & 32u) != 0u);
  let m = n & 31u;
  return (b << vec4<u32>(m)) | ((vec4<u32>(0u, b.xyz) >> vec4<u32>(1u)) >> vec4<u32>(31u - m));
}

// w4_add(a, b) is a + b modulo 2^128.
fn w4_add(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let low = w_add(a.xy, b.xy);
  let high = w_add(a.zw, b.zw);
  return vec4<u32>(low, w_add(high, vec2<u32>(select(0u, 1u, w_lt(low, a.xy)), 0u)));
}

// w4_sub(a, b) is a - b modulo 2^128.
fn w4_sub(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let high = w_sub(a.zw, b.zw);
  return vec4<u32>(w_sub(a.xy, b.xy), w_sub(high, vec2<u32>(select(0u, 1u, w_lt(a.xy, b.xy)), 0u)));
}

// w4_clz(a) counts the leading zeros of four words; 128 for zero.
fn w4_clz(a: vec4<u32>) -> u32 { return select(w_clz(a.zw), 64u + w_clz(a.xy), w_zero(a.zw)); }
