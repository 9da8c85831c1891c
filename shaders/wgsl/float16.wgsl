// half_bits(x) gives the bits of the f16 nearest to x, ties to even.
fn half_bits(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let sign = (bits >> 16u) & 0x8000u;
  let a = bits & 0x7fffffffu;
  if (a > 0x7f800000u) { return sign | 0x7e00u; }
  if (a >= 0x477ff000u) { return sign | 0x7c00u; }
  if (a >= 0x38800000u) { return sign | ((a - 0x38000000u + 0xfffu + ((a >> 13u) & 1u)) >> 13u); }
  if (a < 0x33000000u) { return sign; }
  let shift = 126u - (a >> 23u);
  let m = (a & 0x7fffffu) | 0x800000u;
  let kept = m >> shift;
  let lost = m << (32u - shift);
  return sign | (kept + select(0u, 1u, lost > 0x80000000u || (lost == 0x80000000u && (kept & 1u) != 0u)));
}

// half_value(bits) is the value of an f16, exactly.
fn half_value(bits: u32) -> f32 {
  let sign = (bits & 0x8000u) << 16u;
  let a = bits & 0x7fffu;
  if (a >= 0x7c00u) { return from_bits_f32(sign | 0x7f800000u | ((a & 0x3ffu) << 13u)); }
  if (a >= 0x400u) { return from_bits_f32(sign | ((a << 13u) + 0x38000000u)); }
  return from_bits_f32(sign | bitcast<u32>(f32(a) * 0x1p-24f));
}
