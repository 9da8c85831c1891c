-- Types with parameters, of types and sizes.
-- ==
-- input { [1, 2, 3] }
-- output { [1, 2, 3] 3i64 }

type both 'a 'b = { first: a, second: b }
type counted [n] 'a = both ([n]a) i64
def count [n] 'a (xs: [n]a) : counted [n] a = { first = xs, second = n }
def main [n] (xs: [n]i32) : ([n]i32, i64) =
  let c = count xs in (c.first, c.second)
