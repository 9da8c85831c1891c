-- A filter by scan and scatter.
-- ==
-- input { [1, 5, 2, 3] }
-- output { [5i32, 3i32] }

def main [n] (xs: [n]i32) : []i32 =
  let keep = map (> 2) xs
  let ends = scan (+) 0 (map i64.bool keep)
  let m = if n == 0 then 0 else ends[n - 1]
  let is = map2 (\k e -> if k then e - 1 else -1) keep ends
  in scatter (replicate m 0) is xs
