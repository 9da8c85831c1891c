type point = {x: f32, y: f32}
entry scale (k: f32) (xs: [][]f32) : [][]f32 = map (map (* k)) xs
entry total (xs: []f32) : f32 = f32.sum xs
entry at (xs: []i64) (i: i64) : i64 = xs[i]
entry mk (x: f32) (y: f32) : point = {x, y}
entry norm (p: point) : f32 = p.x + p.y
