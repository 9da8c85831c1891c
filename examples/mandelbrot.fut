-- # The Mandelbrot set
--
-- An image is an array of colours, 0xRRGGBB, one for each pixel:
--
-- > :img main 480 720 255

-- ==
-- input { 2i64 2i64 10i32 }
-- output { [[0x10c8f0i32, 0x40e0f0i32], [0i32, 0i32]] }

-- Points of the plane are complex numbers, and a point's orbit begins at zero.

type complex = (f32, f32)

def next ((x, y): complex) ((a, b): complex) : complex =
  (x * x - y * y + a, 2 * x * y + b)

-- How many steps the orbit of c stays within distance 2, at most limit.
def escape (limit: i32) (c: complex) : i32 =
  let (_, i) =
    loop (z, i) = ((0, 0), 0)
    while i < limit && z.0 * z.0 + z.1 * z.1 <= 4 do
      (next z c, i + 1)
  in i

-- Points of the set are black, others go through blue, gold and white with the number of steps.
def colour (limit: i32) (i: i32) : i32 =
  if i == limit
  then 0
  else let channel (k: i32) (from: i32) : i32 = (i * k + from) & 0xff
       in channel 16 0 << 16 | channel 8 192 << 8 | channel 0 240

entry main (height: i64) (width: i64) (limit: i32) : [height][width]i32 =
  tabulate_2d height
              width
              (\i j ->
                 let x = 3 * f32.i64 j / f32.i64 width - 2
                 let y = 2 * f32.i64 i / f32.i64 height - 1
                 in colour limit (escape limit (x, y)))

-- The valley between the head and the body, with more steps:
--
-- > :img zoom 480 720 1000 -0.7463f32 0.1102f32 0.005f32

-- How many pixels of the first picture belong to the set:
--
-- > inside 480 720 255

entry zoom (height: i64) (width: i64) (limit: i32) (x0: f32) (y0: f32) (side: f32) : [height][width]i32 =
  tabulate_2d height
              width
              (\i j ->
                 let x = x0 + side * (f32.i64 j / f32.i64 width - 0.5)
                 let y = y0 + side * (f32.i64 i / f32.i64 width - 0.5)
                 in colour limit (escape limit (x, y)))

def inside (height: i64) (width: i64) (limit: i32) : i64 =
  i64.sum (map (\c -> i64.bool (c == 0)) (flatten (main height width limit)))
