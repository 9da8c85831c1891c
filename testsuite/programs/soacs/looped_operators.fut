-- Operators on arrays that are loops which fill a new array: some do what a map does, and are interchanged with the reduction or scan;
-- the others are not that.

-- Each column for itself.
-- ==
-- entry: scanned
-- input { [[1, 2, 3], [10, 20, 30], [100, 200, 300]] } output { [[1, 2, 3], [11, 22, 33], [111, 222, 333]] }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }
entry scanned [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  let add (xs: [m]i32) (ys: [m]i32) : [m]i32 =
    loop res = #[scratch] replicate m 0 for i < m do res with [i] = xs[i] + ys[i]
  in scan add (replicate m 0) xss

-- A branch reads the elements. The greatest of each column.
-- ==
-- entry: reduced
-- input { [[1, 9, 3], [10, 2, 30], [7, 8, -5]] } output { [10, 9, 30] }
-- input { empty([0][2]i32) } output { [-2147483648, -2147483648] }
entry reduced [n] [m] (xss: [n][m]i32) : [m]i32 =
  let greatest (xs: [m]i32) (ys: [m]i32) : [m]i32 =
    loop res = replicate m 0 for i < m do res with [i] = if xs[i] < ys[i] then ys[i] else xs[i]
  in reduce greatest (replicate m i32.lowest) xss

-- Two arrays, of which the loop fills one with sums and one with products, from both.
-- ==
-- entry: paired
-- input { [[1, 2], [3, 4], [5, 6]] [[2, 1], [1, 2], [3, 1]] } output { [9, 12] [6, 2] }
entry paired [n] [m] (xss: [n][m]i32) (yss: [n][m]i32) : ([m]i32, [m]i32) =
  let op (a: [m]i32, b: [m]i32) (c: [m]i32, d: [m]i32) : ([m]i32, [m]i32) =
    loop (s, p) = (replicate m 0, replicate m 0) for i < m do (s with [i] = a[i] + c[i], p with [i] = b[i] * d[i])
  in reduce op (replicate m 0, replicate m 1) (zip xss yss)

-- Polynomials of degree m - 1, modulo x^m: element i needs all elements up to i.
-- (1 + 2x + 3x^2)(1 + x) = 1 + 3x + 5x^2 + ..., and (1 + 3x + 5x^2)(2) = 2 + 6x + 10x^2.
-- ==
-- entry: multiplied
-- input { [[1, 2, 3], [1, 1, 0], [2, 0, 0]] } output { [2, 6, 10] }
entry multiplied [n] [m] (xss: [n][m]i32) : [m]i32 =
  let mul (xs: [m]i32) (ys: [m]i32) : [m]i32 =
    loop res = replicate m 0 for i < m do res with [i] = (loop s = 0 for j < i + 1 do s + xs[j] * ys[i - j])
  in reduce mul (tabulate m (\i -> i32.bool (i == 0))) xss

-- The element depends on the place: even places add, odd ones multiply by the sign of it.
-- ==
-- entry: placed
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] } output { [[1, 2, 3, 4], [6, 12, 10, 32]] }
entry placed [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  let op (xs: [m]i32) (ys: [m]i32) : [m]i32 =
    loop res = replicate m 0 for i < m do res with [i] = if i % 2 == 0 then xs[i] + ys[i] else xs[i] * ys[i]
  in scan op (tabulate m (\i -> i32.i64 (i % 2))) xss

-- Reads what it has written: running sums of sums are no map.
-- ==
-- entry: running
-- input { [[1, 2, 3]] } output { [1, 2, 3] }
entry running [n] [m] (xss: [n][m]i32) : [m]i32 =
  let op (xs: [m]i32) (ys: [m]i32) : [m]i32 =
    loop res = replicate m 0 for i < m do res with [i] = if i > 0 && xs[0] != 0 && ys[0] != 0 then res[i - 1] + ys[i] else xs[i] + ys[i]
  in reduce op (replicate m 0) xss

-- Rows into bins.
-- ==
-- entry: binned
-- input { [0i64, 2i64, 0i64, 5i64] [[1, 2], [3, 4], [5, 6], [7, 8]] } output { [[6, 8], [0, 0], [3, 4]] }
entry binned [n] [m] (is: [n]i64) (xss: [n][m]i32) : [3][m]i32 =
  let add (xs: [m]i32) (ys: [m]i32) : [m]i32 =
    loop res = replicate m 0 for i < m do res with [i] = xs[i] + ys[i]
  in hist add (replicate m 0) 3 is xss
