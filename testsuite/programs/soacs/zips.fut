-- Zips and unzips of two to four arrays.
-- ==
-- input { [1, 2] [3, 4] }
-- output { [3, 4] [1, 2] [4, 6] [8, 12] }

def main [n] (a: [n]i32) (b: [n]i32) : ([n]i32, [n]i32, [n]i32, [n]i32) =
  let (x, y) = unzip (zip b a)
  let (p, q, r) = unzip3 (zip3 a b a)
  let z = map (\(s, t, u, v) -> s + t + u + v) (zip4 a b a b)
  in (x, y, map3 (\i j k -> i + j + k - i) p q r, z)
