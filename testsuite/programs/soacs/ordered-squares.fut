-- Reductions whose operator is associative and not commutative, of what lies in memory: of two arrays with elements of different sizes, of
-- elements at places that an array says, and of elements with their places; of sizes around those at which a processor copies squares of the
-- runs. Each is compared with a loop.
-- ==
-- entry: composed
-- input { [0i64, 1i64, 511i64, 512i64, 513i64, 1023i64] } output { true }
-- compiled input { [24063i64, 24064i64, 24065i64, 24576i64, 50000i64, 400009i64] } output { true }

-- ==
-- entry: gathered
-- input { [1i64, 512i64] } output { true }
-- compiled input { [24577i64, 300001i64] } output { true }

-- ==
-- entry: placed
-- input { [1i64, 512i64] } output { true }
-- compiled input { [24577i64, 300001i64] } output { true }

-- ==
-- entry: narrow
-- input { [1i64, 31i64, 512i64] } output { true }
-- compiled input { [24577i64, 300001i64] } output { true }

-- ==
-- entry: rows
-- input { [1i64, 512i64] } output { true }
-- compiled input { [40001i64, 200003i64] } output { true }

-- ==
-- entry: prefixes
-- input { [1i64, 512i64] } output { true }
-- compiled input { [24577i64, 300001i64] } output { true }

-- Affine maps of i64 after each other, of factors and terms.
def after (a: i64, b: i64) (c: i64, d: i64) = (a * c, b * c + d)

def one_by_one [n] (fs: [n](i64, i64)) = loop acc = (1, 0) for f in fs do after acc f

entry composed (sizes: []i64) : bool =
  loop ok = true
  for n in sizes do
    let as = opaque (map (\i -> u8.i64 (i * 7 % 5)) (iota n))
    let bs = opaque (map (\i -> i64.i32 (i32.i64 i * 7919)) (iota n))
    let f a b = (i64.u8 a * 2 + 1, b)
    in ok && reduce after (1, 0) (map2 f as bs) == one_by_one (map2 f as bs)

entry gathered (sizes: []i64) : bool =
  loop ok = true
  for n in sizes do
    let is = opaque (map (\i -> (i * 7919 + 13) % n) (iota n))
    let xs = opaque (map (\i -> i64.i32 (i32.i64 i * 31)) (iota n))
    let fs = map (\i -> (3, xs[i])) is
    in ok && reduce after (1, 0) (map (\i -> (3, xs[i])) is) == one_by_one fs

entry placed (sizes: []i64) : bool =
  loop ok = true
  for n in sizes do
    let xs = opaque (map (\i -> f32.i64 (i % 17)) (iota n))
    let f i x = (2 * i + 1, i64.f32 x)
    in ok && reduce after (1, 0) (map2 f (iota n) xs) == one_by_one (map2 f (iota n) xs)

-- Elements of 8 and 16 bits.
entry narrow (sizes: []i64) : bool =
  loop ok = true
  for n in sizes do
    let as = opaque (map (\i -> u8.i64 (i * 7 % 5)) (iota n))
    let bs = opaque (map (\i -> i16.i64 (i * 31)) (iota n))
    let f a b = (i64.u8 a * 2 + 1, i64.i16 b)
    let g a = (3, i64.u8 a)
    in ok && reduce after (1, 0) (map2 f as bs) == one_by_one (map2 f as bs)
       && reduce after (1, 0) (map g as) == one_by_one (map g as)

-- Few segments that are long.
entry rows (sizes: []i64) : bool =
  loop ok = true
  for n in sizes do
    let xss = opaque (map (\r -> map (\i -> f32.i64 ((r + i) % 17)) (iota n)) (iota 3))
    let f x = (3, i64.f32 x)
    let whole = map (\xs -> reduce after (1, 0) (map f xs)) xss
    in ok && and (map2 (\w xs -> w == one_by_one (map f xs)) whole xss)

entry prefixes (sizes: []i64) : bool =
  loop ok = true
  for n in sizes do
    let xs = opaque (map (\i -> i32.i64 (i % 23)) (iota n))
    let f x = (3, i64.i32 x)
    let fs = scan after (1, 0) (map f xs)
    in ok && fs[n - 1] == one_by_one (map f xs) && fs[n / 2] == one_by_one (map f (take (n / 2 + 1) xs))
