// Pair32 is the number high + low; what is lost in high is in low.
struct Pair32 {
  high: f32,
  low: f32,
}

// top_f32(x) is x with 12 bits, so that the product of two such numbers is exact.
fn top_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u); }

// log2_pair_f32(bits) is the binary logarithm of a positive finite number, with a relative error of 2^-33; high has 12
// bits. With c = 1 or 3/2, whichever is nearer to the mantissa m, and s = (m - c) / (m + c), ln(m / c) is 2/3 (3 s + s^3 +
// s^5 L(s^2)); L is fitted by least squares. Each product is exact or small. The method is that of FreeBSD's e_powf.c (Sun
// Microsystems 1993).
fn log2_pair_f32(bits: u32) -> Pair32 {
  let shift = select(0u, countLeadingZeros(bits) - 8u, bits < 0x800000u);
  let b = bits << shift;
  let j = b & 0x7fffffu;
  var m = bitcast<f32>(j | 0x3f800000u);
  var n = i32(max(b >> 23u, 1u)) - 127 - i32(shift);
  let middle = j > 0x1cc471u && j < 0x5db3d8u;
  if (j >= 0x5db3d8u) {
    m *= 0.5;
    n += 1;
  }
  let c = select(1.0, 1.5, middle);
  let u = m - c;
  let t = pin_f32(m + c);
  let v = 1.0 / t;
  let t_high = top_f32(t);
  let s = u * v;
  let s_high = top_f32(s);
  let s_low = v * (pin_f32(u - s_high * t_high) - s_high * (m - (t_high - c)));
  let z = s * s;
  let rest = z * z * fma(fma(0x1.5b8e4ap-2f, z, 0x1.b6d04ap-2f), z, 0x1.333336p-1f) + s_low * (s_high + s);
  let square = s_high * s_high;
  let g_high = top_f32(3.0 + square + rest);
  let g_low = rest - ((g_high - 3.0) - square);
  let p = s_high * g_high;
  let p_rest = fma(s_low, g_high, g_low * s);
  let p_high = top_f32(p + p_rest);
  let p_low = p_rest - (p_high - p);
  let whole = of_small_f32(n);
  let c_high = select(0.0, 0x1.2b8p-1f, middle);
  let c_low = select(0.0, 0x1.a39fbep-20f, middle);
  let q = 0x1.ec8p-1f * p_high;
  let q_low = fma(-0x1.ec478cp-14f, p_high, fma(p_low, 0x1.ec709ep-1f, c_low));
  let high = top_f32(((q + q_low) + c_high) + whole);
  return Pair32(high, q_low - (((high - whole) - c_high) - q));
}

// power_f32(bits, y) is x^y for a positive finite x of these bits and a finite y: 2^(y · log2 x), of which the product
// is taken in two parts.
fn power_f32(bits: u32, y: f32) -> f32 {
  let l = log2_pair_f32(bits);
  let y_high = top_f32(y);
  let high = y_high * l.high;
  let low = fma(y - y_high, l.high, y * l.low);
  let e = high + low;
  if (!(abs(e) < 160.0)) { return select(from_bits_f32(0x7f800000u), 0.0, e < 0.0); }
  let w = whole_f32(e);
  let whole = high - (w - 0x1.8p+23f);
  let r = pin_f32(whole + low);
  let p = exp2_part_f32(r);
  return scale_f32(fma(p, (low - (r - whole)) * 0x1.62e43p-1f, p), to_small_f32(w));
}

// parity_f32(y) is 0 for even integers, 1 for odd ones and 2 for other numbers; y is finite and not zero.
fn parity_f32(y: f32) -> u32 {
  let bits = bitcast<u32>(y);
  let biased = (bits >> 23u) & 0xffu;
  if (biased > 150u) { return 0u; }
  if (biased < 127u) { return 2u; }
  let m = (bits & 0x7fffffu) | 0x800000u;
  let places = 150u - biased;
  return select((m >> places) & 1u, 2u, (m & ((1u << places) - 1u)) != 0u);
}

// pow_f32(x, y) is x^y, within 2 ulp, by power_f32. The special cases are those of C: 1 where x is 1 or y is 0,
// whatever the other; NaN for negative x unless y is an integer.
fn pow_f32(x: f32, y: f32) -> f32 {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  if (bits - 1u >= 0x7f7fffffu || (bitcast<u32>(y) & 0x7fffffffu) - 1u >= 0x7f7fffffu) {
    return out_f32(real_pow_wild(in_f32(x), in_f32(y)));
  }
  let p = power_f32(bits, y);
  if ((bitcast<u32>(x) >> 31u) == 0u) { return p; }
  let parity = parity_f32(y);
  if (parity == 2u) { return nan_f32(); }
  return bitcast<f32>(bitcast<u32>(p) | (parity << 31u));
}
