-- Reverse derivatives: the gradient of a sum of squares is twice its argument.
-- ==
-- input { [1f64, -2f64, 0.5f64] }
-- output { [2f64, -4f64, 1f64] }
-- input { [3f64] }
-- output { [6f64] }

def main [n] (xs: [n]f64) : [n]f64 = vjp (\ys -> f64.sum (map (\y -> y * y) ys)) xs 1
