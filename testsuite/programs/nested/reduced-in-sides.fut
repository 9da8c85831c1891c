-- Reductions of rows in branches of points, of whose elements nobody else has to know the number: pieces of rows are as many as there can be.
-- There may be no points, no row with elements, and one long row; the other operator does not commute.

-- ==
-- entry: sums
-- input { [5i64, 0i64, 12i64, 7i64, 40i64] }
-- output { [-5i64, 1000i64, 1044i64, -7i64, 1157i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
-- input { [1i64, 3i64] }
-- output { [-1i64, -3i64] }
-- input { [2000i64, 2i64] }
-- output { [9003i64, 1001i64] }

entry sums [n] (ns: [n]i64) : [n]i64 =
  map (\m -> if m % 2 == 0 then 1000 + i64.sum (map (\j -> j * j % 11) (iota m)) else -m) ns

-- ==
-- entry: compositions
-- input { [5i64, 0i64, 12i64, 7i64, 41i64] }
-- output { [6400036i64, 100000i64, 878600868i64, 25600145i64, 208306908i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
-- input { [2000i64, 3001i64] }
-- output { [33700192i64, 106909187i64] }

def compose (a: i64, b: i64) (c: i64, d: i64) : (i64, i64) = ((a * c) % 10007, (b * c + d) % 10007)

entry compositions [n] (ns: [n]i64) : [n]i64 =
  map (\m -> let (a, b) = if m % 3 == 0
                          then reduce compose (1, 0) (map (\j -> (j % 5 + 1, j)) (iota m))
                          else reduce compose (1, 0) (map (\j -> (2, j % 3)) (iota (m + 1)))
             in a * 100000 + b) ns
