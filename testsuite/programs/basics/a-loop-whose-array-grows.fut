-- A loop whose array grows.
-- ==
-- input { 2i64 }
-- output { [1i64, 2i64, 3i64, 4i64] }

def main (n: i64) : []i64 = loop xs = [1i64] for _i < n do xs ++ map (+ length xs) xs
