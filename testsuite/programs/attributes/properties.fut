-- Properties are tried on random values; a generator may be given, and a function that makes values smaller.
-- ==
-- property: reversing
-- property: sorted

#[prop]
entry reversing (xs: []i32) : bool =
  and (map2 (==) xs (reverse (reverse xs)))

entry ascending (size: i64) (seed: u64) : []i64 =
  map (\i -> i * i + i64.u64 (seed & 7)) (iota size)

#[prop(gen(ascending))]
entry sorted (xs: []i64) : bool =
  all (\i -> xs[i] <= xs[i + 1]) (iota (i64.max 0 (length xs - 1)))
