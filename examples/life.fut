-- # The Game of Life
--
-- A world is a torus of cells, each dead (0) or alive (1).

-- ==
-- input { 1i32 [[0u8,0u8,0u8,0u8,0u8], [0u8,0u8,1u8,0u8,0u8], [0u8,0u8,1u8,0u8,0u8], [0u8,0u8,1u8,0u8,0u8], [0u8,0u8,0u8,0u8,0u8]] }
-- output { [[0u8,0u8,0u8,0u8,0u8], [0u8,0u8,0u8,0u8,0u8], [0u8,1u8,1u8,1u8,0u8], [0u8,0u8,0u8,0u8,0u8], [0u8,0u8,0u8,0u8,0u8]] }

def step [n] [m] (world: [n][m]u8) : [n][m]u8 =
  tabulate_2d n
              m
              (\i j ->
                 let at (di: i64) (dj: i64) = world[(i + di) % n, (j + dj) % m]
                 let around = at (-1) (-1) + at (-1) 0 + at (-1) 1 + at 0 (-1) + at 0 1 + at 1 (-1) + at 1 0 + at 1 1
                 in u8.bool (around == 3 || (around == 2 && world[i, j] == 1)))

entry main [n] [m] (steps: i32) (world: [n][m]u8) : [n][m]u8 =
  loop world for _i < steps do step world

-- A glider moves one cell down and to the right every four steps. This is an animation of forty:
--
-- > :video (frame, world, 40i64);
-- format: gif
-- fps: 10

-- After all of them it is where it began, on a torus of ten by ten:
--
-- > same world (main 40 world)

def world : [10][10]u8 =
  let alive: [5](i64, i64) = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
  in scatter_2d (replicate 10 (replicate 10 0)) alive (replicate 5 1)

-- A frame is the world with each cell as a square of eight by eight pixels; the state is the world of the next frame.

def frame [n] [m] (world: [n][m]u8) : ([n * 8][m * 8]u8, [n][m]u8) =
  (tabulate_2d (n * 8) (m * 8) (\i j -> 255 - 255 * world[i / 8, j / 8]), step world)

def same [n] [m] (a: [n][m]u8) (b: [n][m]u8) : bool =
  and (map2 (\x y -> and (map2 (==) x y)) a b)
