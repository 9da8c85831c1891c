-- Loops over what is left to do, whose length a kernel computes in each round.
-- ==
-- entry: reached
-- input { [0i64, 2i64, 4i64, 5i64, 7i64, 7i64] [1i64, 2i64, 3i64, 2i64, 4i64, 4i64, 1i64] }
-- output { [0i64, 0i64, 0i64, 1i64, 2i64, -1i64] }
-- input { [0i64, 0i64] empty([0]i64) }
-- output { [0i64, -1i64] }

-- ==
-- entry: reached
-- input { [0i64, 3i64] [1i64, 1i64, 2i64] }
-- error: out of bounds

-- ==
-- entry: halved
-- input { [9i64, 4i64, 7i64, 1i64, 12i64] }
-- output { 3i64 45i64 }
-- input { empty([0]i64) }
-- output { 0i64 0i64 }

-- ==
-- entry: crowded
-- input { 4i64 [0i64, 1i64, 1i64, 2i64, 3i64, 3i64, 3i64] }
-- output { [1i64, 3i64] [0i64, 1i64] [1i64, 1i64, 2i64, 3i64, 3i64, 3i64] }
-- input { 3i64 empty([0]i64) }
-- output { empty([0]i64) [0i64, 0i64, 0i64] empty([0]i64) }

-- ==
-- entry: distinct
-- input { 5i64 [3i64, 1i64, 3i64, 0i64, 1i64, 9i64, 3i64] }
-- output { 3i64 }
-- input { 5i64 empty([0]i64) }
-- output { 0i64 }

-- ==
-- entry: firsts
-- input { 6i64 [3i64, 1i64, 3i64, 0i64, 1i64, 9i64, 3i64] }
-- output { [3i64, 1i64, 6i64, 0i64, 6i64, 6i64] }

-- The first vertex by which each is reached from the first one: edges of vertex v begin at starts[v].
def frontier [n] [e] (starts: [n]i64) (edges: [e]i64) (parents: *[n]i64) (queue: []i64) : *([n]i64, []i64) =
  let begin (v: i64) = (starts ++ [e])[v]
  let sizes = map (\v -> begin (v + 1) - begin v) queue
  let upto = scan (+) 0 sizes
  let all = i64.sum sizes
  let heads = scatter (replicate all 0) (map2 (\u s -> if s == 0 then -1 else u - s) upto sizes) (indices queue)
  let from = scan i64.max 0 heads
  let found =
    map2 (\i k -> let v = queue[k] let to = edges[begin v + i - (upto[k] - sizes[k])] in (v, if parents[to] < 0 then to else -1))
         (iota all) from
  let (froms, tos) = unzip (filter ((>= 0) <-< (.1)) found)
  let first = hist i64.min (length tos) n tos (indices tos)
  let (froms, tos) = unzip (map (\(_, v, w) -> (v, w)) (filter (\(i, _, w) -> first[w] == i) (zip3 (indices tos) froms tos)))
  in (scatter parents tos froms, copy tos)

entry reached [n] [e] (starts: [n]i64) (edges: [e]i64) : [n]i64 =
  (loop (parents, queue) = (map (\i -> if i == 0 then 0 else -1) (iota n), [0]) while length queue > 0 do
     frontier starts edges parents queue).0

-- Rounds that begin with the sum of what the round before has kept: how many, and the sum of these.
entry halved (xs: []i64) : (i64, i64) =
  let (_, rounds, sum) =
    loop (xs, rounds, sum) = (xs, 0, 0) while length xs > 0 do
      let n = i64.sum xs
      in (filter (> 0) (map (\x -> x / 2 - 1) xs), rounds + 1, sum + i64.sum (replicate n 1))
  in (rounds, sum)

-- The bins that several positive numbers fall into or none does, how many there are in the latter and in those of one, and these numbers.
entry crowded (k: i64) (xs: []i64) : ([]i64, []i64, []i64) =
  let ys = filter (> 0) xs
  let counts = hist (+) 0 k ys (map (const 1) ys)
  let (many, few) = partition (\(_, c) -> c > 1) (zip (iota k) counts)
  in (map (.0) many, map (.1) few, ys)

-- How many different numbers below k there are.
entry distinct (k: i64) (xs: []i64) : i64 =
  let ys = filter (< k) xs
  let first = hist i64.min (length ys) k ys (indices ys)
  in length (filter id (map2 (\i y -> first[y] == i) (indices ys) ys))

-- Where each number below k is first among those, and how many these are for numbers that are nowhere.
entry firsts (k: i64) (xs: []i64) : [k]i64 =
  let ys = filter (< k) xs
  in hist i64.min (length ys) k ys (indices ys)
