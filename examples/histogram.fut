-- # A histogram
--
-- How often each byte occurs, by `reduce_by_index`.

-- ==
-- input { [1u8, 0u8, 1u8, 255u8, 1u8] }
-- output { [1i32, 3i32] }

-- The histogram of the bytes of a file: 256 counts.
entry histogram [n] (bytes: [n]u8) : [256]i32 =
  reduce_by_index (replicate 256 0) (+) 0 (map i64.u8 bytes) (replicate n 1)

-- The first two counts, for the test above.
entry main [n] (bytes: [n]u8) : []i32 =
  take 2 (histogram bytes)

-- The sums of four dice, thrown a million times. Each throw is a few steps of a generator of random numbers.
--
-- > :plot2d {throws = (sums, throws 1000000)};
-- size: (640,320)

-- Most throws give
--
-- > most (throws 1000000)

def sums : [25]i64 = iota 25

def die (seed: u32) : (u32, i64) =
  let seed = seed ^ (seed << 13)
  let seed = seed ^ (seed >> 17)
  let seed = seed ^ (seed << 5)
  in (seed, i64.u32 (seed >> 8) % 6 + 1)

def throw (n: i64) : i64 =
  let (_, sum) =
    loop (seed, sum) = (u32.i64 (n + 1) * 2654435761, 0)
    for _i < 4 do
      let (seed, x) = die seed in (seed, sum + x)
  in sum

def throws (n: i64) : [25]i64 =
  reduce_by_index (replicate 25 0) (+) 0 (map throw (iota n)) (replicate n 1)

def most [n] (counts: [n]i64) : i64 =
  (reduce (\(a, i) (b, j) -> if b > a then (b, j) else (a, i)) (-1, -1) (zip counts (iota n))).1
