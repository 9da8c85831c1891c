-- The segments of an irregular map lie one behind the other.
-- ==
-- entry: main
-- input { [2, 0, 3] } output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64] [7, 7, 7, 7, 7] }

entry main (ns: []i32) = flatmap' (\n -> map (const 7i32) (filter (< n) [0, 1, 2])) ns
