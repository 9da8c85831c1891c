-- What is read beyond the array is anything: a report of the sanitizer is expected.
-- ==
-- input { [1,2,3] [4i64, 1i64] } output { [0, 2] }
entry main [n] [m] (xs: [n]i32) (is: [m]i64): [m]i32 = map (\i -> #[unsafe] xs[i]) is
