-- Nine small reductions and scans, from the paper on redomap (Henriksen, Larsen, Oancea, ARRAY 2016, figure 7).

def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

entry ints (n: i64) : [n]i32 = tabulate n (\i -> i32.u32 (mix (u32.i64 i) & 2047) - 1024)

-- ==
-- entry: reduce_plus reduce_max index_of_max index_of_max_pack reduce_2x2mm mssp scan_plus
-- "n=10^5" script input { ints 100000i64 }
-- "n=10^6" script input { ints 1000000i64 }
-- "n=10^7" script input { ints 10000000i64 }
-- "n=10^8" script input { ints 100000000i64 }

entry reduce_plus (as: []i32) : i32 = reduce (+) 0 as

entry reduce_max (as: []i32) : i32 = reduce_comm i32.max i32.lowest as

def later (x: i32, i: i64) (y: i32, j: i64) : (i32, i64) =
  if x < y || (x == y && j < i) then (y, j) else (x, i)

entry index_of_max [n] (as: [n]i32) : i64 =
  (reduce_comm later (i32.lowest, i64.highest) (zip as (iota n))).1

entry index_of_max_pack [n] (as: [n]i32) : i32 =
  let pack (a: i32) (i: i64) = (i64.i32 a << 32) | i
  in i32.i64 (reduce_comm i64.max i64.lowest (map2 pack as (iota n)))

-- Four i8 in one i32 as a 2x2 matrix; the operator is not commutative.
def mm (x: i32) (y: i32) : i32 =
  let byte (v: i32) (s: i32) = i32.i8 (i8.i32 (v >> s))
  let pack a b c d = ((a & 0xff) << 24) | ((b & 0xff) << 16) | ((c & 0xff) << 8) | (d & 0xff)
  let (a, b, c, d) = (byte x 24, byte x 16, byte x 8, byte x 0)
  let (e, f, g, h) = (byte y 24, byte y 16, byte y 8, byte y 0)
  in pack (a * e + b * g) (a * f + b * h) (c * e + d * g) (c * f + d * h)

entry reduce_2x2mm (as: []i32) : i32 =
  loop s = 1 for _i < 42 do reduce mm 0x01000001 (map (+ s) as)

entry mssp (xs: []i32) : i32 =
  let op (mss, mis, mcs, ts) (mss', mis', mcs', ts') : (i32, i32, i32, i32) =
    ( i32.max mss (i32.max mss' (mcs + mis'))
    , i32.max mis (ts + mis')
    , i32.max mcs' (mcs + ts')
    , ts + ts' )
  let lift x = let p = i32.max x 0 in (p, p, p, x)
  in (reduce op (0, 0, 0, 0) (map lift xs)).0

entry scan_plus [n] (as: [n]i32) : [n]i32 = scan (+) 0 as

-- ==
-- entry: redomap_nt black_scholes
-- "n=10^5" input { 100000i64 }
-- "n=10^6" input { 1000000i64 }
-- "n=10^7" input { 10000000i64 }

-- Everything here fuses into one redomap that returns three reductions and two arrays.
entry redomap_nt (n: i64) : (f32, f32, f32, [n]f32, [n]f32) =
  let a = 1.01f32
  let b = 0.99f32
  let x = map (\i -> f32.exp (-f32.i64 i / (f32.i64 n + a)) / (a + f32.i64 i)) (iota n)
  let y = map (\v -> f32.exp (v * b) / (v + b)) x
  let t = map2 (+) x y
  let t0 = reduce_comm (+) 0 t
  let t1 = reduce_comm f32.min f32.inf x
  let t2 = reduce_comm f32.max 0 y
  let v = map (* a) x
  let w = map (* b) y
  in (t0, t1, t2, v, w)

def cnd (d: f32) : f32 =
  let k = 1 / (1 + 0.2316419 * f32.abs d)
  let p = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  let c = 0.39894228 * f32.exp (-0.5 * d * d) * p
  in if d > 0 then 1 - c else c

entry black_scholes (n: i64) : f32 =
  let price i =
    let u = f32.u32 (mix (u32.i64 i) & 0xffff) / 65536
    let (s, x, t) = (5 + 25 * u, 1 + 99 * (1 - u), 0.25 + 9.75 * u * u)
    let (r, v) = (0.08, 0.3)
    let d1 = (f32.log (s / x) + (r + 0.5 * v * v) * t) / (v * f32.sqrt t)
    let d2 = d1 - v * f32.sqrt t
    in s * cnd d1 - x * f32.exp (-r * t) * cnd d2
  in reduce (+) 0 (map price (iota n))
