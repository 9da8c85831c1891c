-- Maps whose bodies have versions, as programs have them: see choices_test.go.

-- Three recurrences, each a scan over rows (tridag of LocVolCalib and ocean-sim).
def tridag [n] (a: [n]f32) (b: [n]f32) (c: [n]f32) (y: [n]f32) : [n]f32 =
  #[unsafe]
  let b0 = b[0]
  let mats = map (\i -> if 0 < i then (b[i], 0 - a[i] * c[i - 1], 1f32, 0f32) else (1, 0, 0, 1)) (iota n)
  let mul (a0, a1, a2, a3) (b0, b1, b2, b3) =
    let v = 1f32 / (a0 * b0)
    in ((b0 * a0 + b1 * a2) * v, (b0 * a1 + b1 * a3) * v, (b2 * a0 + b3 * a2) * v, (b2 * a1 + b3 * a3) * v)
  let b = map (\(t0, t1, t2, t3) -> (t0 * b0 + t1) / (t2 * b0 + t3)) (scan mul (1, 0, 0, 1) mats)
  let y0 = y[0]
  let line (a0, a1) (b0, b1) = (b0 + b1 * a0, a1 * b1 : f32)
  let y = map (\(a, b) -> a + b * y0) (scan line (0, 1) (map (\i -> if 0 < i then (y[i], 0 - a[i] / b[i - 1]) else (0, 1)) (iota n)))
  let yn = y[n - 1] / b[n - 1]
  in map (\(a, b) -> a + b * yn)
         (scan line (0, 1) (map (\k -> let i = n - k - 1 in if 0 < k then (y[i] / b[i], 0 - c[i] / b[i]) else (0, 1)) (iota n)))

entry tridags [n] [m] (a: [n][m]f32) (b: [n][m]f32) (c: [n][m]f32) (y: [n][m]f32) : [n][m]f32 = map4 tridag a b c y

-- Rows that are scanned and then summed (micro/intra).
entry sums [n] [m] (xss: [n][m]f32) : [n]f32 = map (\xs -> f32.sum (scan (+) 0 xs)) xss

-- The rounds of a Fourier transform: each permutes the row (accelerate/fft).
entry butterflies [n] [m] (bits: i64) (xss: [n][m]f32) : [n][m]f32 =
  map (\xs ->
         let (ys, _) =
           loop (xs: *[m]f32, out: *[m]f32) = (copy xs, replicate m 0) for b < bits do
             let half = 1 << b
             let at i = (i / half) * half * 2 + i % half
             let lows = map (\i -> #[unsafe] xs[i] + xs[i + m / 2]) (iota (m / 2))
             let highs = map (\i -> #[unsafe] xs[i] - xs[i + m / 2]) (iota (m / 2))
             let is = map at (iota (m / 2)) ++ map (\i -> at i + half) (iota (m / 2))
             in (scatter out is (lows ++ highs), xs)
         in ys) xss

-- A small matrix of products of long rows for each point, some left out (misc/bfast).
entry grams [m] [n] [k] (xss: [k][n]f32) (yss: [m][n]f32) : [m][k][k]f32 =
  map (\ys ->
         let use = map (\y -> !(f32.isnan y)) ys
         in map (\as -> map (\bs -> f32.sum (map3 (\u a b -> if u then a * b else 0) use as bs)) xss) xss) yss
