-- Rows that are padded to a power of two unless their length is one, which a loop finds, and branches that say how large an array is though
-- they ask nothing of the point.
-- ==
-- entry: padded
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] } output { [[6i32, 5i32, 3i32], [15i32, 11i32, 6i32]] }
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [[3i32, 2i32], [7i32, 4i32]] }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }
def pad [n] (xs: [n]i32) : []i32 =
  if n == 0
  then copy xs
  else let k = loop k = 1 while k < n do 2 * k
       in if k == n then copy xs else xs ++ replicate (k - n) 0

entry padded [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  map (\xs -> let ys = pad xs in (reverse (scan (+) 0 (reverse ys)))[:m]) xss

-- ==
-- entry: sized
-- input { [[1i64, 2i64, 3i64, 4i64], [5i64, 6i64, 7i64, 8i64]] 3i64 } output { [6i64, 18i64] }
-- input { [[1i64, 2i64, 3i64, 4i64], [5i64, 6i64, 7i64, 8i64]] 9i64 } output { [10i64, 26i64] }
-- input { empty([0][4]i64) -1i64 } output { empty([0]i64) }
-- input { [[1i64]] -1i64 } error: Range 0..1..<-1 is invalid
def first [n] (k: i64) (xs: [n]i64) : []i64 = if k > n then xs else tabulate k (\i -> xs[i])

entry sized [n] [m] (xss: [n][m]i64) (k: i64) : [n]i64 = map (\xs -> i64.sum (first k xs)) xss
