-- Functions whose parameters are sizes of their other arguments, at type parameters.
-- ==
-- input { 3.0 } output { 12.0 3.0 16.0 3i64 }

type^ rule = (a: i64) -> [a]f64 -> [a]f64
type^ rules = { one: rule, two: (a: i64) -> (b: i64) -> [a][b]f64 -> [b][a]f64 }
def ignoring '^t 'w (_: t) (w: w) : w = w
def given '^t 'w (r: t) (f: t -> w -> w) (w: w) : w = f r w
def same '^t (x: t) : t = x
def both '^t '^u (x: t) (y: u) : (t, u) = (x, y)
def apply (r: rules) (k: i64) (f: rules -> f64 -> f64) (x: f64) = f r (f64.sum (r.one k (replicate k x)))
def rules : rules = { one = \a (x: [a]f64) -> map (+ 1) x, two = \a b (x: [a][b]f64) -> transpose x }

def main (x: f64) : (f64, f64, f64, i64) =
  let (r, rr) = both (same rules) (rules |> same)
  let s = same (both r.one rr.two)
  let m = s.1 2 3 [[1, 2, 3], [4, 5, 6]]
  in ( apply r 3 ignoring x
     , given (same (same rules)) ignoring x
     , f64.sum (s.0 4 [x, x, x, x])
     , length m)
