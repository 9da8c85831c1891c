-- Functions on functions. 2^5 * 3 = 96; the first power of two times 3 that is at least 50 is 96; the last below 50 is 48.
-- ==
-- entry: repeated
-- input { 3 } output { 96 96 48 96 }

entry repeated (x: i32) =
  (iterate 5 (* 2) x, iterate_until (>= 50) (* 2) x, iterate_while (< 25) (* 2) x, iterate_while (< 50) (* 2) x)

-- Arguments exchanged, taken apart and put together: 2 - 7, 7 - 2, and differences of pairs.
-- ==
-- entry: arranged
-- input { 7 2 } output { -5 5 5 5 }

entry arranged (x: i32) (y: i32) =
  (flip (-) x y, x - y, curry (\(a, b) -> a - b) x y, uncurry (-) (x, y))

-- `id` returns its argument, `const` its first one.
-- ==
-- entry: constant
-- input { 4 } output { 4 4 }

entry constant (x: i32) = (id x, const x true)
