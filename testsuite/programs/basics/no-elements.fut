-- No elements.
-- ==
-- input { empty([0]i32) }
-- output { 0i32 }

def main (xs: []i32) : i32 = reduce (+) 0 (map (\x -> x * x) xs)
