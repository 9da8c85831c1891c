-- Loops, reductions and scans of pairs of which one part is used.

def plus (a, b) (x, y) : (i32, i32) = (a + x, b * y)

-- ==
-- entry: first
-- input { [1, 2, 3] [4, 5, 6] 3i64 } output { [3, 7, 14] 29 }
-- input { [1, 2, 3] [4, 5, 6] 0i64 } output { [1, 2, 3] 0 }
entry first [n] (xs: [n]i32) (ys: [n]i32) (m: i64) : ([n]i32, i32) =
  let (rs, (s, _)) =
    loop (xs, (s, p)) = (zip xs ys, (0, 1)) for i < m do
      let scanned = scan plus (0, 1) xs
      let one = map (\(x, y) -> if i == 0 then (x, y) else (x + 1, y - 1)) (if i == 1 then xs else scanned)
      in (one, plus (s, p) (reduce plus (0, 1) xs))
  in (map (.0) rs, s)

-- An operator whose first part depends on its second keeps both.
-- ==
-- entry: dependent
-- input { [1, 2, 3] } output { 6 [1, 3, 6] }
entry dependent [n] (xs: [n]i32) : (i32, [n]i32) =
  let op (a, c) (b, d) : (i32, bool) = (if d then a + b else b, c && d)
  in ((reduce op (0, true) (map (\x -> (x, x > 0)) xs)).0, map (.0) (scan op (0, true) (map (\x -> (x, x > 0)) xs)))
