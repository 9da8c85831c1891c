// The representation of f16.
alias F16 = f16;

// to_bits_f16(x) returns the 16 bits of x.
fn to_bits_f16(x: F16) -> u32 { return half_bits(f32(x)); }

// from_bits_f16(bits) makes an f16 from its 16 bits.
fn from_bits_f16(bits: u32) -> F16 { return f16(half_value(bits)); }

// conv_f16_f32(x) is exact.
fn conv_f16_f32(x: F16) -> f32 { return f32(x); }

// conv_f32_f16(x) rounds to nearest, ties to even, in integers.
fn conv_f32_f16(x: f32) -> F16 { return from_bits_f16(half_bits(x)); }
