-- A loop whose array doubles.
-- ==
-- input { 0 }
-- output { 1i64 1i64 }
-- input { 10 }
-- output { 1024i64 1024i64 }

def main (k: i32) : (i64, i64) =
  let xs = loop xs = [1i64] for _i < k do xs ++ xs
  in (length xs, i64.sum xs)
