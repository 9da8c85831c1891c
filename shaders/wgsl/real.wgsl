// Real is a number sign · man · 2^(exp-63), where the top bit of man is set, or zero if man is. The sign is 0 or
// 0x80000000. Where a result is inexact the last bit of man is set ("sticky"), so that rounding it to at most 62 bits
// is the exact result's rounding. All floating-point types are computed in it, with integers only.
struct Real {
  sign: u32,
  exp: i32,
  man: vec2<u32>,
}

// real_zero(sign) is a zero.
fn real_zero(sign: u32) -> Real { return Real(sign, -0x10000, vec2<u32>()); }

// real_norm(sign, exp, man) moves the top bit of man into its place.
fn real_norm(sign: u32, exp: i32, man: vec2<u32>) -> Real {
  let n = w_clz(man);
  return Real(sign, select(exp - i32(n), -0x10000, w_zero(man)), w_shl(man, n));
}

// real_neg(a) is -a.
fn real_neg(a: Real) -> Real { return Real(a.sign ^ 0x80000000u, a.exp, a.man); }

// real_abs(a) is |a|.
fn real_abs(a: Real) -> Real { return Real(0u, a.exp, a.man); }

// real_scale(a, n) is a · 2^n.
fn real_scale(a: Real, n: i32) -> Real {
  return Real(a.sign, select(a.exp + n, a.exp, w_zero(a.man)), a.man);
}

// real_int(n) is the integer n.
fn real_int(n: i32) -> Real {
  return real_norm(bitcast<u32>(n) & 0x80000000u, 31, vec2<u32>(0u, bitcast<u32>(abs_i32(n))));
}

// real_one() is 1.
fn real_one() -> Real { return Real(0u, 0, vec2<u32>(0u, 0x80000000u)); }

// real_fixed(sign, f) is f · 2^-64 with a sign.
fn real_fixed(sign: u32, f: vec2<u32>) -> Real { return real_norm(sign, -1, f); }

// real_lt_abs(a, b) is |a| < |b|.
fn real_lt_abs(a: Real, b: Real) -> bool {
  return a.exp < b.exp || (a.exp == b.exp && w_lt(a.man, b.man));
}

// real_add(a, b) is a + b, truncated and sticky; an exact zero sum is positive unless both are negative.
fn real_add(a: Real, b: Real) -> Real {
  var big = a;
  var small = b;
  if (a.exp < b.exp) {
    big = b;
    small = a;
  }
  let shifted = w_shr_sticky(small.man, bitcast<u32>(big.exp - small.exp));
  if (big.sign == small.sign) {
    let sum = w_add(big.man, shifted);
    if (!w_lt(sum, big.man)) { return Real(big.sign, big.exp, sum); }
    let half = w_shr(sum, 1u);
    return Real(big.sign, big.exp + 1, vec2<u32>(half.x | (sum.x & 1u), half.y | 0x80000000u));
  }
  var rest = w_sub(big.man, shifted);
  if (w_zero(rest)) { return real_zero(0u); }
  let under = w_lt(big.man, shifted);
  if (under) { rest = w_neg(rest); }
  return real_norm(select(big.sign, small.sign, under), big.exp, rest);
}

// real_sub(a, b) is a - b, like real_add.
fn real_sub(a: Real, b: Real) -> Real { return real_add(a, real_neg(b)); }

// real_mul(a, b) is a · b, truncated and sticky.
fn real_mul(a: Real, b: Real) -> Real {
  let p = w_mul_full(a.man, b.man);
  let up = (p.w >> 31u) == 0u;
  let man = select(p, w4_shl(p, 1u), up);
  let sticky = select(1u, 0u, w_zero(man.xy));
  let exp = select(a.exp + b.exp + select(1, 0, up), -0x10000, w_zero(man.zw));
  return Real(a.sign ^ b.sign, exp, vec2<u32>(man.z | sticky, man.w));
}

// real_div(a, b) is a / b, truncated and sticky; b is not zero.
fn real_div(a: Real, b: Real) -> Real {
  let sign = a.sign ^ b.sign;
  if (w_zero(a.man)) { return real_zero(sign); }
  let less = w_lt(a.man, b.man);
  let top = select(w_shr(a.man, 1u), a.man, less);
  var u = vec3<u32>(select(a.man.x << 31u, 0u, less), top);
  var q = vec2<u32>();
  for (var i = 0u; i < 2u; i++) {
    let digit = w_div3(u, b.man);
    q = vec2<u32>(digit.x, q.x);
    u = vec3<u32>(0u, digit.yz);
  }
  let sticky = select(1u, 0u, w_zero(u.yz));
  return Real(sign, a.exp - b.exp - select(0, 1, less), vec2<u32>(q.x | sticky, q.y));
}

// sqrt_word(a) is the square root of a two-word number of at least 2^62, rounded down (x), with the remainder in two
// words (y, z). Zimmermann, Karatsuba Square Root, INRIA RR-3805, from 16 bits that the hardware estimates.
fn sqrt_word(a: vec2<u32>) -> vec3<u32> {
  var s = min(u32(sqrt(f32(a.y))), 0xffffu);
  for (var i = 0u; i < 4u; i++) {
    if (s * s > a.y) { s -= 1u; }
    if (s < 0xffffu && (s + 1u) * (s + 1u) <= a.y) { s += 1u; }
  }
  let t = ((a.y - s * s) << 15u) | (a.x >> 17u);
  let q = min(t / s, 0xffffu);
  let u = ((t - q * s) << 1u) | ((a.x >> 16u) & 1u);
  var root = (s << 16u) + q;
  var rest = w_sub(vec2<u32>((u << 16u) | (a.x & 0xffffu), u >> 16u), vec2<u32>(q * q, 0u));
  if ((rest.y >> 31u) != 0u) {
    root -= 1u;
    rest = w_add(rest, w_add(w_wide(root, 2u), vec2<u32>(1u, 0u)));
  }
  return vec3<u32>(root, rest);
}

// real_sqrt(a) is the square root, truncated and sticky; a is not negative. Zimmermann's step once more.
fn real_sqrt(a: Real) -> Real {
  if (w_zero(a.man)) { return a; }
  let odd = (a.exp & 1) != 0;
  let top = select(w_shr(a.man, 1u), a.man, odd);
  let next = select(a.man.x << 31u, 0u, odd);
  let high = sqrt_word(top);
  let s = vec2<u32>(high.x, 0u);
  let t = w_add(w_shl(high.yz, 31u), vec2<u32>(next >> 1u, 0u));
  let over = t.y / high.x;
  let q = select(w_div_word(vec2<u32>(t.x, t.y - over * high.x), high.x).x, 0xffffffffu, over != 0u);
  let u = w_add(w_shl(w_sub(t, w_mul(vec2<u32>(q, 0u), s)), 1u), vec2<u32>(next & 1u, 0u));
  let square = w_wide(q, q);
  let low = w_sub(vec2<u32>(0u, u.x), square);
  let top_word = u.y - select(0u, 1u, w_lt(vec2<u32>(0u, u.x), square));
  var root = vec2<u32>(q, high.x);
  var exact = w_zero(low) && top_word == 0u;
  if ((top_word >> 31u) != 0u) {
    root = w_sub(root, vec2<u32>(1u, 0u));
    exact = false;
  }
  return Real(0u, a.exp >> 1u, vec2<u32>(root.x | select(1u, 0u, exact), root.y));
}

// real_shifted(a) returns a's man shifted to the place that an exponent of at least low asks for, sticky.
fn real_shifted(a: Real, low: i32) -> vec2<u32> {
  return w_shr_sticky(a.man, u32(max(low - a.exp, 0)));
}

// pack_f32(a) rounds to the nearest f32, ties to even; too large numbers become infinite.
fn pack_f32(a: Real) -> f32 {
  if (a.exp > 127) { return from_bits_f32(a.sign | 0x7f800000u); }
  let m = real_shifted(a, -126);
  let up = (m.y & 0x80u) != 0u && ((m.y & 0x17fu) | m.x) != 0u;
  let biased = u32(max(a.exp, -126) + 126);
  return from_bits_f32(a.sign | ((biased << 23u) + (m.y >> 8u) + select(0u, 1u, up)));
}

// pack_half(a) returns the bits of the nearest f16, ties to even; too large numbers become infinite.
fn pack_half(a: Real) -> u32 {
  let sign = a.sign >> 16u;
  if (a.exp > 15) { return sign | 0x7c00u; }
  let m = real_shifted(a, -14);
  let up = (m.y & 0x100000u) != 0u && ((m.y & 0x2fffffu) | m.x) != 0u;
  let biased = u32(max(a.exp, -14) + 14);
  return sign | ((biased << 10u) + (m.y >> 21u) + select(0u, 1u, up));
}

// pack_f64(a) rounds to the nearest f64, ties to even; too large numbers become infinite.
fn pack_f64(a: Real) -> F64 {
  let m = real_shifted(a, -1022);
  let up = (m.x & 0x400u) != 0u && (m.x & 0xbffu) != 0u;
  let biased = u32(max(a.exp, -1022) + 1022);
  let rounded = w_add(w_shr(m, 11u), vec2<u32>(select(0u, 1u, up), 0u));
  let finite = vec2<u32>(rounded.x, (rounded.y + (biased << 20u)) | a.sign);
  return f64_of_w(select(finite, vec2<u32>(0u, a.sign | 0x7ff00000u), a.exp > 1023));
}

// real_f32(x) is the value of x, which is finite.
fn real_f32(x: f32) -> Real {
  let bits = to_bits_f32(x);
  let biased = (bits >> 23u) & 0xffu;
  let man = ((bits & 0x7fffffu) | select(0x800000u, 0u, biased == 0u)) << 8u;
  return real_norm(bits & 0x80000000u, i32(max(biased, 1u)) - 127, vec2<u32>(0u, man));
}

// real_f64(x) is the value of x, which is finite.
fn real_f64(x: F64) -> Real {
  let w = w_of_f64(x);
  let biased = (w.y >> 20u) & 0x7ffu;
  let man = vec2<u32>(w.x, (w.y & 0xfffffu) | select(0x100000u, 0u, biased == 0u));
  return real_norm(w.y & 0x80000000u, i32(max(biased, 1u)) - 1023, w_shl(man, 11u));
}

// real_trunc_words(a) returns the integer part of |a| modulo 2^64.
fn real_trunc_words(a: Real) -> vec2<u32> {
  if (a.exp < 0 || a.exp > 126) { return vec2<u32>(); }
  if (a.exp > 63) { return w_shl(a.man, u32(a.exp - 63)); }
  return w_shr(a.man, u32(63 - a.exp));
}

// real_words(sign, a) is the number |a| of two words with a sign.
fn real_words(sign: u32, a: vec2<u32>) -> Real { return real_norm(sign, 63, a); }

// w4_shr_sticky(a, n) is a >> n on four words, for any n, sticky.
fn w4_shr_sticky(a: vec4<u32>, n: u32) -> vec4<u32> {
  if (n >= 128u) { return vec4<u32>(select(0u, 1u, any(a != vec4<u32>())), 0u, 0u, 0u); }
  let kept = w4_shr(a, n);
  return vec4<u32>(kept.x | select(0u, 1u, any(w4_shl(kept, n) != a)), kept.yzw);
}

// real_fma(a, b, c) is a · b + c, sticky, with the whole product; each has at most 53 bits. A zero sum is positive
// unless both terms are negative.
fn real_fma(a: Real, b: Real, c: Real) -> Real {
  let sign = a.sign ^ b.sign;
  var exp = a.exp + b.exp + 1;
  var p = w4_shr(w_mul_full(a.man, b.man), 1u);
  var d = w4_shr(vec4<u32>(0u, 0u, c.man), 1u);
  if (exp >= c.exp) {
    d = w4_shr_sticky(d, u32(exp - c.exp));
  } else {
    p = w4_shr_sticky(p, u32(c.exp - exp));
    exp = c.exp;
  }
  var out_sign = sign;
  var sum = w4_add(p, d);
  if (sign != c.sign) {
    sum = w4_sub(p, d);
    if ((sum.w >> 31u) != 0u) {
      sum = w4_sub(d, p);
      out_sign = c.sign;
    }
  }
  let n = w4_clz(sum);
  if (n == 128u) { return real_zero(sign & c.sign); }
  sum = w4_shl(sum, n);
  let sticky = select(1u, 0u, w_zero(sum.xy));
  return Real(out_sign, exp + 1 - i32(n), vec2<u32>(sum.z | sticky, sum.w));
}

// real_i64(x) is the integer x.
fn real_i64(x: I64) -> Real {
  let words = w_of_i64(x);
  return real_words(words.y & 0x80000000u, select(words, w_neg(words), (words.y >> 31u) != 0u));
}
