-- Reductions and scans of few long rows whose operators and bodies are much code where a device has no f64: threads then share each row and
-- meet in no workgroup (Note [Reductions of segments] in package choose). All numbers are whole and small, so that f64 must be what i64 is.

entry numbers (m: i64) (n: i64) : [m][n]i64 = map (\r -> map (\i -> (i + r * 31) * 7919 % 2003 - 1000) (iota n)) (iota m)

def same [m] (xs: [m]f64) (is: [m]i64) : bool = and (map2 (\x i -> x == f64.i64 i) xs is)
def sameRows [m][n] (xss: [m][n]f64) (iss: [m][n]i64) : bool = and (map2 same xss iss)

-- ==
-- entry: squares largest scanned lines
-- script input { numbers 1i64 4097i64 } output { true }
-- script input { numbers 3i64 5000i64 } output { true }
-- compiled script input { numbers 2i64 70001i64 } output { true }
-- compiled script input { numbers 300i64 4100i64 } output { true }
-- script input { numbers 0i64 5000i64 } output { true }
-- script input { numbers 3i64 0i64 } output { true }
entry squares [m][n] (as: [m][n]i64) : bool =
  same (map (\a -> f64.sum (map (\i -> let x = f64.i64 i in x * x + 3 * x - 7) a)) as)
       (map (\a -> i64.sum (map (\x -> x * x + 3 * x - 7) a)) as)

-- The largest sum of neighbours, whose operator does not commute.
entry largest [m][n] (as: [m][n]i64) : bool =
  let mss 't (add: t -> t -> t) (max: t -> t -> t) (zero: t) (xs: [n]t) : t =
    let op (a, b, c, d) (e, f, g, h) = (max (max a e) (add c f), max b (add d f), max g (add c h), add d h)
    in (reduce op (zero, zero, zero, zero) (map (\x -> let y = max x zero in (y, y, y, x)) xs)).0
  in same (map (\a -> mss (+) f64.max 0 (map f64.i64 a)) as) (map (mss (+) i64.max 0) as)

entry scanned [m][n] (as: [m][n]i64) : bool =
  sameRows (map (\a -> scan (+) 0 (map (\i -> let x = f64.i64 i in x * x + 3 * x - 7) a)) as)
           (map (\a -> scan (+) 0 (map (\x -> x * x + 3 * x - 7) a)) as)

-- Lines bent at their smallest value, x to max(x + a, b), one after the other.
entry lines [m][n] (as: [m][n]i64) : bool =
  let bent 't (add: t -> t -> t) (max: t -> t -> t) (double: t -> t) (least: t) (zero: t) (xs: [n]t) : [n]t =
    map (.1) (scan (\(a, b) (c, d) -> (add a c, max (add b c) d)) (zero, least) (map (\x -> (x, double x)) xs))
  in sameRows (map (\a -> bent (+) f64.max (\x -> x * 2 + 1) (-1e15) 0 (map f64.i64 a)) as)
              (map (bent (+) i64.max (\x -> x * 2 + 1) (-10 ** 15) 0) as)
