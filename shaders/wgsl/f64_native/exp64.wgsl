// pin_f64(x) is x, in a way that no compiler sees, as pin_f32.
fn pin_f64(x: f64) -> f64 { return bitcast<f64>(min(bitcast<u64>(x), 0xfffffffffffffffelu)); }

// top_f64(x) is x with 26 bits, so that the product of two such numbers is exact.
fn top_f64(x: f64) -> f64 { return bitcast<f64>(bitcast<u64>(x) & 0xfffffffff8000000lu); }

// whole_f64(x) is 1.5 · 2^52 plus the nearest integer to x, for |x| < 2^50: its last bits are those of the integer.
fn whole_f64(x: f64) -> f64 { return pin_f64(x + 0x1.8p+52lf); }

// exp_part_f64(r) is e^r for |r| <= ln 2 / 2: 1 + r + r^2 q(r), of relative error 2^-61, interpolated at Chebyshev
// points.
fn exp_part_f64(r: f64) -> f64 {
  var q = 0x1.1f730349868cep-29lf;
  q = q * r + 0x1.af4de97ca4194p-26lf;
  q = q * r + 0x1.27e4db646b17ep-22lf;
  q = q * r + 0x1.71de0231960ebp-19lf;
  q = q * r + 0x1.a01a01a6d889cp-16lf;
  q = q * r + 0x1.a01a01abe7fe1p-13lf;
  q = q * r + 0x1.6c16c16c162d4p-10lf;
  q = q * r + 0x1.11111111100dcp-7lf;
  q = q * r + 0x1.5555555555556p-5lf;
  q = q * r + 0x1.5555555555557p-3lf;
  q = q * r + 0x1.0000000000000p-1lf;
  return 1.0lf + (r + r * r * q);
}

// exp2_part_f64(r) is 2^r for r in [-1/2, 1/2], of relative error 2^-56, likewise.
fn exp2_part_f64(r: f64) -> f64 {
  var p = 0x1.8219235aa2dd5p-40lf;
  p = p * r + 0x1.c4b5b2d6aa429p-36lf;
  p = p * r + 0x1.e8ca8dd338e62p-32lf;
  p = p * r + 0x1.e4cf03b929126p-28lf;
  p = p * r + 0x1.b5253d41fa5b4p-24lf;
  p = p * r + 0x1.62c0224601d28p-20lf;
  p = p * r + 0x1.ffcbfc5889cb0p-17lf;
  p = p * r + 0x1.430912f86ac5ap-13lf;
  p = p * r + 0x1.5d87fe78a6732p-10lf;
  p = p * r + 0x1.3b2ab6fba4e7bp-7lf;
  p = p * r + 0x1.c6b08d704a0c0p-5lf;
  p = p * r + 0x1.ebfbdff82c58fp-3lf;
  p = p * r + 0x1.62e42fefa39efp-1lf;
  return 1.0lf + r * p;
}

// power_of_two_f64(n) is 2^n in the normal range.
fn power_of_two_f64(n: i32) -> f64 { return f64_of_w(vec2<u32>(0u, u32(n + 1023) << 20u)); }

// scale_f64(x, w) is x · 2^n for x in [1/2, 2) and the integer n that whole_f64 found. A result that is subnormal or
// infinite is made by a second product.
fn scale_f64(x: f64, w: f64) -> f64 {
  let n = bitcast<i32>(w_of_f64(w).x);
  let first = clamp(n, -1021, 1022);
  return x * power_of_two_f64(first) * power_of_two_f64(clamp(n - first, -1021, 1022));
}

// exp_scaled_f64(x, w, part) is part · 2^n for the n of w, and where the argument x is so far out that there is none, the
// limit.
fn exp_scaled_f64(x: f64, w: f64, part: f64) -> f64 {
  let high = w_of_f64(x).y & 0x7fffffffu;
  if (high >= 0x40a00000u) {
    if (isnan_f64(x)) { return x; }
    return select(const_f64(0u, 0x7ff00000u), 0.0lf, (w_of_f64(x).y >> 31u) != 0u);
  }
  return scale_f64(part, w);
}

// exp_f64(x) is e^x, within 2 ulp, by exp_part_f64 after Cody and Waite's reduction by n · ln 2, whose upper part has
// so few bits that its product is exact. Infinity and NaN stay, and -infinity becomes 0.
fn exp_f64(x: F64) -> F64 {
  let w = whole_f64(x * 0x1.71547652b82fep+0lf);
  let n = w - 0x1.8p+52lf;
  return exp_scaled_f64(x, w, exp_part_f64(pin_f64(x - n * 0x1.62e42fefp-1lf) - n * 0x1.473de6af278edp-34lf));
}

// exp2_f64(x) is 2^x, within 2 ulp, by exp2_part_f64. Infinity and NaN stay, and -infinity becomes 0.
fn exp2_f64(x: F64) -> F64 {
  let w = whole_f64(x);
  return exp_scaled_f64(x, w, exp2_part_f64(x - (w - 0x1.8p+52lf)));
}

// exp10_f64(x) is 10^x, within 2 ulp, by exp_part_f64 after a reduction by n · log10 2 like that of e^x. Infinity
// and NaN stay, and -infinity becomes 0.
fn exp10_f64(x: F64) -> F64 {
  let w = whole_f64(x * 0x1.a934f0979a371p+1lf);
  let n = w - 0x1.8p+52lf;
  let r = pin_f64(x - n * 0x1.34413509p-2lf) - n * 0x1.ef3fde623e256p-35lf;
  return exp_scaled_f64(x, w, exp_part_f64(pin_f64(r) * 0x1.26bb1bbb55516p+1lf));
}
