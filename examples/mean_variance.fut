-- The mean and the variance of a sample, in one pass over it.
-- ==
-- input { [1f32, 2f32, 3f32, 4f32] }
-- output { 2.5f32 1.25f32 }

-- Count, mean and sum of squared deviations of a part of the sample.
type part = {n: f32, mean: f32, m2: f32}

-- Two parts become one (Chan, Golub and LeVeque 1979): nothing large is subtracted, so nothing cancels.
def join (a: part) (b: part) : part =
  let n = a.n + b.n
  in if n == 0
     then a
     else let d = b.mean - a.mean
          in { n
             , mean = a.mean + d * (b.n / n)
             , m2 = a.m2 + b.m2 + d * d * (a.n * b.n / n)
             }

entry main (xs: []f32) : (f32, f32) =
  let whole = reduce join {n = 0, mean = 0, m2 = 0} (map (\x -> {n = 1, mean = x, m2 = 0}) xs)
  in (whole.mean, whole.m2 / whole.n)
