-- Statistics of a sample that lies in parts on several machines: what a part has, and how the results of two become one.
-- ==
-- entry: histogram
-- input { 4i64 0f32 4f32 [0.5f32, 1.5f32, 1.6f32, 3.9f32, -1f32, 9f32] } output { [2i64, 2i64, 0i64, 2i64] }

-- ==
-- entry: mean_and_variance
-- input { [1f32, 2f32, 3f32, 4f32] } output { 2.5f64 1.25f64 }

-- How many elements lie in each of k intervals of the same size; what lies outside counts in the first or the last.
entry histogram [n] (k: i64) (low: f32) (high: f32) (xs: [n]f32) : [k]i64 =
  let place x = i64.max 0 (i64.min (k - 1) (i64.f32 ((x - low) / (high - low) * f32.i64 k)))
  in reduce_by_index (replicate k 0) (+) 0 (map place xs) (replicate n 1)

entry join_histograms [k] (a: [k]i64) (b: [k]i64) : [k]i64 = map2 (+) a b

-- The number of elements, their mean, and the sum of the squares of what they differ from it.
type moments = {n: f64, mean: f64, m2: f64}

-- Two parts become one (Chan, Golub and LeVeque 1979): nothing large is subtracted, so nothing cancels.
def join (a: moments) (b: moments) : moments =
  let n = a.n + b.n
  in if n == 0
     then a
     else let d = b.mean - a.mean
          in { n
             , mean = a.mean + d * (b.n / n)
             , m2 = a.m2 + b.m2 + d * d * (a.n * b.n / n)
             }

def moments_of (xs: []f32) : moments =
  reduce join {n = 0, mean = 0, m2 = 0} (map (\x -> {n = 1, mean = f64.f32 x, m2 = 0}) xs)

-- The same operator joins elements within a part and the results of parts.
entry moments (xs: []f32) : (f64, f64, f64) =
  let m = moments_of xs in (m.n, m.mean, m.m2)

entry join_moments (n: f64) (mean: f64) (m2: f64) (n': f64) (mean': f64) (m2': f64) : (f64, f64, f64) =
  let m = join {n, mean, m2} {n = n', mean = mean', m2 = m2'} in (m.n, m.mean, m.m2)

entry mean_and_variance (xs: []f32) : (f64, f64) =
  let m = moments_of xs in (m.mean, m.m2 / m.n)
