-- flatmap' gives, of irregular rows: the rows' sizes, where rows begin, where the row of each element begins, and all elements.
-- ==
-- input { [2i64, 0i64, 3i64] }
-- output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64] [0i64, 1i64, 0i64, 1i64, 2i64] }

def main (ns: []i64) = flatmap' (\n -> let m = n in iota m) ns
