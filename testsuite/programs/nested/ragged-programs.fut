-- Programs with rows of different lengths, as users have them. In each first case few rows have many elements, in the others all are short.
-- ==
-- entry: medians
-- input { [300i64, 1i64, 5i64, 1000i64, 2i64] }
-- output { [5013i64, 0i64, 3743i64, 5013i64, 7919i64] }
-- input { [3i64, 1i64] }
-- output { [5831i64, 0i64] }

-- ==
-- entry: sparse
-- input { 100i64 [300i64, 1i64, 5i64, 1000i64, 2i64] }
-- output { [150i64, 0i64, 3i64, 499i64, 2i64] }
-- input { 7i64 [0i64, 0i64, 3i64] }
-- output { [0i64, 0i64, 0i64] }
-- input { 3i64 empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: distances
-- input { [40i64, 0i64, 20i64, 7i64] [90i64, 5i64, 3i64, 0i64] }
-- output { [62i64, 5i64, 17i64, 7i64] }
-- input { [2i64] [3i64] }
-- output { [1i64] }

-- ==
-- entry: words
-- input { [300i64, 1i64, 5i64, 1000i64, 2i64] }
-- output { [55i64, 0i64, 1i64, 182i64, 0i64] }
-- input { [3i64, 1i64] }
-- output { [1i64, 0i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: hashes
-- input { [300i64, 1i64, 5i64, 1000i64, 2i64] }
-- output { [2977205403u32, 0u32, 45434u32, 2816025850u32, 1u32] }
-- input { [3i64, 1i64] }
-- output { [33u32, 0u32] }

-- ==
-- entry: worklists
-- input { [300i64, 1i64, 5i64, 1000i64, 2i64] }
-- output { [30001i64, 101i64, 501i64, 100001i64, 201i64] }
-- input { [3i64, 1i64] }
-- output { [301i64, 101i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: primes
-- input { [300i64, 1i64, 5i64, 1000i64, 2i64] }
-- output { [293i64, 0i64, 3i64, 997i64, 0i64] }
-- input { [3i64, 1i64] }
-- output { [2i64, 0i64] }

-- ==
-- entry: levels
-- input { [300i64, 0i64, 5i64, 100i64, 1i64] }
-- output { [5208i64, 0i64, 403i64, 3107i64, 101i64] }
-- input { [3i64, 1i64] }
-- output { [302i64, 101i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }

-- Medians, by quickselect: what is less and more than an element goes on, until the one looked for is found.
def select (xs: []i64) (k: i64) : i64 =
  (loop (xs, k, found, more) = (xs, k, -1, true)
   while more do
     let pivot = xs[length xs / 2]
     let less = filter (< pivot) xs
     let greater = filter (> pivot) xs
     let below = length less
     let upto = length xs - length greater
     in if k < below
        then (less, k, found, true)
        else if k < upto then (xs, k, pivot, false) else (greater, k - upto, found, true)).2

entry medians [n] (ms: [n]i64) : [n]i64 =
  map (\m -> select (map (\i -> i * 7919 % 10007) (iota m)) (m / 2)) ms

-- A sparse matrix, whose rows lie one after the other, times a vector of m elements.
entry sparse [n] (m: i64) (lengths: [n]i64) : [n]i64 =
  let ends = scan (+) 0 lengths
  let count = if n == 0 then 0 else ends[n - 1]
  let columns = map (\k -> k * 7919 % m) (iota count)
  let values = map (% 3) (iota count)
  let vector = map (% 2) (iota m)
  in map2 (\end l ->
             i64.sum (map2 (\c v -> v * vector[c]) columns[end - l:end] values[end - l:end]))
          ends
          lengths

-- How many changes make one string of another: row by row of the table, where what a change to the left costs is a scan.
def distance [n] [m] (a: [n]i64) (b: [m]i64) : i64 =
  let first = map (+ 1) (iota m)
  let last =
    loop row = first
    for i < n do
      let changed = map2 (\j old -> i64.min (old + 1) ((if j == 0 then i else row[j - 1]) + i64.bool (a[i] != b[j]))) (iota m) row
      let best = scan i64.min i64.highest (map2 (\j x -> if j == 0 then i64.min x (i + 2) else x - j) (iota m) changed)
      in map2 (+) best (iota m)
  in if m == 0 then n else last[m - 1]

entry distances [n] (ns: [n]i64) (ms: [n]i64) : [n]i64 =
  map2 (\k l -> distance (map (\i -> i * i % 7) (iota k)) (map (\i -> i * i % 5) (iota l))) ns ms

-- Words of texts.
entry words [n] (ms: [n]i64) : [n]i64 =
  map (\m ->
         let blank = map (\i -> i * i % 11 < 4) (iota m)
         in i64.sum (map (\i -> i64.bool (!blank[i] && (i == 0 || blank[i - 1]))) (iota m)))
      ms

-- Hashes of texts, with a factor for each: what comes before is multiplied by the factor's power.
entry hashes [n] (ms: [n]i64) : [n]u32 =
  map2 (\q m ->
          let p = u32.i64 (31 + 2 * q)
          in (reduce (\(a, pa) (b, pb) -> (a * pb + b, pa * pb)) (0, 1) (map (\i -> (u32.i64 (i % 251), p)) (iota m))).0)
       (iota n)
       ms

-- Lists of work: intervals are halved until they are short, or end well, as adaptive quadrature does.
entry worklists [n] (ms: [n]i64) : [n]i64 =
  map (\m ->
         let (_, s, t) =
           loop (work, s, t) = ([(0, m)], 0, 0)
           while length work > 0 do
             let good (a: i64, b: i64) = b - a <= 4 || (a + b) % 5 == 0
             let more = filter (\w -> !good w) work
             let done = i64.sum (map (\(a, b) -> if good (a, b) then (b - a) * (a + 1) else 0) work)
             in (map (\(a, b) -> (a, (a + b) / 2)) more ++ map (\(a, b) -> ((a + b) / 2, b)) more, s + done, t + 1)
         in s * 100 + t)
      ms

-- Sieves: the largest prime below each number.
entry primes [n] (ms: [n]i64) : [n]i64 =
  map (\m ->
         let (sieve, _) =
           loop (sieve, p) = (replicate m true, 2)
           while p * p < m do
             let count = if sieve[p] then (m - 1) / p - p + 1 else 0
             in (scatter sieve (map (\j -> (j + p) * p) (iota count)) (replicate count false), p + 1)
         in reduce i64.max 0 (map2 (\i prime -> if i >= 2 && prime then i else 0) (iota m) sieve))
      ms

-- Breadth-first searches in trees: how many nodes are found, in how many steps.
entry levels [n] (ms: [n]i64) : [n]i64 =
  map (\m ->
         let (_, seen, t) =
           loop (front, seen, t) = (filter (< m) [0], 0, 0)
           while length front > 0 do
             let next = map (\v -> 2 * v + 1) front ++ map (\v -> 3 * v + 2) front
             in (filter (\v -> v < m && v % 7 != 0) next, seen + length front, t + 1)
         in seen * 100 + t)
      ms
