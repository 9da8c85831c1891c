-- A sine and a cosine of one angle, which devices compute together: of small angles, of large ones, and of none.
-- ==
-- entry: both
-- input { [0f32, -0f32, 1e-30f32, -0.0001f32, 0.5f32, -1.5f32, 3f32, 100.25f32, -8191.5f32, 8192f32, -123456.7f32, 1e20f32, -3e38f32] }
-- auto output
-- input { [f32.inf, -f32.inf, f32.nan] }
-- output { [f32.nan, f32.nan, f32.nan] [f32.nan, f32.nan, f32.nan] }

entry both [n] (xs: [n]f32) : ([n]f32, [n]f32) = unzip (map (\x -> (f32.sin x, f32.cos x)) xs)

-- ==
-- entry: signs
-- input { [0f32, -0f32, 1e-30f32, -1e-30f32, 3f32, -3f32, 1e20f32] }
-- output { [false, true, false, true, false, true, false] }

entry signs [n] (xs: [n]f32) : [n]bool =
  map (\x -> let (s, c) = (f32.sin x, f32.cos x) in if c > 2 then true else f32.to_bits s >> 31 == 1) xs
