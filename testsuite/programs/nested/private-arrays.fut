-- Threads with arrays of their own that are too large for registers: of several types, carried through loops, made in branches, read at
-- places that differ from thread to thread, returned, and more of them than a thread has room for.
-- ==
-- entry: sieve
-- input { [2i64, 10i64, 97i64] } output { [1i64, 4i64, 25i64] }

-- ==
-- entry: longest
-- input { [1i32, 7i32, 27i32] } output { [1i32, 17i32, 112i32] }

-- ==
-- entry: returned
-- input { [3i32, 5i32] 99i64 } output { [300i32, 500i32] [4950i32, 4950i32] }

-- ==
-- entry: crowded
-- input { [1i64, 2i64] } output { [2465i64, 4930i64] }

-- How many primes there are up to n, which is at most 100.
entry sieve (ns: []i64) : []i64 =
  #[sequential_inner]
  map (\n ->
         let composite =
           loop composite = replicate 101 false
           for p in 2...10 do
             if composite[p]
             then composite
             else loop composite for k < 99 do
                    let m = p * (k + 2)
                    in if m <= 100 then composite with [m] = true else composite
         in i64.sum (map2 (\i c -> i64.bool (i >= 2 && i <= n && !c)) (iota 101) composite))
      ns

-- The number of numbers in the Collatz sequence from n to 1, of which the last 120 are kept; 27 has 112.
entry longest (ns: []i32) : []i32 =
  #[sequential_inner]
  map (\n ->
         let (kept, count, _) =
           loop (kept, count, x) = (replicate 120 0i32, 0i32, n)
           while x != 0 do
             let kept = kept with [i64.i32 count % 120] = x
             in (kept, count + 1, if x == 1 then 0 else if x % 2 == 0 then x / 2 else 3 * x + 1)
         in if kept[0] == n then i32.sum (map (\x -> i32.bool (x != 0)) kept) else -count)
      ns

-- Rows that are made, read and returned.
entry returned (xs: []i32) (last: i64) : ([]i32, []i32) =
  let rows =
    #[sequential_inner]
    map (\x ->
           let row = loop row = replicate 100 x for i < 99 do row with [i + 1] = row[i] + x
           in row)
        xs
  in ( map (\row -> row[last]) rows
     , map2 (\row x -> i32.sum (map (\y -> y / x) row) - 100) rows xs
     )

-- Thirty arrays of 120 numbers of 64 bits are 28,800 bytes.
entry crowded (xs: []i64) : []i64 =
  #[sequential_inner]
  map (\x ->
         let table = loop table = replicate 30 (replicate 120 x) for i < 30 do table with [i] = map (* i) (copy table[i])
         let a = loop a = replicate 120 x for i < 119 do a with [i + 1] = a[i] + x
         let b = loop b = copy a for i < 119 do b with [i] = b[i + 1] - a[i]
         let c = map2 (+) a b
         in table[29, x % 120] * 85 + c[0] - b[0] - x)
      xs
