-- Floats follow IEEE 754: infinities, what is not a number, signed zeroes.
-- ==
-- entry: special
-- input { 0f64 } output { true true false true -0.0f64 }

-- Conversions to integers drop the fraction; what has no integer becomes zero.
-- ==
-- entry: to_integer
-- input { 2.9 } output { 2i32 2u8 2i64 }
-- input { -2.9 } output { -2i32 254u8 -2i64 }
-- input { f64.nan } output { 0i32 0u8 0i64 }
-- input { f64.inf } output { 0i32 0u8 0i64 }

-- Halves round to the even neighbour.
-- ==
-- entry: rounding
-- input { [0.5, 1.5, 2.5, -0.5, -1.5] } output { [0.0, 2.0, 2.0, -0.0, -2.0] }

-- f16 has eleven bits of precision: 2049 is not among its numbers.
-- ==
-- entry: half
-- input { 2048f16 } output { 2048f16 2050f16 }

-- ==
-- entry: functions
-- input { 4f64 } output { 2f64 0.5f64 6f64 16f64 true 0.75f64 }

entry special (zero: f64) =
  let nan = zero / zero
  in (f64.isnan nan, f64.isinf (1 / zero), nan == nan, zero == -zero, -zero)

entry to_integer (x: f64) = (i32.f64 x, u8.f64 x, i64.f64 x)

entry rounding (xs: []f64) = map f64.round xs

entry half (x: f16) = (x + 1, x + 2)

entry functions (x: f64) =
  (f64.sqrt x, f64.rsqrt x, f64.gamma x, x ** 2, f64.abs (f64.sin (f64.pi)) < 1e-15, f64.lerp 0 3 (1 / x))
