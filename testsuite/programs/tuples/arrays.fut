-- Arrays of tuples and tuples of arrays.
-- ==
-- input { [1, 2, 3] [true, false, true] }
-- output { [3, 2, 1] 4 }
-- input { empty([0]i32) empty([0]bool) }
-- output { empty([0]i32) 0 }

def main [n] (xs: [n]i32) (bs: [n]bool) : ([n]i32, i32) =
  let ps = reverse (zip xs bs)
  in (map (.0) ps, i32.sum (map (\(x, b) -> if b then x else 0) ps))
