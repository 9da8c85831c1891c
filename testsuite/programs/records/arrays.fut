-- An array of records, and a record of arrays.
-- ==
-- input { [1, 2, 3] }
-- output { [2, 4, 6] 12 }

def main [n] (xs: [n]i32) : ([n]i32, i32) =
  let rs = map (\x -> { one = x, two = 2 * x }) xs
  let all = { twos = map (.two) rs, sum = i32.sum (map (\r -> r.two) rs) }
  in (all.twos, all.sum)
