// Log64 is a positive finite number 2^k · (1 + f) with 1 + f in [sqrt 1/2, sqrt 2], and what its logarithm is made of:
// ln(1 + f) = f - half + rest, half = f^2 / 2.
struct Log64 {
  k: f64,
  f: f64,
  half: f64,
  rest: f64,
}

// log_parts_f64(x) takes a positive finite number apart. With s = f / (2 + f), rest is s (half + s^2 R(s^2)), as in
// FreeBSD's e_log.c (Sun Microsystems 1993); R leaves a relative error of 2^-57, interpolated at Chebyshev points.
fn log_parts_f64(x: f64) -> Log64 {
  var w = w_of_f64(x);
  var n = 0;
  if (w.y < 0x100000u) {
    w = w_of_f64(conv_u64_f64(u64_of_w(w)));
    n = -1074;
  }
  let moved = w.y - 0x3fe6a09eu;
  n += bitcast<i32>(moved) >> 20u;
  let f = f64_of_w(vec2<u32>(w.x, (moved & 0xfffffu) + 0x3fe6a09eu)) - 1.0lf;
  let s = f / (2.0lf + f);
  let z = s * s;
  var p = 0x1.2b599832cda5fp-3lf;
  p = p * z + 0x1.39fe456914f0ap-3lf;
  p = p * z + 0x1.7462b57b07d1ep-3lf;
  p = p * z + 0x1.c71c62e2a5ac1p-3lf;
  p = p * z + 0x1.2492492df3859p-2lf;
  p = p * z + 0x1.99999999952cep-2lf;
  p = p * z + 0x1.5555555555558p-1lf;
  let half = 0.5lf * f * f;
  return Log64(f64(n), f, half, s * (half + z * p));
}

// log_is_far_f64(x) is true of zeros, negative numbers, infinity and NaN.
fn log_is_far_f64(x: f64) -> bool { return bitcast<u64>(x) - 1lu >= 0x7feffffffffffffflu; }

// log_far_f64(x) is the logarithm to any base where log_is_far_f64.
fn log_far_f64(x: f64) -> f64 {
  if (zero_f64(x)) { return const_f64(0u, 0xfff00000u); }
  if (isnan_f64(x) || (w_of_f64(x).y >> 31u) == 0u) { return x; }
  return nan_f64();
}

// log_f64(x) is the natural logarithm, within 2 ulp, by log_parts_f64; ln 2 is in two parts, and k times the first is
// exact. Zeros give -infinity, negative numbers NaN; infinity and NaN stay.
fn log_f64(x: F64) -> F64 {
  if (log_is_far_f64(x)) { return log_far_f64(x); }
  let l = log_parts_f64(x);
  return l.k * 0x1.62e42fefp-1lf + (l.f - (l.half - (l.rest + l.k * 0x1.473de6af278edp-34lf)));
}

// log_scaled_f64(l, high, low, two_high, two_low) is log_scaled_f32 for f64.
fn log_scaled_f64(l: Log64, high: f64, low: f64, two_high: f64, two_low: f64) -> f64 {
  let top = top_f64(l.f - l.half);
  let bottom = ((l.f - top) - l.half) + l.rest;
  let whole = l.k * two_high;
  let part = top * high;
  let sum = pin_f64(whole + part);
  let lost = (whole - sum) + part;
  return sum + (lost + (bottom * high + (l.k * two_low + (bottom + top) * low)));
}

// log2_f64(x) is the binary logarithm, within 2 ulp, by log_scaled_f64. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log2_f64(x: F64) -> F64 {
  if (log_is_far_f64(x)) { return log_far_f64(x); }
  return log_scaled_f64(log_parts_f64(x), 0x1.715476p+0lf, 0x1.4ae0bf85ddf44p-26lf, 1.0lf, 0.0lf);
}

// log10_f64(x) is the decimal logarithm, within 2 ulp, by log_scaled_f64. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log10_f64(x: F64) -> F64 {
  if (log_is_far_f64(x)) { return log_far_f64(x); }
  let l = log_parts_f64(x);
  return log_scaled_f64(l, 0x1.bcb7b1p-2lf, 0x1.49b9438ca9aaep-28lf, 0x1.34413509p-2lf, 0x1.ef3fde623e256p-35lf);
}
