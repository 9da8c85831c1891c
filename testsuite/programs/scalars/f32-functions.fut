-- Functions of f32 at points where their values are exact.
-- ==
-- entry: rounding
-- input { 2.5f32 }
-- output { 2f32 3f32 2f32 2f32 }
-- input { -2.5f32 }
-- output { -3f32 -2f32 -2f32 -2f32 }
-- input { 3.5f32 }
-- output { 3f32 4f32 3f32 4f32 }

-- ==
-- entry: known
-- input {}
-- output { [3f32, 1f32, 0f32, 0f32, 1f32, 8f32, 0f32, 5f32] }

-- ==
-- entry: signs
-- input { -4f32 }
-- output { 4f32 -1f32 true false }
-- input { 0f32 }
-- output { 0f32 0f32 false false }

entry rounding (x: f32) : (f32, f32, f32, f32) = (f32.floor x, f32.ceil x, f32.trunc x, f32.round x)
entry known : [8]f32 =
  [ f32.sqrt 9, f32.exp 0, f32.log 1, f32.sin 0, f32.cos 0, 2 ** 3, f32.atan2 0 1, f32.hypot 3 4 ]
entry signs (x: f32) : (f32, f32, bool, bool) = (f32.abs x, f32.sgn x, x < 0, f32.isnan x)
