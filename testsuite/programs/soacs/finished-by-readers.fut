-- Reductions whose results only maps behind them read: these combine what the workgroups of the reduction have left (Note [Reductions that
-- readers finish] in middle/lower), where they are few. The expected sums are those of a program in another language.

def checksum (xs: []i32): i64 = i64.sum (map2 (\x i -> i64.i32 x * (i % 13 + 1)) xs (indices xs))

-- A sum and a maximum in each round; no element, one workgroup, several, and more than have few readers.
-- ==
-- entry: rounds
-- input { 0i64 2i32 } output { 0i64 }
-- input { 1i64 3i32 } output { 0i64 }
-- input { 255i64 3i32 } output { 881616i64 }
-- compiled input { 1025i64 3i32 } output { 3587443i64 }
-- compiled input { 70000i64 3i32 } output { 246109992i64 }
-- compiled input { 3000000i64 2i32 } output { 10618612925i64 }
entry rounds (n: i64) (k: i32): i64 =
  let first = tabulate n (\i -> i32.i64 (i * 7919 % 1013))
  in checksum (loop xs = first for _i < k do
                 let sum = i32.sum xs
                 let most = i32.maximum xs
                 in map (\x -> (x * 3 + sum % 1000 + most) % 1009) xs)

-- An operator that does not commute, and two maps that read the result.
-- ==
-- entry: composed
-- input { 0i64 } output { 0i32 0i32 }
-- input { 5i64 } output { 11810i32 -945i32 }
-- compiled input { 3000i64 } output { -311584252i32 260884862i32 }
-- compiled input { 70000i64 } output { -1456326968i32 2038549516i32 }
entry composed (n: i64): (i32, i32) =
  let fs = tabulate n (\i -> (i32.i64 (2 * i + 1), i32.i64 (i % 5)))
  let (a, b) = reduce (\(a, b) (c, d) -> (c * a, c * b + d)) (1, 0) fs
  let xs = tabulate n (\i -> i32.i64 i * a + b)
  let ys = tabulate (n / 2) (\i -> i32.i64 i - a + b)
  in (i32.sum (copy xs), i32.sum (copy ys))

-- A result that the host needs as well, one that a loop behind reads, and one that is read in a branch.
-- ==
-- entry: elsewhere
-- input { 4i64 3i64 true } output { 6i32 [0i32, 6i32, 12i32, 18i32] [21i32, 22i32, 23i32, 24i32] [6i32, 7i32, 8i32, 9i32] }
-- compiled input { 5000i64 3i64 true } auto output
-- compiled input { 5000i64 3i64 false } auto output
entry elsewhere (n: i64) (k: i64) (c: bool): (i32, [n]i32, [n]i32, [n]i32) =
  let xs = map i32.i64 (iota n)
  let sum = i32.sum xs
  let most = i32.maximum xs
  let other = i32.sum (map (\x -> x % 7) xs)
  in ( sum
     , map (* sum) xs
     , loop ys = map (+ 12) xs for _i < k do map (+ most) ys
     , if c then map (+ other) xs else xs )
