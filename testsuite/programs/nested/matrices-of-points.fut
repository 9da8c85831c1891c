-- Matrices of different sizes, one at each point of a map: see Note [Rows of rows] in package flatten. In each first case few points have
-- large ones, so that they are flattened; in the second all are small and some are empty, in the third there are none.

def matrix (m: i64) (k: i64) : [m][k]i32 = map (\i -> map (\j -> i32.i64 (i * 7 + j * 3) % 11 - 4) (iota k)) (iota m)

-- A number for a matrix that depends on the places of its elements, and on its shape.
def digest [m][k] (a: [m][k]i32) : i32 =
  i32.sum (map2 (\i r -> i32.sum (map2 (\j x -> x * (i32.i64 (i * 5 + j) % 17 + 1)) (iota k) r)) (iota m) a) + i32.i64 (m * 100 + k)

def iota32 (n: i64) : [n]i32 = map i32.i64 (iota n)

-- ==
-- entry: made
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [21802i32, 22247i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [413i32, 3i32, 500i32, 97i32, 721i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry made (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> digest (matrix m k)) ms ks

-- ==
-- entry: transposed
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [743892i32, 1001867i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [1324i32, 303i32, 505i32, 194i32, 2493i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry transposed (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                let b = map (scan (+) 0) (transpose a) in digest b + digest (transpose b)) ms ks

-- ==
-- entry: flat
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [22059960i32, 17941478i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [1344i32, 300i32, 5i32, 97i32, 5705i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry flat (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                let b = scan (+) 0 (flatten (transpose a)) in i32.sum (map2 (\i x -> x * (i32.i64 i % 5)) (indices b) b) + digest (unflatten b)) ms ks

-- ==
-- entry: turned
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [45425i32, 41743i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [993i32, 303i32, 505i32, 194i32, 1712i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry turned (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                in digest (reverse (map (rotate 1) a)) + digest (copy (transpose a))) ms ks

-- ==
-- entry: joined
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [119398i32, 115470i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [1550i32, 9i32, 1500i32, 231i32, 2829i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry joined (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                let b = map (map (* 2)) a in digest (a ++ b) + digest (transpose (transpose a ++ transpose b))) ms ks

-- ==
-- entry: repeated
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [517394i32, 322327i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [641i32, 3i32, 500i32, 93i32, 2022i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry repeated (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                let r = if m > 0 then scan (+) 0 a[m - 1] else replicate k 3 in digest (map2 (map2 (+)) (replicate m r) a)) ms ks

-- ==
-- entry: updated
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [22258i32, 22588i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [420i32, 7i32, 500i32, 98i32, 679i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry updated (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                in if m == 0 then 7 else digest (copy a with [m / 2] = map (+ 1) a[0])) ms ks

-- ==
-- entry: parts
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [27014i32, 26499i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [1891i32, 3i32, 500i32, 201i32, 1281i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry parts (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                let b = copy a with [m / 2:, :k / 2] = map (map (+ 1)) a[m / 2:, :k / 2]
                let b = if m > 0 && k > 0 then b with [m - 1, k - 1] = 100 else b
                   in digest b) ms ks

-- ==
-- entry: looped
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [106393087i32, 22602194i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [1661i32, 3i32, 500i32, 100i32, 11129i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry looped (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                in digest (loop b = a for i < 3 do map (map (+ i)) (map (scan (+) 0) b))) ms ks

-- ==
-- entry: of_points
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [21802i32, 22247i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [1661i32, 3i32, 500i32, 97i32, 721i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry of_points (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                in digest (loop b = a for i < i32.i64 (m % 4) do map (map (+ i)) (map (scan (+) 0) b))) ms ks

-- ==
-- entry: chosen
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [463870i32, 258576i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [413i32, 3i32, 500i32, 89i32, 1610i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry chosen (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                in digest (if m % 2 == 0 then map (scan (+) 0) a else if k > 3 then copy a else map (map (* 3)) a)) ms ks

-- ==
-- entry: picked
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [22252i32, 22042i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [413i32, 5i32, 500i32, 97i32, 799i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry picked (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                in if m == 0 then 5 else digest (map (\i -> a[(i * 7) % m]) (iota m))) ms ks

-- ==
-- entry: scattered
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [44246i32, 43131i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [598i32, 3i32, 500i32, 97i32, 949i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry scattered (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                in digest (scatter (copy a) (map (\i -> if i % 3 == 0 then -1 else (i * 7 + 3) % (m + 1)) (iota m)) (map (map (+ 2)) a))) ms ks

-- ==
-- entry: scattered_2d
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [175705056i32, 239582836i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [68468i32, 3i32, 500i32, 97i32, 180980i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry scattered_2d (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                let is = flatten (map (\i -> map (\j -> ((i + 1) % (m + 1), j * 2 - 1)) (iota k)) (iota m))
                let vs = map (\(i, j) -> i32.i64 (i * 1000 + j)) is
                   in digest (scatter_2d (copy a) is vs)) ms ks

-- ==
-- entry: vectors
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [740881i32, 999499i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [725i32, 3i32, 500i32, 93i32, 1637i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry vectors (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                let s = reduce (map2 (+)) (replicate k 0) a in digest (map (map2 (+) s) a)) ms ks

-- ==
-- entry: prefixes
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [740638i32, 996904i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [796i32, 3i32, 500i32, 98i32, 1652i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry prefixes (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                in digest (scan (map2 (+)) (replicate k 0) (map (map (+ 1)) a))) ms ks

-- ==
-- entry: histograms
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [22420i32, 22896i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [230i32, 3i32, 500i32, 97i32, 299i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry histograms (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                in digest (map (\r -> reduce_by_index (replicate k 0) (+) 0 (map (\x -> i64.i32 x + 4) r) r) a)) ms ks

-- ==
-- entry: rows_of_bins
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [39635i32, 37825i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [532i32, 3i32, 500i32, 93i32, 858i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry rows_of_bins (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                in digest (reduce_by_index (copy a) (map2 (+)) (replicate k 0) (map (\i -> (i * 2) % (m + 1)) (iota m)) a)) ms ks

-- ==
-- entry: several
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [3720486i32, 2114015i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [4098i32, 15i32, 2500i32, 537i32, 14299i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry several (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                let (b, s) = unzip (map (\r -> (scan i32.max i32.lowest r, i32.sum r)) a)
                let (c, d) = unzip (map2 (\r x -> (map (+ x) r, map (* x) r)) a s)
                   in digest b + digest c + 3 * digest d + i32.sum s) ms ks

-- ==
-- entry: cubes
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [117737i32, 40375i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [620i32, 103i32, 1800i32, 374i32, 2783i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry cubes (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                let c = map (\i -> map (map (+ i32.i64 i)) a) (iota (m % 3 + 1))
                   in i32.sum (map digest c) + digest (map flatten c)) ms ks

-- ==
-- entry: within
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [533045i32, 1080060i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [18i32, 0i32, 0i32, 0i32, 77i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry within (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                let b = map2 (\i r -> i32.sum (flatten (map (\x -> map (+ x) (iota32 i)) r))) (iota m) a in i32.sum b) ms ks

-- ==
-- entry: thin
-- input { [40i64, 60i64] [50i64, 30i64] }
-- output { [83641i32, 87019i32] }
-- input { [3i64, 0i64, 5i64, 1i64, 4i64] [4i64, 3i64, 0i64, 1i64, 7i64] }
-- output { [1501i32, 768i32, 1178i32, 509i32, 2797i32] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i32) }
entry thin (ms: []i64) (ks: []i64) : []i32 =
  map2 (\m k -> let a = matrix m k
                in digest a + digest (map (\i -> map (\j -> i32.i64 (i * j)) (iota m)) (iota 3)) + digest (map (\i -> map (\j -> i32.i64 (i + j)) (iota 3)) (iota k))) ms ks
