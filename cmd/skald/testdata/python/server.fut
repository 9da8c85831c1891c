type point = {x: f32, y: f32}
type shape = #circle point f32 | #empty

entry scale (k: f32) (xs: [][]f32) : [][]f32 = map (map (* k)) xs
entry total (xs: []f32) : f32 = f32.sum xs
entry at (xs: []i64) (i: i64) : i64 = xs[i]
entry centre (ps: []point) : point =
  let n = f32.i64 (length ps)
  in {x = f32.sum (map (.x) ps) / n, y = f32.sum (map (.y) ps) / n}
entry area (s: shape) : f32 =
  match s
  case #circle _ r -> 3 * r * r
  case #empty -> 0
