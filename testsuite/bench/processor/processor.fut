-- What a processor is compared with C by: reference.c does the same by hand. testsuite/cmd/processor runs both.

-- Counts of bytes.
entry histogram [n] (xs: [n]u8): [256]i32 =
  reduce_by_index (replicate 256 0) (+) 0 (map i64.u8 xs) (replicate n 1)

-- The largest sum of neighbouring elements.
entry mss [n] (xs: [n]i32): i32 =
  let op (bx, lx, rx, tx) (by, ly, ry, ty) =
    ( i32.max bx (i32.max by (rx + ly))
    , i32.max lx (tx + ly)
    , i32.max ry (rx + ty)
    , tx + ty : i32
    )
  let (x, _, _, _) =
    reduce op (0, 0, 0, 0) (map (\x -> (i32.max x 0, i32.max x 0, i32.max x 0, x)) xs)
  in x

entry dot [n] (xs: [n]f32) (ys: [n]f32): f32 = reduce (+) 0 (map2 (*) xs ys)

entry saxpy [n] (a: f32) (xs: [n]f32) (ys: [n]f32): [n]f32 = map2 (\x y -> a * x + y) xs ys

entry prefixes [n] (xs: [n]i32): [n]i32 = scan (+) 0 xs

entry matmul [n] [m] [k] (a: [n][m]f32) (b: [m][k]f32): [n][k]f32 =
  map (\row -> map (\col -> reduce (+) 0 (map2 (*) row col)) (transpose b)) a

-- The accelerations of bodies, given by their places and masses.
entry nbody [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (ms: [n]f32): ([n]f32, [n]f32, [n]f32) =
  let body x y z =
    let pull x2 y2 z2 m =
      let (dx, dy, dz) = (x2 - x, y2 - y, z2 - z)
      let d = dx * dx + dy * dy + dz * dz + 0.01
      let s = m / (d * f32.sqrt d)
      in (dx * s, dy * s, dz * s)
    in reduce_comm (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0) (map4 pull xs ys zs ms)
  in unzip3 (map3 body xs ys zs)

-- A step of the Game of Life on a torus.
entry life [h] [w] (cells: [h][w]u8): [h][w]u8 =
  tabulate_2d h w (\i j ->
                     let at di dj = cells[(i + di + h) % h, (j + dj + w) % w]
                     let around =
                       at (-1) (-1) + at (-1) 0 + at (-1) 1 + at 0 (-1) + at 0 1 + at 1 (-1) + at 1 0 + at 1 1
                     in u8.bool (around == 3 || (around == 2 && cells[i, j] == 1)))
