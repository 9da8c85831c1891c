-- Scatters whose index is the number of the point, or none, are maps.
-- ==
-- entry: kept
-- input { 0i64 }
-- output { true }
-- input { 1i64 }
-- output { true }
-- input { 37i64 }
-- output { true }
-- input { 1000i64 }
-- output { true }

-- ==
-- entry: flags
-- input { [true, false, true, false, false] [false, false, true, true, false] }
-- output { [false, false, false, true, false] [true, false, true, true, false] [true, false, true, false, false] true }
-- input { empty([0]bool) empty([0]bool) }
-- output { empty([0]bool) empty([0]bool) empty([0]bool) false }

-- ==
-- entry: whole
-- input { [1i64, 2i64, 3i64] [0.5f64, 1.5f64, 2.5f64] }
-- output { [3i64, 5i64, 7i64] [0.5f64, 1.5f64, 2.5f64] [1i64, 2i64, 3i64] }

-- ==
-- entry: rows
-- input { 3i64 5i64 }
-- output { [[0u8, 9u8, 2u8, 9u8, 4u8], [9u8, 1u8, 9u8, 3u8, 9u8], [0u8, 9u8, 2u8, 9u8, 4u8]] }

-- ==
-- entry: others
-- input { [3u8, 1u8, 2u8, 0u8] [true, false, true, true] }
-- output { [13u8, 1u8, 12u8, 10u8] [10u8, 2u8, 12u8, 13u8] }

-- ==
-- entry: beyond
-- input { [1u8, 2u8, 3u8] 5i64 }
-- output { [7u8, 7u8, 7u8] }
-- input { [1u8, 2u8, 3u8] 2i64 }
-- output { [7u8, 7u8, 3u8] }

-- ==
-- entry: checked
-- input { [1u8, 2u8, 3u8] [2i64, 0i64, 1i64] }
-- output { [3u8, 1u8, 3u8] }
-- input { [1u8, 2u8, 3u8] [2i64, 3i64, 1i64] }
-- error: out of bounds

-- ==
-- entry: rounds
-- input { [0u8, 1u8, 2u8, 3u8, 4u8] 3 }
-- output { [1u8, 1u8, 8u8, 3u8, 7u8] }

def some [n] 't (cs: [n]bool) (xs: *[n]t) (vs: [n]t) : *[n]t =
  scatter xs (map2 (\c i -> if c then i else -1) cs (iota n)) vs

-- Every type that shares words, and one that does not, compared with a map.
entry kept (n: i64) : bool =
  let cs = map (\i -> i % 3 != 1) (iota n)
  let same 't (eq: t -> t -> bool) (f: i64 -> t) : bool =
    let xs = map f (iota n)
    let vs = map (\i -> f (i + 7)) (iota n)
    let got = some cs (copy xs) vs
    in and (map4 (\c x v y -> y `eq` (if c then v else x)) cs xs vs got)
  in same (==) (\i -> i % 2 == 0) && same (==) u8.i64 && same (==) i8.i64
     && same (==) u16.i64
     && same (==) i16.i64
     && same (==) f16.i64
     && same (==) i32.i64
     && same (==) i64.i64
     && same (==) f64.i64

-- Several arrays at once, of which one is the condition, and one that a scatter of another kind updates.
entry flags [n] (updating: [n]bool) (visited: [n]bool) : ([n]bool, [n]bool, [n]bool, bool) =
  let is = map2 (\x i -> if x then i else -1) updating (iota n)
  let visited' = scatter (copy visited) is (replicate n true)
  let mask = scatter (replicate n false) is (replicate n true)
  let off = scatter (copy visited) is (replicate n false)
  let any = scatter [false] (map (\x -> if x >= 0 then 0 else -1) is) (replicate n true)
  in (off, visited', mask, any[0])

-- Every point updates: any type, and arrays of pairs.
entry whole [n] (xs: [n]i64) (ys: [n]f64) : ([n]i64, [n]f64, [n]i64) =
  let (as, bs) = unzip (scatter (copy (zip xs ys)) (iota n) (zip (map (\x -> 2 * x + 1) xs) ys))
  in (as, bs, xs)

-- Inside a map.
entry rows (n: i64) (m: i64) : [n][m]u8 =
  tabulate n
           (\i ->
              let row = tabulate m (\j -> (i + j) % 2 == 1)
              in some row (tabulate m u8.i64) (replicate m 9))

-- Beside a scatter to other places, which it must not disturb.
entry others [n] (xs: [n]u8) (cs: [n]bool) : ([n]u8, [n]u8) =
  let vs = map (+ 10) xs
  let back = map2 (\c x -> if c then i64.u8 x else -1) cs xs
  in (some cs (copy xs) vs, scatter (map (\x -> x + 1) (map u8.i64 (iota n))) back vs)

-- More and fewer points than the array has.
entry beyond [n] (xs: [n]u8) (m: i64) : [n]u8 =
  scatter (copy xs) (iota m) (replicate m 7)

-- Values that fail.
entry checked [n] (xs: [n]u8) (is: [n]i64) : [n]u8 =
  some (map (!= 1) is) (copy xs) (map (\i -> xs[i]) is)

-- In a loop, where each round reads what the one before has updated.
entry rounds [n] (xs: [n]u8) (k: i32) : [n]u8 =
  loop ys = copy xs
  for _i < k do
    let cs = map (\y -> y % 2 == 0) ys
    let vs = map2 (\y x -> y + x / 2 + 1) ys xs
    in some cs ys vs
