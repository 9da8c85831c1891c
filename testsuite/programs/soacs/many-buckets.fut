-- Of n numbers, each of 10 buckets receives n / 10.
-- ==
-- input { 5000i64 }
-- output { [500, 500, 500, 500, 500, 500, 500, 500, 500, 500] }
-- input { 0i64 }
-- output { [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }

def main (n: i64) : [10]i32 = hist (+) 0 10 (map (% 10) (iota n)) (replicate n 1)
