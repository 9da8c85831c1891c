-- Loops of workgroups whose rounds read elements of device memory that follow from the round's number: in each round, under conditions,
-- and from the last row to the first.
-- ==
-- entry: each conditional backwards
-- random input { [0][1][7]i32 }
-- random input { [3][0][33]i32 }
-- random input { [3][1][64]i32 }
-- random input { [2][5][100]i32 }
-- random input { [4][67][64]i32 }

def at [k] [m] (xs: [k][m]i32) (r: i64) (j: i64) = #[unsafe] xs[r, j]

-- What the next point had in the last round, and an element.
def rounds [k] [m] (xs: [k][m]i32) (b: i64) : [b]i32 =
  loop acc = replicate b 1 for r < k do map (\j -> acc[(j + 1) % b] * 3 + at xs r j) (iota b)

def triangle [k] [m] (xs: [k][m]i32) (b: i64) : [b]i32 =
  loop acc = replicate b 1 for r < k do
    map (\j -> if j <= r then acc[(j + 1) % b] + at xs (r - j) j else acc[j] - 1) (iota b)

def last_first [k] [m] (xs: [k][m]i32) (b: i64) : [b]i32 =
  loop acc = replicate b 1 for r < k do
    map (\j -> if j % 3 == r % 3 then acc[j] else acc[(j + r) % b] ^ at xs (k - 1 - r) (m - 1 - j)) (iota b)

entry each [n] [k] [m] (xs: [n][k][m]i32) : [][]i32 =
  let b = i64.min m 64
  in #[flattening(only_intra)] map (\x -> rounds x b) xs

entry conditional [n] [k] [m] (xs: [n][k][m]i32) : [][]i32 =
  let b = i64.min m 64
  in #[flattening(only_intra)] map (\x -> triangle x b) xs

entry backwards [n] [k] [m] (xs: [n][k][m]i32) : [][]i32 =
  let b = i64.min m 64
  in #[flattening(only_intra)] map (\x -> last_first x b) xs

-- All rounds but the first few load nothing, and none do so from an array without elements.
-- ==
-- entry: some
-- random input { [3]i64 [0]i32 }
-- random input { [3]i64 [1]i32 }
-- random input { [3]i64 [64]i32 }
entry some [n] [k] (starts: [n]i64) (xs: [k]i32) : [][]i32 =
  #[flattening(only_intra)]
  map (\start ->
         loop acc = replicate 33 (i32.i64 start) for r < 40 do
           map (\j -> if r + j < k then acc[(j + 1) % 33] + #[unsafe] xs[r + j] else acc[(j + 2) % 33] - 1) (iota 33))
      starts
