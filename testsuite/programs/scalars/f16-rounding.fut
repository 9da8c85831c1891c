-- Sums, differences, products and fused multiply-adds of f16 are rounded once: they are what the same operation computes in a wider type, in which
-- it is exact or rounded so that rounding again does no harm. NaN, whose bits may be any, is compared as such.
-- ==
-- input { 20000i64 }
-- output { true }
-- compiled input { 200000i64 }
-- output { true }

-- Numbers of all exponents, and now and then infinities and NaN.
def number (i: i64) (k: u32) : f16 =
  f16.from_bits (u16.u32 (((u32.i64 i + k) * 2654435761) >> 13))

def same (x: f16) (y: f16) : bool =
  (f16.isnan x && f16.isnan y) || f16.to_bits x == f16.to_bits y

def right (i: i64) : bool =
  let x = number i 1
  let y = number i 77777
  let z = number i 1234567
  let product = f64.f16 x * f64.f16 y
  let sum = product + f64.f16 z
  let exact = sum - product == f64.f16 z && sum - f64.f16 z == product
  in same (x + y) (f16.f32 (f32.f16 x + f32.f16 y))
     && same (x - y) (f16.f32 (f32.f16 x - f32.f16 y))
     && same (x * y) (f16.f32 (f32.f16 x * f32.f16 y))
     && same (x / y) (f16.f32 (f32.f16 x / f32.f16 y))
     && (!exact || same (f16.fma x y z) (f16.f64 sum))
     && (f16.isnan x || f16.to_bits (-x) == (f16.to_bits x ^ 0x8000))
     && (f16.isnan x || f16.to_bits (f16.abs x) == (f16.to_bits x & 0x7fff))
     && (x < y) == (f32.f16 x < f32.f16 y)
     && same (f16.max x y) (f16.f32 (f32.max (f32.f16 x) (f32.f16 y)))
     && same (f16.min x y) (f16.f32 (f32.min (f32.f16 x) (f32.f16 y)))
     && same (f16.f32 (f32.f16 x)) x

def main (n: i64) : bool = and (map right (iota n))
