-- Conway's Game of Life on a torus.
-- ==
-- input { 1i32 [[0u8,0u8,0u8,0u8,0u8], [0u8,0u8,1u8,0u8,0u8], [0u8,0u8,1u8,0u8,0u8], [0u8,0u8,1u8,0u8,0u8], [0u8,0u8,0u8,0u8,0u8]] }
-- output { [[0u8,0u8,0u8,0u8,0u8], [0u8,0u8,0u8,0u8,0u8], [0u8,1u8,1u8,1u8,0u8], [0u8,0u8,0u8,0u8,0u8], [0u8,0u8,0u8,0u8,0u8]] }

def step [n] [m] (world: [n][m]u8) : [n][m]u8 =
  tabulate_2d n m (\i j ->
    let at (di: i64) (dj: i64) = world[(i + di) % n, (j + dj) % m]
    let around = at (-1) (-1) + at (-1) 0 + at (-1) 1 + at 0 (-1) + at 0 1 + at 1 (-1) + at 1 0 + at 1 1
    in u8.bool (around == 3 || (around == 2 && world[i, j] == 1)))

entry main [n] [m] (steps: i32) (world: [n][m]u8) : [n][m]u8 =
  loop world for _i < steps do step world
