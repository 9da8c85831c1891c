-- The sizes of a function's results, named by whoever calls it.
-- ==
-- input { [3, -1, 4, -1, 5] }
-- output { 3i64 2i64 14i32 }

def main (xs: []i32) : (i64, i64, i32) =
  let [k] (ps: [k]i32) = filter (> 0) xs
  let (_, ns) = partition (> 0) xs
  in (k, length ns, i32.sum ps + i32.sum (map i32.abs ns))
