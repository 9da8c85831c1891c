// reduce_near_f32(x) is reduce_f32 for |x| below 8,192, by Cody and Waite's reduction: pi / 2 is in four parts, of which
// the first three have so few bits that n times each is exact without a fused operation. So are the first two
// differences, and what the third loses is added to the last part.
fn reduce_near_f32(x: f32) -> Turn32 {
  let w = whole_f32(x * 0x1.45f306p-1f);
  let n = w - 0x1.8p+23f;
  let a = pin_f32(fma(n, -0x1.fb4p-12f, pin_f32(fma(n, -0x1.92p+0f, x))));
  let part = n * 0x1.444p-24f;
  let b = pin_f32(a - part);
  let lost = (a - b) - part;
  return Turn32(bitcast<u32>(w), b + fma(n, -0x1.68c234p-39f, lost));
}
