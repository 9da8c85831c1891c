-- Powers of the Fibonacci matrix.
-- ==
-- input { 1 }
-- output { [[1, 1], [1, 0]] }
-- input { 10 }
-- output { [[89, 55], [55, 34]] }

def mul [n] (a: [n][n]i32) (b: [n][n]i32) : [n][n]i32 =
  map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a
def main (k: i32) : [2][2]i32 = loop a = [[1, 0], [0, 1]] for _i < k do mul a [[1, 1], [1, 0]]
