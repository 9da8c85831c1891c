-- Constant indices outside of an array, in code that is reached or not.
-- ==
-- entry: get
-- input { [1i32, 2i32] } output { [1i32, 2i32] }
-- input { [1i32, 200i32] } error: out of bounds

-- ==
-- entry: put
-- input { [1i32, 2i32] } output { [6i32, 9i32] }
-- input { [100i32, 2i32] } error: out of bounds

entry get [n] (xs: [n]i32) : [n]i32 =
  map (\x -> if x < 100 then x else (map (+ x) xs)[-1]) xs

entry put [n] (xs: [n]i32) : [n]i32 =
  map (\x ->
         let a = [x, x + 1, x + 2]
         let a = if x < 100 then a else copy a with [3] = 0
         in a[0] + a[1] + a[2])
      xs
