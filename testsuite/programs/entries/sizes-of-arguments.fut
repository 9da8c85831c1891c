-- Arguments that contradict each other are refused with the words that test blocks of programs expect.
-- ==
-- input { [1,2,3] [1,2] } error: Error.*invalid sizes
def main [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs ys
