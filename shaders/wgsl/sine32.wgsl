// Turn32 is a reduced angle: quadrant · pi / 2 + r with |r| <= pi / 4.
struct Turn32 {
  quadrant: u32,
  r: f32,
}

// reduce_f32(x) is real_reduce for f32: a product with 96 bits of 2 / pi leaves 61 exact bits of fraction, and no f32
// is nearer than 2^-33 to a multiple of pi / 2. x is finite.
fn reduce_f32(x: f32) -> Turn32 {
  let bits = bitcast<u32>(x);
  let exp = i32((bits >> 23u) & 0xffu) - 127;
  if (exp < -1) { return Turn32(0u, x); }
  let offset = u32(exp + 62);
  let first = offset >> 5u;
  let shift = offset & 31u;
  var t = vec4<u32>(
    TABLE_TWO_OVER_PI[first], TABLE_TWO_OVER_PI[first + 1u],
    TABLE_TWO_OVER_PI[first + 2u], TABLE_TWO_OVER_PI[first + 3u]);
  t = (t << vec4<u32>(shift)) | ((vec4<u32>(t.yzw, 0u) >> vec4<u32>(1u)) >> vec4<u32>(31u - shift));
  let m = ((bits & 0x7fffffu) | 0x800000u) << 8u;
  let middle = w_add(w_wide(m, t.y), vec2<u32>(mul_hi_u32(m, t.z), 0u));
  let high = m * t.x + middle.y;
  var v = w_shl(vec2<u32>(middle.x, high), 3u);
  var quadrant = high >> 29u;
  var negative = (bits >> 31u) != 0u;
  if (negative) { quadrant = 0u - quadrant; }
  if ((v.y >> 31u) != 0u) {
    v = w_neg(v);
    quadrant += select(1u, 0xffffffffu, negative);
    negative = !negative;
  }
  let n = w_clz(v);
  let r = f32(mul_hi_u32(w_shl(v, n & 63u).y, 0xc90fdaa2u)) * bitcast<f32>((96u - n) << 23u);
  return Turn32(quadrant & 3u, select(r, -r, negative));
}

// sine_f32(turn, quarters) is the sine of a reduced angle with some quarters of a turn added. The polynomials have
// relative errors below 2^-27, interpolated at Chebyshev points.
fn sine_f32(turn: Turn32, quarters: u32) -> f32 {
  let q = turn.quadrant + quarters;
  let r = turn.r;
  let z = r * r;
  var s = 0x1.6dbdeep-19f;
  s = fma(s, z, -0x1.a013a8p-13f);
  s = fma(s, z, 0x1.11110ep-7f);
  s = fma(s, z, -0x1.555556p-3f);
  var c = -0x1.2474ccp-22f;
  c = fma(c, z, 0x1.a01298p-16f);
  c = fma(c, z, -0x1.6c16bap-10f);
  c = fma(c, z, 0x1.555556p-5f);
  c = fma(c, z, -0x1p-1f);
  let even = fma(z, c, 1.0);
  let odd = fma(r * z, s, r);
  let v = select(odd, even, (q & 1u) != 0u);
  return bitcast<f32>(bitcast<u32>(v) ^ ((q & 2u) << 30u));
}

// sine_far_f32(x, quarters) is the sine of x and some quarters of a turn, for |x| of 8,192 and more. Infinities and NaN give NaN.
fn sine_far_f32(x: f32, quarters: u32) -> f32 {
  if (!finite_f32(x)) { return nan_f32(); }
  return sine_f32(reduce_f32(x), quarters);
}

// sin_f32(x) is the sine, within 2 ulp, by reduce_near_f32 and sine_f32; below 2^-12 it is x. Zeros and NaN stay;
// infinities give NaN. The near sine is computed in any case, so that a compiler sees what sine and cosine of one angle share.
fn sin_f32(x: f32) -> f32 {
  let magnitude = bitcast<u32>(x) & 0x7fffffffu;
  var v = sine_f32(reduce_near_f32(x), 0u);
  if (magnitude >= 0x46000000u) { v = sine_far_f32(x, 0u); }
  return select(v, x, magnitude < 0x39800000u);
}

// cos_f32(x) is the cosine, within 2 ulp, by reduce_near_f32 and sine_f32. NaN stays; infinities give NaN.
fn cos_f32(x: f32) -> f32 {
  var v = sine_f32(reduce_near_f32(x), 1u);
  if ((bitcast<u32>(x) & 0x7fffffffu) >= 0x46000000u) { v = sine_far_f32(x, 1u); }
  return v;
}

// sin_cos_f32(x) is the sine and the cosine, as sin_f32 and cos_f32 give them.
fn sin_cos_f32(x: f32) -> vec2<f32> {
  let magnitude = bitcast<u32>(x) & 0x7fffffffu;
  let turn = reduce_near_f32(x);
  var v = vec2<f32>(sine_f32(turn, 0u), sine_f32(turn, 1u));
  if (magnitude >= 0x46000000u) { v = vec2<f32>(sine_far_f32(x, 0u), sine_far_f32(x, 1u)); }
  return vec2<f32>(select(v.x, x, magnitude < 0x39800000u), v.y);
}
