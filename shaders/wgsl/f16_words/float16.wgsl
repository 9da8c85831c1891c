// The representation of f16: an f32 whose value is an f16's.
alias F16 = f32;

// to_bits_f16(x) returns the 16 bits of x.
fn to_bits_f16(x: F16) -> u32 { return half_bits(x); }

// from_bits_f16(bits) makes an f16 from its 16 bits.
fn from_bits_f16(bits: u32) -> F16 { return half_value(bits); }

// conv_f16_f32(x) is exact.
fn conv_f16_f32(x: F16) -> f32 { return x; }

// conv_f32_f16(x) rounds to nearest, ties to even.
fn conv_f32_f16(x: f32) -> F16 { return half_value(half_bits(x)); }

// norm_f16(x) rounds the result of an f32 operation on f16 numbers, which is the f16 operation's result.
fn norm_f16(x: f32) -> F16 { return half_value(half_bits(x)); }

// add_f16(x, y) is x + y; the double rounding is innocuous, since 24 >= 2 · 11 + 2.
fn add_f16(x: F16, y: F16) -> F16 { return norm_f16(x + y); }

// sub_f16(x, y) is x - y.
fn sub_f16(x: F16, y: F16) -> F16 { return norm_f16(x - y); }

// mul_f16(x, y) is x · y, whose f32 product is exact.
fn mul_f16(x: F16, y: F16) -> F16 { return norm_f16(x * y); }
