-- Map and reduce.
-- ==
-- input { [1, 2, 3] }
-- output { 14i32 }

def main (xs: []i32) : i32 = reduce (+) 0 (map (\x -> x * x) xs)
