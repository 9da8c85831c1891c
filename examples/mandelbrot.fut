-- The Mandelbrot set as an image: one colour a pixel, 0xRRGGBB.
-- ==
-- input { 2i64 2i64 10i32 }
-- output { [[0x10c8f0i32, 0x40e0f0i32], [0i32, 0i32]] }

type complex = (f32, f32)

def next ((x, y): complex) ((a, b): complex) : complex =
  (x * x - y * y + a, 2 * x * y + b)

-- How many steps the orbit of c stays within distance 2, at most limit.
def escape (limit: i32) (c: complex) : i32 =
  let (_, i) =
    loop (z, i) = ((0, 0), 0)
    while i < limit && z.0 * z.0 + z.1 * z.1 <= 4 do (next z c, i + 1)
  in i

-- Points of the set are black, others go through blue, gold and white with the number of steps.
def colour (limit: i32) (i: i32) : i32 =
  if i == limit
  then 0
  else let channel (k: i32) (from: i32) : i32 = (i * k + from) & 0xff
       in channel 16 0 << 16 | channel 8 192 << 8 | channel 0 240

entry main (height: i64) (width: i64) (limit: i32) : [height][width]i32 =
  tabulate_2d height width (\i j ->
    let x = 3 * f32.i64 j / f32.i64 width - 2
    let y = 2 * f32.i64 i / f32.i64 height - 1
    in colour limit (escape limit (x, y)))
