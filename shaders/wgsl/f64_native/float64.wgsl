// The representation of f64.
alias F64 = f64;

// w_of_f64(x) returns the two words of the bits of x.
fn w_of_f64(x: F64) -> vec2<u32> { return w_of_u64(bitcast<u64>(x)); }

// f64_of_w(bits) makes an f64 from its two words.
fn f64_of_w(bits: vec2<u32>) -> F64 { return bitcast<f64>(u64_of_w(bits)); }

// const_f64(low, high) makes an f64 from the words of its bits.
fn const_f64(low: u32, high: u32) -> F64 { return bitcast<f64>(u64_of_w(vec2<u32>(low, high))); }

// sqrt_f64(x) is the square root, the hardware's.
fn sqrt_f64(x: F64) -> F64 {
  if (isnan_f64(x) || zero_f64(x)) { return x; }
  let w = w_of_f64(x);
  if ((w.y >> 31u) != 0u) { return nan_f64(); }
  if (isinf_f64(x)) { return x; }
  return sqrt(x);
}

// recip_f64(x) is 1 / x, the hardware's.
fn recip_f64(x: F64) -> F64 { return 1.0lf / x; }

// mad_f64(a, b, c) is a · b + c, usually rounded twice; a driver may fuse it.
fn mad_f64(a: F64, b: F64, c: F64) -> F64 { return a * b + c; }

// conv_f32_f64(x) is exact; numbers that hardware may flush or canonicalise are widened on their bits.
fn conv_f32_f64(x: f32) -> F64 {
  let bits = bitcast<u32>(x);
  let biased = (bits >> 23u) & 0xffu;
  if (biased == 0u) { return pack_f64(real_f32(x)); }
  if (biased < 255u) { return f64(x); }
  return const_f64(bits << 29u, (bits & 0x80000000u) | 0x7ff00000u | ((bits >> 3u) & 0xfffffu));
}

// conv_f64_f32(x) rounds to nearest, ties to even; it is done in integers where the result is subnormal or wild.
fn conv_f64_f32(x: F64) -> f32 {
  let biased = (w_of_f64(x).y >> 20u) & 0x7ffu;
  if (biased > 897u && biased < 1150u) { return f32(x); }
  if (biased < 2047u) { return pack_f32(real_f64(x)); }
  if (isnan_f64(x)) { return nan_f32(); }
  return from_bits_f32((w_of_f64(x).y & 0x80000000u) | 0x7f800000u);
}

// conv_i32_f64(x) is exact.
fn conv_i32_f64(x: i32) -> F64 { return f64(x); }

// conv_u32_f64(x) is exact.
fn conv_u32_f64(x: u32) -> F64 { return f64(x); }

// conv_i64_f64(x) rounds to nearest, ties to even: the sum of two exact terms.
fn conv_i64_f64(x: I64) -> F64 {
  return f64(i32(x >> 32u)) * 4294967296.0lf + f64(u32(bitcast<u64>(x) & 0xfffffffflu));
}

// conv_u64_f64(x) rounds to nearest, ties to even: the sum of two exact terms.
fn conv_u64_f64(x: U64) -> F64 { return f64(u32(x >> 32u)) * 4294967296.0lf + f64(u32(x & 0xfffffffflu)); }

// lerp_f64(a, b, t) is a + (b - a) · t with t clamped to [0, 1]; NaN counts as 1.
fn lerp_f64(a: F64, b: F64, t: F64) -> F64 { return a + (b - a) * max_f64(0.0lf, min_f64(1.0lf, t)); }
