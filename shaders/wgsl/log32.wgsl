// Log32 is a positive finite number 2^k · (1 + f) with 1 + f in [sqrt 1/2, sqrt 2], and what its logarithm is made of:
// ln(1 + f) = f - half + rest, half = f^2 / 2.
struct Log32 {
  k: f32,
  f: f32,
  half: f32,
  rest: f32,
}

// log_parts_f32(bits) takes a positive finite number apart. The polynomial of (ln(1 + f) - f + f^2 / 2) / f^3 leaves a
// relative error of 2^-30 of the logarithm; weighted least squares at Chebyshev points.
fn log_parts_f32(bits: u32) -> Log32 {
  var b = bits;
  var n = 0;
  if (b < 0x800000u) {
    let shift = countLeadingZeros(b) - 8u;
    b <<= shift;
    n = -i32(shift);
  }
  let moved = b - 0x3f3504f3u;
  n += bitcast<i32>(moved) >> 23u;
  let f = bitcast<f32>((moved & 0x7fffffu) + 0x3f3504f3u) - 1.0;
  var p = 0x1.14575cp-4f;
  p = fma(p, f, -0x1.de3c2ap-4f);
  p = fma(p, f, 0x1.e6f09ap-4f);
  p = fma(p, f, -0x1.fc2208p-4f);
  p = fma(p, f, 0x1.233764p-3f);
  p = fma(p, f, -0x1.555c4ep-3f);
  p = fma(p, f, 0x1.99a4b6p-3f);
  p = fma(p, f, -0x1.000006p-2f);
  p = fma(p, f, 0x1.555548p-2f);
  let z = f * f;
  return Log32(of_small_f32(n), f, 0.5 * z, f * z * p);
}

// log_is_far_f32(bits) is true of zeros, negative numbers, infinity and NaN.
fn log_is_far_f32(bits: u32) -> bool { return bits - 1u >= 0x7f7fffffu; }

// log_far_f32(x) is the logarithm to any base where log_is_far_f32.
fn log_far_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if ((bits & 0x7fffffffu) == 0u) { return from_bits_f32(0xff800000u); }
  if (isnan_f32(x) || bits == 0x7f800000u) { return x; }
  return nan_f32();
}

// log_f32(x) is the natural logarithm, within 2 ulp, by log_parts_f32; ln 2 is in two parts, and k times the first is
// exact. Zeros give -infinity, negative numbers NaN; infinity and NaN stay.
fn log_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (log_is_far_f32(bits)) { return log_far_f32(x); }
  let l = log_parts_f32(bits);
  return fma(l.k, 0x1.62e3p-1f, l.f - (l.half - fma(l.k, 0x1.2fefa2p-17f, l.rest)));
}

// log_scaled_f32(l, high, low, two_high, two_low) is the logarithm times high + low, where two_high + two_low is
// ln 2 times that. The logarithm of 1 + f is taken in two parts, of which the first has 12 bits, as have high and
// two_high: their products are exact, and so is what the sum of the products loses (Dekker, A floating-point technique
// for extending the available precision, 1971).
fn log_scaled_f32(l: Log32, high: f32, low: f32, two_high: f32, two_low: f32) -> f32 {
  let top = bitcast<f32>(bitcast<u32>(l.f - l.half) & 0xfffff000u);
  let bottom = ((l.f - top) - l.half) + l.rest;
  let whole = l.k * two_high;
  let part = top * high;
  let sum = pin_f32(whole + part);
  let lost = (whole - sum) + part;
  return sum + (lost + fma(bottom, high, fma(l.k, two_low, (bottom + top) * low)));
}

// log2_f32(x) is the binary logarithm, within 1 ulp, by log_scaled_f32. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log2_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (log_is_far_f32(bits)) { return log_far_f32(x); }
  return log_scaled_f32(log_parts_f32(bits), 0x1.714p+0f, 0x1.47652cp-12f, 1.0, 0.0);
}

// log10_f32(x) is the decimal logarithm, within 1 ulp, by log_scaled_f32. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log10_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (log_is_far_f32(bits)) { return log_far_f32(x); }
  return log_scaled_f32(log_parts_f32(bits), 0x1.bccp-2f, -0x1.09d5b2p-15f, 0x1.344p-2f, 0x1.3509f8p-18f);
}
