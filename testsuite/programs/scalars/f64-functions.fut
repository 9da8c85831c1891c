-- Functions of f64: exact points, and identities.
-- ==
-- entry: known
-- input {}
-- output { [12f64, 1f64, 0f64, 0f64, 1f64, 1024f64] }

-- ==
-- entry: identities
-- input { 0.75 }
-- output { 1.0 0.75 0.75 }
-- input { 0.25 }
-- output { 1.0 0.25 0.25 }

entry known : [6]f64 = [f64.sqrt 144, f64.exp 0, f64.log 1, f64.sin 0, f64.cos 0, 2 ** 10]
entry identities (x: f64) : (f64, f64, f64) =
  let s = f64.sin x
  let c = f64.cos x
  in (s * s + c * c, f64.exp (f64.log x), f64.tan (f64.atan x))
