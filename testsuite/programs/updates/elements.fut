-- Updates of elements and rows.
-- ==
-- input { [[1, 2], [3, 4]] 1i64 9 }
-- output { [[1, 2], [9, 9]] }
-- input { [[1, 2], [3, 4]] 0i64 7 }
-- output { [[7, 7], [3, 4]] }

def main (a: *[2][2]i32) (i: i64) (v: i32) : [2][2]i32 =
  let a[i, 0] = v
  let a[i] = [v, a[i, 0]]
  in a
