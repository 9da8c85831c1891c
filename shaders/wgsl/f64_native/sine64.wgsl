// Turn64 is a reduced angle: quadrant · pi / 2 + r + low with |r| <= pi / 4; low is what is lost in r.
struct Turn64 {
  quadrant: u32,
  r: f64,
  low: f64,
}

// reduce_near_f64(x) is the reduced angle for |x| below 2^20, as reduce_near_f32: three parts of pi / 2 have 30 bits.
fn reduce_near_f64(x: f64) -> Turn64 {
  let w = whole_f64(x * 0x1.45f306dc9c883p-1lf);
  let n = w - 0x1.8p+52lf;
  let a = pin_f64(pin_f64(x - n * 0x1.921fb54p+0lf) - n * 0x1.10b46118p-30lf);
  let part = n * 0x1.313198ap-61lf;
  let b = pin_f64(a - part);
  let lost = (a - b) - part;
  let last = lost - n * 0x1.701b839a25205p-92lf;
  let r = pin_f64(b + last);
  return Turn64(w_of_f64(w).x, r, last - (r - b));
}

// sine_f64(turn, quarters) is the sine of a reduced angle with some quarters of a turn added; the polynomials have
// relative errors below 2^-55 and are interpolated at Chebyshev points.
fn sine_f64(turn: Turn64, quarters: u32) -> f64 {
  let q = turn.quadrant + quarters;
  let r = turn.r;
  let z = r * r;
  var v = 0.0lf;
  if ((q & 1u) == 0u) {
    var s = 0x1.5e0a4fc16be59p-33lf;
    s = s * z + -0x1.ae6008d114485p-26lf;
    s = s * z + 0x1.71de37946ed6dp-19lf;
    s = s * z + -0x1.a01a019e820aep-13lf;
    s = s * z + 0x1.1111111110babp-7lf;
    s = s * z + -0x1.5555555555555p-3lf;
    v = r + (r * z * s + turn.low);
  } else {
    var c = -0x1.907cd8ff5ede7p-37lf;
    c = c * z + 0x1.1eeb67d026ec6p-29lf;
    c = c * z + -0x1.27e4fa16cc2d1p-22lf;
    c = c * z + 0x1.a01a019f4ddfdp-16lf;
    c = c * z + -0x1.6c16c16c16963p-10lf;
    c = c * z + 0x1.5555555555555p-5lf;
    let half = 0.5lf * z;
    let top = pin_f64(1.0lf - half);
    v = top + (((1.0lf - top) - half) + (z * z * c - r * turn.low));
  }
  return sign_f64(v, 0xffffffffu, (q & 2u) << 30u);
}

// sin_f64(x) is the sine, within 2 ulp, by reduce_near_f64 and sine_f64, and beyond 2^20 by real_sin; below 2^-28 it is
// x. Zeros and NaN stay; infinities give NaN.
fn sin_f64(x: F64) -> F64 {
  let high = w_of_f64(x).y & 0x7fffffffu;
  var v = sine_f64(reduce_near_f64(x), 0u);
  if (high >= 0x41300000u) { v = out_f64(real_sin(in_f64(x))); }
  return select(v, x, high < 0x3e300000u);
}

// cos_f64(x) is the cosine, within 2 ulp, by reduce_near_f64 and sine_f64, and beyond 2^20 by real_cos. NaN stays;
// infinities give NaN.
fn cos_f64(x: F64) -> F64 {
  var v = sine_f64(reduce_near_f64(x), 1u);
  if ((w_of_f64(x).y & 0x7fffffffu) >= 0x41300000u) { v = out_f64(real_cos(in_f64(x))); }
  return v;
}
