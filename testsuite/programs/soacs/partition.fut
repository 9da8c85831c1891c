-- Partition in two and three parts, each in order.
-- ==
-- input { [5, 1, 9, 4, 7] }
-- output { [1, 4] [5, 9, 7] [1, 4] [5] [9, 7] }

def main (xs: []i32) : ([]i32, []i32, []i32, []i32, []i32) =
  let (a, b) = partition (< 5) xs
  let (c, d, e) = partition2 (< 5) (== 5) xs
  in (a, b, c, d, e)
