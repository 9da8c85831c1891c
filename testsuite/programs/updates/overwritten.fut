-- Maps that may write their result over an array that nobody reads afterwards, and maps that may not.
-- ==
-- entry: over
-- input { [1, 2, 3, 4, 5] }
-- output { [4, 9, 16, 25, 36] }
-- input { empty([0]i32) }
-- output { empty([0]i32) }
entry over (xs: *[]i32) : []i32 = map (\x -> (x + 1) * (x + 1)) xs

-- The original is still read behind the map, by the host, by a kernel, or by the caller.
-- ==
-- entry: read_later
-- input { [1, 2, 3] 2i64 }
-- output { [2, 3, 4] 3 6 }
entry read_later (xs: *[]i32) (i: i64) : ([]i32, i32, i32) =
  let ys = map (+ 1) xs
  in (ys, xs[i], reduce (+) 0 (map2 (\y x -> if y > x then x else 0) (scan i32.max 0 ys) xs))

-- ==
-- entry: kept
-- input { [1, 2, 3] }
-- output { [1, 2, 3] [2, 4, 6] [2, 3, 4] }
entry kept (xs: []i32) : ([]i32, []i32, []i32) =
  let ys = #[opaque] map (+ 1) xs
  in (xs, map (* 2) xs, ys)

-- One loop maps its array, one reads neighbours, one starts from what is needed behind it, one reads in each iteration what was before it.
-- ==
-- entry: loops
-- input { [1, 2, 3] 3 }
-- output { [15, 23, 31] [4, 5, 6] [1, 2, 3] [4, 5, 6] [4, 8, 12] }
-- input { [1, 2, 3] 0 }
-- output { [1, 2, 3] [1, 2, 3] [1, 2, 3] [1, 2, 3] [1, 2, 3] }
entry loops [n] (xs: [n]i32) (k: i32) : ([]i32, []i32, []i32, []i32, []i32) =
  let mapped = loop ys = copy xs for _i < k do map (\y -> y * 2 + 1) ys
  let around = loop ys = copy xs for _i < k do map (\j -> ys[(j + 1) % n] + 1) (iota n)
  let start = map (+ 0) xs
  let more = loop ys = start for _i < k do map (+ 1) ys
  let sums = loop ys = start for _i < k do map2 (+) ys start
  in (mapped, around, start, more, sums)

-- Arrays that change places.
-- ==
-- entry: swapped
-- input { [1, 2] [10, 20] 3 }
-- output { [12, 22] [2, 3] }
entry swapped [n] (xs: *[n]i32) (ys: *[n]i32) (k: i32) : ([]i32, []i32) =
  loop (a, b) = (xs, ys) for _i < k do (map (+ 1) b, a)

-- ==
-- entry: shifted
-- input { [1, 2] 3 }
-- output { [7, 8] [4, 5] }
entry shifted [n] (xs: *[n]i32) (k: i32) : ([]i32, []i32) =
  loop (a, _b) = (xs, copy xs) for i < k do (map (+ (i + 1)) a, a)

-- A branch overwrites in one of its sides what the other one, or the code behind it, still has.
-- ==
-- entry: branches
-- input { [1, 2, 3] true }
-- output { [2, 3, 4] [1, 2, 3] [4, 6, 8] }
-- input { [1, 2, 3] false }
-- output { [1, 2, 3] [1, 2, 3] [3, 4, 5] }
entry branches (xs: []i32) (c: bool) : ([]i32, []i32, []i32) =
  let ys = scan i32.max 0 xs
  let a = if c then map (+ 1) ys else ys
  let zs = scan i32.max 1 xs
  let b = if c then map (* 2) zs else zs
  in (a, ys, map (+ 2) b)

-- A row is replaced by what is made of it, and of others.
-- ==
-- entry: rows
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 1i64 }
-- output { [[1, 2, 3], [8, 11, 14], [7, 8, 9]] }
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 0i64 }
-- error: out of bounds
entry rows [n] (xss: *[n][n]i32) (i: i64) : [n][n]i32 =
  let xs = map3 (\a b c -> a + b + c + 2) xss[i] xss[i - 1] xss[0]
  in xss with [i] = xs

-- A row, backwards, and a column: not the elements of the same points.
-- ==
-- entry: turned
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 1i64 }
-- output { [[1, 2, 3], [7, 6, 5], [7, 8, 9]] [[2, 5, 8], [3, 6, 9], [4, 7, 10]] }
entry turned [n] (xss: *[n][n]i32) (i: i64) : ([n][n]i32, [n][n]i32) =
  let yss = map (map (+ 1)) xss
  let xss = xss with [i] = map (\j -> xss[i, n - 1 - j] + 1) (iota n)
  in (xss, map (\i -> map (\j -> yss[j, i]) (iota n)) (iota n))

-- Two results of one map, elements of other types, elements of less than a word.
-- ==
-- entry: several
-- input { [1, 2, 3] [1u8, 2u8, 255u8] }
-- output { [2, 3, 4] [2, 4, 6] [1.5f32, 2.5f32, 3.5f32] [2u8, 3u8, 0u8] }
entry several [n] (xs: *[n]i32) (bs: *[n]u8) : ([]i32, []i32, []f32, []u8) =
  let (a, b, c) = unzip3 (map (\x -> (x + 1, x * 2, f32.i32 x + 0.5)) xs)
  in (a, b, c, map (+ 1) bs)

-- Loops in loops; a while loop whose condition reads the array.
-- ==
-- entry: nested
-- input { [1, 2, 3] 2 3 }
-- output { [7, 8, 9] [64, 128, 192] }
entry nested (xs: []i32) (k: i32) (m: i32) : ([]i32, []i32) =
  let a = loop ys = copy xs for _i < k do loop ys for _j < m do map (+ 1) ys
  let b = loop ys = copy xs while ys[0] < 60 do map (* 2) ys
  in (a, b)

-- A copy of what dies, whole or a row at a time.
-- ==
-- entry: copies
-- input { [[1, 2, 3], [4, 5, 6]] [7, 8] }
-- output { [[0, 2, 3], [0, 5, 6]] [9, 8] }
entry copies (xss: *[][]i32) (ys: *[]i32) : ([][]i32, []i32) =
  (map (\xs -> copy xs with [0] = 0) xss, copy ys with [0] = 9)

-- ==
-- entry: copies_read
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[0, 2, 3], [0, 5, 6]] [[1, 2, 3], [4, 5, 6]] [[0f32, 2f32, 3f32], [0f32, 5f32, 6f32]] }
entry copies_read (xss: *[][]i32) : ([][]i32, [][]i32, [][]f32) =
  (map (\xs -> copy xs with [0] = 0) xss, xss, map (\xs -> map f32.i32 (copy xs with [0] = 0)) xss)

-- A kernel that only checks, and returns a number that is known: the product of nothing but zeros, or of nothing.
-- ==
-- entry: checked
-- input { 63i64 32i64 [1i64, 2i64] }
-- output { [0, 0] }
-- input { 5i64 40i64 [1i64, 2i64] }
-- output { [1, 1] }
def some [k] (i: i64) (xs: [k]i64) : []i64 = if i == 0 then [] else xs[0:i % (k + 1)]

def element [k] (i: i64) (xs: [k]i32) : i32 = if k == 0 then 1 else xs[i % k]

entry checked [k] (n: i64) (m: i64) (xs: [k]i64) : [k]i32 =
  map (\_ -> element n (scan (*) 1 (map (\_ -> reduce (^) 0 (map (\_ -> 0i32) (some n (replicate m m)))) (iota (m % 40))))) xs

-- Maps over arrays that die are parts of a larger array, of which their own would be too small a block.
-- ==
-- entry: parts
-- input { [1, 2] [3, 4, 5] }
-- output { [2, 3, 6, 8, 10] [[1, 3], [1, 5], [1, 5]] }
entry parts [n] (xs: *[n]i32) (ys: []i32) : ([]i32, [3][n]i32) =
  let counts = hist (+) 0 n (map i64.i32 xs) (map (+ 1) xs)
  let more = map (\c -> c * 2 + 1) counts
  in (map (+ 1) xs ++ map (* 2) ys, [map (\c -> c - 1) (#[opaque] map (+ 2) counts), more, more])
