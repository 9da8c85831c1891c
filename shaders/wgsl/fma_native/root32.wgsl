// sqrt_f32(x) is the square root, correctly rounded: from the hardware's inverse root, which WGSL allows 2 ulp, by one of Goldschmidt's
// steps and the remainder (Markstein, IBM Journal of Research and Development 34, 1990). The remainder is exact above 2^-63; below,
// sqrt_words_f32 is taken. Zeros, infinity and NaN stay; negative numbers give NaN.
fn sqrt_f32(x: f32) -> f32 {
  if (bitcast<u32>(x) - 0x20000000u >= 0x5f800000u) { return sqrt_words_f32(x); }
  let y = inverseSqrt(x);
  let s = x * y;
  let h = 0.5 * y;
  let e = fma(-s, h, 0.5);
  let root = fma(s, e, s);
  return fma(fma(-root, root, x), fma(h, e, h), root);
}
