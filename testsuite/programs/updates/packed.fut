-- Elements narrower than a word share it with their neighbours: threads write every other element, and the others stay.
-- Atomic updates of them, of floats and of two words lose nothing.
-- ==
-- entry: i8s u8s i16s u16s f16s bools
-- input { 1023i64 }
-- output { true }
-- input { 100000i64 }
-- output { true }

def odd_ones 't (n: i64) (old: i64 -> t) (new: i64 -> t) (eq: t -> t -> bool) : bool =
  let xs = tabulate n old
  let half = n / 2
  let is = tabulate half (\i -> 2 * i + 1)
  let ys = scatter xs is (map new is)
  in and (map (\i -> eq ys[i] (if i % 2 == 1 then new i else old i)) (iota n))

entry i8s (n: i64) = odd_ones n (\i -> i8.i64 (3 * i)) (\i -> i8.i64 (-i)) (==)
entry u8s (n: i64) = odd_ones n (\i -> u8.i64 (3 * i)) (\i -> u8.i64 (-i)) (==)
entry i16s (n: i64) = odd_ones n (\i -> i16.i64 (7 * i)) (\i -> i16.i64 (-i)) (==)
entry u16s (n: i64) = odd_ones n (\i -> u16.i64 (7 * i)) (\i -> u16.i64 (-i)) (==)
entry f16s (n: i64) = odd_ones n (\i -> f16.i64 (i % 512)) (\i -> f16.i64 (-(i % 511))) (==)
entry bools (n: i64) = odd_ones n (\i -> i % 3 == 0) (\i -> i % 5 == 0) (==)

-- ==
-- entry: sums
-- input { 1024i64 }
-- output { [[199u8, 114u8, 114u8]] 1023f32 [8796093529600i64, 0i64] }
entry sums (n: i64) =
  let bytes = reduce_by_index [0u8, 0u8, 0u8] (+) 0u8 (map (% 3) (iota n)) (map (\i -> u8.i64 (i / 3)) (iota n))
  let most = reduce_by_index [0f32] f32.max 0f32 (replicate n 0) (map f32.i64 (iota n))
  let wide = reduce_by_index [0i64, 0i64] (+) 0i64 (replicate n 0) (map (\i -> 0x1_ffff_fff0 + i) (iota n))
  in ([bytes], most[0], wide)
