-- Between the scan and the sum of each point is an array, and another beside them.
def main [n] (m: i64) (xs: [n]i32) : ([n]i32, [n]i32) =
  unzip (map (\x ->
                let ys = scan (+) 0 (tabulate m (\j -> x ^ i32.i64 j))
                let zs = map (\y -> y * y) (reverse ys)
                in (reduce (+) 0 ys, reduce i32.max 0 (map2 (-) (rotate 1 zs) ys)))
             xs)
