-- Records and tuples: made, taken apart, updated, punned.
-- ==
-- entry: fields
-- input { 1 2 } output { 3 2 1 }

-- ==
-- entry: updates
-- input { [1, 2, 3] } output { [1, 9, 3] 7 [[0, 5], [0, 0]] }

-- ==
-- entry: sections
-- input { 5 } output { 5 6 }

-- Fields are in the order of their names, wherever they are written.
-- ==
-- entry: order
-- input { 1 2.0 } output { 1 2.0 }

type point = {x: i32, y: i32}

entry fields (x: i32) (y: i32) =
  let p: point = {y, x}
  let {x = a, y = b} = p
  in (p.x + p.y, b, (a, b).0)

entry updates (xs: []i32) =
  let r = {data = copy xs, n = 0i32}
  let r = r with data[1] = 9
  let r = r with n = 7
  let m = replicate 2 (replicate 2 0i32)
  let m[0, 1] = 5
  in (r.data, r.n, m)

entry sections (x: i32) =
  let rs = [{a = (x, x + 1)}]
  in ((map (.a.0) rs)[0], (map (\r -> r.a.1) rs)[0])

entry order (a: i32) (b: f64) = {b, a}
