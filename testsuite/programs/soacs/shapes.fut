-- Flatten, unflatten, transpose, reverse, rotate.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [1, 2, 3, 4, 5, 6] [[1, 4], [2, 5], [3, 6]] [[4, 5, 6], [1, 2, 3]] [3, 4, 5, 6, 1, 2] [[1, 2], [3, 4], [5, 6]] }

def main (a: [2][3]i32) : ([6]i32, [3][2]i32, [2][3]i32, [6]i32, [3][2]i32) =
  let f = flatten a :> [6]i32
  in (f, transpose a, reverse a, rotate 2 f, unflatten (f :> [3 * 2]i32))
