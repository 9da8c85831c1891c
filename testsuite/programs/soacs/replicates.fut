-- Replicated scalars and arrays, indices, iota.
-- ==
-- input { 3i64 }
-- output { [7, 7, 7] [[1, 2], [1, 2], [1, 2]] [0i64, 1i64, 2i64] }
-- input { 0i64 }
-- output { empty([0]i32) empty([0][2]i32) empty([0]i64) }

def main (n: i64) : ([n]i32, [n][2]i32, [n]i64) =
  let a = replicate n 7 in (a, replicate n [1, 2], indices a)
