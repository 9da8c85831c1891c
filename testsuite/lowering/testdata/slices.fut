-- The sum of each bin's values and that of all products of two of them: two words a bin, and an operator without an atomic operation.
def join (a: i32, p: i64) (b: i32, q: i64) = (a + b, p + q + i64.i32 a * i64.i32 b)

entry main [n] (k: i64) (vs: [n]i32) : ([k]i32, [k]i64) =
  let bin v = i64.i32 (v % 1009) * 7919 % k
  in unzip (reduce_by_index (replicate k (0, 0i64)) join (0, 0i64) (map bin vs) (map (\v -> (v, 0i64)) vs))
