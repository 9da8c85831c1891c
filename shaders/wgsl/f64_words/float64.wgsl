// The representation of f64: its bits, (low, high).
alias F64 = vec2<u32>;

// w_of_f64(x) returns the two words of the bits of x.
fn w_of_f64(x: F64) -> vec2<u32> { return x; }

// f64_of_w(bits) makes an f64 from its two words.
fn f64_of_w(bits: vec2<u32>) -> F64 { return bits; }

// const_f64(low, high) makes an f64 from the words of its bits.
fn const_f64(low: u32, high: u32) -> F64 { return vec2<u32>(low, high); }

// add_special_f64(x, y) is x + y where one of them is not finite.
fn add_special_f64(x: F64, y: F64) -> F64 {
  let clash = isinf_f64(x) & isinf_f64(y) & (x.y != y.y);
  return select(select(y, x, isinf_f64(x)), nan_f64(), isnan_f64(x) | isnan_f64(y) | clash);
}

// add_f64(x, y) is x + y, correctly rounded.
fn add_f64(x: F64, y: F64) -> F64 {
  var sum = pack_f64(real_add(real_f64(x), real_f64(y)));
  if (!(finite_f64(x) & finite_f64(y))) { sum = add_special_f64(x, y); }
  return sum;
}

// sub_f64(x, y) is x - y, correctly rounded.
fn sub_f64(x: F64, y: F64) -> F64 { return add_f64(x, neg_f64(y)); }

// mul_special_f64(x, y) is x · y where one of them is not finite.
fn mul_special_f64(x: F64, y: F64) -> F64 {
  let infinite = vec2<u32>(0u, ((x.y ^ y.y) & 0x80000000u) | 0x7ff00000u);
  return select(infinite, nan_f64(), isnan_f64(x) | isnan_f64(y) | zero_f64(x) | zero_f64(y));
}

// mul_f64(x, y) is x · y, correctly rounded.
fn mul_f64(x: F64, y: F64) -> F64 {
  var product = pack_f64(real_mul(real_f64(x), real_f64(y)));
  if (!(finite_f64(x) & finite_f64(y))) { product = mul_special_f64(x, y); }
  return product;
}

// div_f64(x, y) is x / y, correctly rounded.
fn div_f64(x: F64, y: F64) -> F64 {
  let sign = (x.y ^ y.y) & 0x80000000u;
  if (isnan_f64(x) || isnan_f64(y)) { return nan_f64(); }
  if (isinf_f64(x) || zero_f64(y)) {
    if (isinf_f64(y) || zero_f64(x)) { return nan_f64(); }
    return vec2<u32>(0u, sign | 0x7ff00000u);
  }
  if (isinf_f64(y)) { return vec2<u32>(0u, sign); }
  return pack_f64(real_div(real_f64(x), real_f64(y)));
}

// sqrt_f64(x) is the square root, correctly rounded.
fn sqrt_f64(x: F64) -> F64 {
  if (zero_f64(x) || isnan_f64(x)) { return x; }
  if ((x.y >> 31u) != 0u) { return nan_f64(); }
  if (isinf_f64(x)) { return x; }
  return pack_f64(real_sqrt(real_f64(x)));
}

// recip_f64(x) is 1 / x, correctly rounded.
fn recip_f64(x: F64) -> F64 { return div_f64(vec2<u32>(0u, 0x3ff00000u), x); }

// mad_f64(a, b, c) is a · b + c, rounded twice.
fn mad_f64(a: F64, b: F64, c: F64) -> F64 { return add_f64(mul_f64(a, b), c); }

// conv_f32_f64(x) is exact.
fn conv_f32_f64(x: f32) -> F64 {
  if (finite_f32(x)) { return pack_f64(real_f32(x)); }
  let bits = bitcast<u32>(x);
  return vec2<u32>(bits << 29u, (bits & 0x80000000u) | 0x7ff00000u | ((bits >> 3u) & 0xfffffu));
}

// conv_f64_f32(x) rounds to nearest, ties to even.
fn conv_f64_f32(x: F64) -> f32 {
  if (finite_f64(x)) { return pack_f32(real_f64(x)); }
  if (isnan_f64(x)) { return nan_f32(); }
  return from_bits_f32((x.y & 0x80000000u) | 0x7f800000u);
}

// conv_i32_f64(x) is exact.
fn conv_i32_f64(x: i32) -> F64 { return pack_f64(real_int(x)); }

// conv_u32_f64(x) is exact.
fn conv_u32_f64(x: u32) -> F64 { return pack_f64(real_words(0u, vec2<u32>(x, 0u))); }

// conv_i64_f64(x) rounds to nearest, ties to even.
fn conv_i64_f64(x: I64) -> F64 {
  return pack_f64(real_i64(x));
}

// conv_u64_f64(x) rounds to nearest, ties to even.
fn conv_u64_f64(x: U64) -> F64 { return pack_f64(real_words(0u, w_of_u64(x))); }

// lerp_f64(a, b, t) is a + (b - a) · t with t clamped to [0, 1]; NaN counts as 1.
fn lerp_f64(a: F64, b: F64, t: F64) -> F64 {
  let clamped = max_f64(vec2<u32>(), min_f64(vec2<u32>(0u, 0x3ff00000u), t));
  return add_f64(a, mul_f64(sub_f64(b, a), clamped));
}
