-- Sizes that local functions compute, of arrays that loops and other local functions use.
-- ==
-- input { [1.0, 2.0, 3.0] } output { [8.0, 9.0, 10.0] }
-- input { empty([0]f64) } output { empty([0]f64) }

def main [n] (a: [n]f64) : []f64 =
  let area (k: i64) = k * (k + 1) / 2
  let packed = replicate (area n) 1.0
  let grown = loop p = packed for _i < n do copy p
  let total (x: [area n]f64) = f64.sum x
  in map (\i -> grown[area i] + total packed + a[i]) (iota n)
