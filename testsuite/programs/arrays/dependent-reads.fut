-- Elements at indices that are elements themselves: each is read where the one before it is, and the host waits for the last alone.
-- ==
-- entry: follow
-- input { [2i64, 0i64, 1i64] [10, 20, 30] 0i64 }
-- output { 30 }
-- input { [2i64, 0i64, 1i64] [10, 20, 30] 2i64 }
-- output { 20 }
-- input { [2i64, 3i64, 1i64] [10, 20, 30] 1i64 }
-- error: Index \[3\] out of bounds
-- input { [2i64, -4i64, 1i64] [10, 20, 30] 1i64 }
-- error: Index \[-4\] out of bounds
-- input { [2i64, 3i64, 1i64] [10, 20, 30] 3i64 }
-- error: Index \[3\] out of bounds
entry follow [n] (next: [n]i64) (xs: [n]i32) (i: i64) : i32 = xs[next[i]]

-- The index is read as well, and the sum uses both.
-- ==
-- entry: both
-- input { [2i64, 0i64, 1i64] [10i64, 20i64, 30i64] }
-- output { 2i64 30i64 32i64 }
-- input { [4i64, 0i64, 1i64] [10i64, 20i64, 30i64] }
-- error: Index \[4\] out of bounds
entry both [n] (next: [n]i64) (xs: [n]i64) : (i64, i64, i64) =
  let i = next[0]
  let x = xs[i]
  in (i, x, i + x)

-- A branch on an element that reads others.
-- ==
-- entry: choose
-- input { [0, 5, 7] }
-- output { 5 4 }
-- input { [1, 5, 7] }
-- output { 7 3 }
entry choose (xs: [3]i32) : (i32, i32) =
  if xs[0] == 0 then (xs[1], 4) else (xs[2], 3)

-- A size that is read, and an element at the end of what has that size.
-- ==
-- entry: sized
-- input { [2i64, 4i64] [3i64, 1i64, 4i64, 1i64, 5i64] }
-- output { [0i64, 5i64, 10i64, 15i64] 20i64 }
entry sized [n] (sizes: [2]i64) (xs: [n]i64) : (*[]i64, i64) =
  let k = sizes[1]
  let y = xs[k]
  in (map (* y) (iota k), k * y)

-- Three reads deep, in each round of a loop whose kernels need the last, and whose length is read, too.
-- ==
-- entry: rounds
-- input { [1i64, 2i64, 0i64] [2i64, 0i64, 1i64] [10i64, 20i64, 30i64] 3i64 }
-- output { [60i64, 61i64, 62i64] 30i64 }
entry rounds [n] (next: [n]i64) (perm: [n]i64) (xs: [n]i64) (k: i64) : ([n]i64, i64) =
  loop (ys, s) = (iota n, 0) for i < k do
    let x = xs[perm[next[i % n]]]
    in (map (+ x) ys, if x > s then x else s)

-- What a reduction finds is the index of what is read.
-- ==
-- entry: at_max
-- input { [3, 9, 4, 9] [7i64, 8i64, 9i64, 6i64] }
-- output { 8i64 }
entry at_max [n] (xs: [n]i32) (ys: [n]i64) : i64 =
  let (_, i) = reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (i32.lowest, n) (zip xs (iota n))
  in ys[i]
