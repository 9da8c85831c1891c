// Pair64 is the number high + low; what is lost in high is in low.
struct Pair64 {
  high: f64,
  low: f64,
}

// log2_pair_f64(x) is the binary logarithm of a positive finite number, with a relative error of about 2^-65; high has
// 26 bits. The method is that of log2_pair_f32.
fn log2_pair_f64(x: f64) -> Pair64 {
  var bits = w_of_f64(x);
  var n = -1023;
  if (bits.y < 0x100000u) {
    bits = w_of_f64(conv_u64_f64(u64_of_w(bits)));
    n = -1023 - 1074;
  }
  n += i32(bits.y >> 20u);
  let j = bits.y & 0xfffffu;
  var m = f64_of_w(vec2<u32>(bits.x, j | 0x3ff00000u));
  let middle = j >= 0x3988eu && j < 0xbb67au;
  if (j >= 0xbb67au) {
    m *= 0.5lf;
    n += 1;
  }
  let c = select(1.0lf, 1.5lf, middle);
  let u = m - c;
  let t = pin_f64(m + c);
  let v = 1.0lf / t;
  let t_high = top_f64(t);
  let s = u * v;
  let s_high = top_f64(s);
  let s_low = v * (pin_f64(u - s_high * t_high) - s_high * (m - (t_high - c)));
  let z = s * s;
  var series = 0x1.a4dffa8ca3038p-3lf;
  series = series * z + 0x1.d87c29e505a4fp-3lf;
  series = series * z + 0x1.1745e8278b5b1p-2lf;
  series = series * z + 0x1.5555554764a4ep-2lf;
  series = series * z + 0x1.b6db6db6de8eap-2lf;
  series = series * z + 0x1.3333333333332p-1lf;
  let rest = z * z * series + s_low * (s_high + s);
  let square = s_high * s_high;
  let g_high = top_f64(3.0lf + square + rest);
  let g_low = rest - ((g_high - 3.0lf) - square);
  let p = s_high * g_high;
  let p_rest = s_low * g_high + g_low * s;
  let p_high = top_f64(p + p_rest);
  let p_low = p_rest - (p_high - p);
  let whole = f64(n);
  let c_high = select(0.0lf, 0x1.2b80340000000p-1lf, middle);
  let c_low = select(0.0lf, 0x1.cfdeb43cfd006p-27lf, middle);
  let q = 0x1.ec709dp-1lf * p_high;
  let q_low = 0x1.87407fae93f83p-26lf * p_high + (p_low * 0x1.ec709dc3a03fdp-1lf + c_low);
  let high = top_f64(((q + q_low) + c_high) + whole);
  return Pair64(high, q_low - (((high - whole) - c_high) - q));
}

// power_f64(x, y) is x^y for a positive finite x and a finite y: 2^(y · log2 x), of which the product is taken in two
// parts.
fn power_f64(x: f64, y: f64) -> f64 {
  let l = log2_pair_f64(x);
  let y_high = top_f64(y);
  let high = y_high * l.high;
  let low = (y - y_high) * l.high + y * l.low;
  let e = high + low;
  if (!(abs_f64(e) < 1100.0lf)) { return select(const_f64(0u, 0x7ff00000u), 0.0lf, (w_of_f64(e).y >> 31u) != 0u); }
  let w = whole_f64(e);
  let whole = high - (w - 0x1.8p+52lf);
  let r = pin_f64(whole + low);
  let p = exp2_part_f64(r);
  return scale_f64(p + p * ((low - (r - whole)) * 0x1.62e42fefa39efp-1lf), w);
}

// pow_f64(x, y) is x^y, within 2 ulp, by power_f64. The special cases are those of C: 1 where x is 1 or y is 0,
// whatever the other; NaN for negative x unless y is an integer. A positive finite x, subnormal ones too, and a finite y are none.
fn pow_f64(x: F64, y: F64) -> F64 {
  let w = w_of_f64(x);
  if (w.y < 0x7ff00000u && (w.x | w.y) != 0u && finite_f64(y)) { return power_f64(x, y); }
  let wild = real_pow_wild(in_f64(x), in_f64(y));
  if (wild.exp != 0x30000) { return out_f64(wild); }
  return sign_f64(power_f64(abs_f64(x), y), 0xffffffffu, wild.sign);
}
