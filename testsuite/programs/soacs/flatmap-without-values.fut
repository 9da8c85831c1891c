-- flatmap' returns, of irregular rows: their sizes, at which elements rows begin, the offset of each row, and all elements.
-- ==
-- input { [2i64, 0i64, 3i64] }
-- output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64] [0i64, 1i64, 0i64, 1i64, 2i64] }

def main (ns: []i64) = flatmap' (\n -> filter (>= 0) (iota n)) ns
