-- Notations of numbers: hexadecimal, binary, Roman (MCMXC = 1990), underscores, characters (code points), hexadecimal floats
-- (0x1.8p3 = 1.5 * 8), names with primes, and lists that end in a comma.
-- ==
-- entry: integers
-- input { 0 } output { [255, 10, 1990, 1000000, 65, 8364] }

entry integers (x: i32) : []i32 =
  let x' = x
  in [0xff + x', 0b1010, 0rMCMXC, 1_000_000, 'A', '€',]

-- ==
-- entry: floats
-- input { 0f32 } output { [12f32, 1500f32, 0.25f32] }

entry floats (x: f32) : []f32 = [0x1.8p3f32 + x, 1.5e3, 25e-2]
