-- Generalised histograms: uniform, normal and one-bin data (D1..D12) and k bins by n elements, for three kinds of
-- operator: one with a hardware atomic, one that needs a CAS loop, one that needs a lock.

-- A counter-based generator (splitmix-like), so that data is the same on every backend.
def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def unit (x: u32) : f32 = (f32.u32 (mix x >> 8) + 0.5) / 16777216

-- D1..D4: uniform bins.
entry uniform (n: i64) (k: i64) : [n]i64 =
  tabulate n (\i -> i64.u32 (mix (u32.i64 i)) % k)

-- D5..D8: normal around k/2, folded back into the bins.
entry normal (n: i64) (k: i64) (sigma: f32) : [n]i64 =
  tabulate n (\i ->
    let a = unit (u32.i64 (2 * i))
    let b = unit (u32.i64 (2 * i + 1))
    let z = f32.sqrt (-2 * f32.log a) * f32.cos (2 * f32.pi * b)
    in i64.f32 (f32.i64 (k / 2) + sigma * z) % k)

-- D9..D12: every element in one bin.
entry onebin (n: i64) (k: i64) : [n]i64 = replicate n (k / 2)

-- Perfectly regular.
entry regular (n: i64) (k: i64) : [n]i64 = map (% k) (iota n)

-- ==
-- entry: count satadd argmax
-- "D1 uniform 16"     script input { (16i64,    uniform 20000000i64 16i64) }
-- "D2 uniform 256"    script input { (256i64,   uniform 20000000i64 256i64) }
-- "D3 uniform 4096"   script input { (4096i64,  uniform 20000000i64 4096i64) }
-- "D4 uniform 65536"  script input { (65536i64, uniform 20000000i64 65536i64) }
-- "D5 normal s64"     script input { (2048i64,  normal 20000000i64 2048i64 64f32) }
-- "D6 normal s128"    script input { (2048i64,  normal 20000000i64 2048i64 128f32) }
-- "D7 normal s256"    script input { (2048i64,  normal 20000000i64 2048i64 256f32) }
-- "D8 normal s512"    script input { (2048i64,  normal 20000000i64 2048i64 512f32) }
-- "D9 onebin 16"      script input { (16i64,    onebin 20000000i64 16i64) }
-- "D10 onebin 256"    script input { (256i64,   onebin 20000000i64 256i64) }
-- "D11 onebin 4096"   script input { (4096i64,  onebin 20000000i64 4096i64) }
-- "D12 onebin 65536"  script input { (65536i64, onebin 20000000i64 65536i64) }
-- "regular k=8 n=2^24"     script input { (8i64,       regular 16777216i64 8i64) }
-- "regular k=2^16 n=2^24"  script input { (65536i64,   regular 16777216i64 65536i64) }
-- "regular k=2^22 n=2^24"  script input { (4194304i64, regular 16777216i64 4194304i64) }

-- Hardware atomic: i32 addition.
entry count [n] (k: i64) (is: [n]i64) : [k]i32 =
  reduce_by_index (replicate k 0) (+) 0 is (replicate n 1)

-- CAS loop: saturating addition on one word.
entry satadd [n] (k: i64) (is: [n]i64) : [k]u32 =
  let add (a: u32) (b: u32) = let s = a + b in if s > 0xffffff then 0xffffff else s
  in reduce_by_index (replicate k 0) add 0 is (map (\i -> u32.i64 (i % 7)) is)

-- Lock: the operator updates two words together.
entry argmax [n] (k: i64) (is: [n]i64) : ([k]i32, [k]i64) =
  let pick (a: i32, i: i64) (b: i32, j: i64) =
    if a > b || (a == b && i > j) then (a, i) else (b, j)
  in unzip (reduce_by_index (replicate k (i32.lowest, -1i64)) pick (i32.lowest, -1i64) is
                            (map (\i -> (i32.u32 (mix (u32.i64 i) >> 8), i)) (iota n)))
