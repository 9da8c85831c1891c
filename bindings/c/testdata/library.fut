-- Everything that a library shows: scalars, arrays, records, sums, arrays of records, failures, consumption, tuning parameters.
type point = {x: f32, y: f32}
type~ shape = #circle point f32 | #polygon ([]point)

entry add (a: i32) (b: i32) : i32 = a + b
entry scale (k: f32) (m: [][]f32) : [][]f32 = map (map (* k)) m
entry at [n] (xs: [n]i32) (i: i64) : i32 = xs[i]
entry eat (xs: *[]i32) : *[]i32 = xs with [0] = 9
entry same (xs: []i32) : []i32 = xs
entry centre (ps: []point) : point =
  let n = f32.i64 (length ps)
  in {x = f32.sum (map (.x) ps) / n, y = f32.sum (map (.y) ps) / n}
entry area (s: shape) : f32 =
  match s
  case #circle _ r -> 3 * r * r
  case #polygon ps -> f32.i64 (length ps)
entry unit (_: i32) : () = ()
entry tuned (n: i64) : i64 = #[param(k)] (n + 0)
entry primed' (x: bool) (h: f16) : (bool, f16) = (!x, h)
