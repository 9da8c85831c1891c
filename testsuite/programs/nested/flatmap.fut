-- Maps to rows of different sizes inside such maps, and beside them code whose arrays' sizes depend on the element.
-- ==
-- entry: triangles
-- input { [2i64, 0i64, 3i64] }
-- output { [0i64, 0i64, 1i64, 0i64, 0i64, 1i64, 0i64, 1i64, 2i64] [3i64, 0i64, 6i64] }

-- The rows 0, 0 1, 0 1 2, ... up to one of length n, one behind the other.
def triangle (n: i64) : []i64 = (flatmap' (\k -> filter (>= 0) (iota (k + 1))) (iota n)).3

entry triangles (ns: []i64) : ([]i64, []i64) =
  ((flatmap' triangle ns).3, map (\n -> length (triangle n)) ns)

-- A row may end a flatmap that is itself an element of a scatter's values.
-- ==
-- entry: placed
-- input { [0i64, 2i64, 1i64] }
-- output { [1i64, 1i64, 3i64] }

entry placed [n] (is: [n]i64) : [n]i64 =
  scatter (replicate n 0) is (map (\i -> i64.maximum (triangle (i + 1)) + i64.bool (i == 0) + i64.bool (i == 2)) is)
