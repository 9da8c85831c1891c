-- Reductions whose operator is associative and not commutative, of what lies in memory: of two arrays with elements of different sizes, of
-- elements at places that an array says, and of elements with their places; of sizes around those at which a processor folds runs
-- side by side. Each is compared with a loop.
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
