-- Ten gradients of the kinds that people ask for. TestGradientsStayWithinTheirLaunches (compiler) counts the kernels of each.

def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)
def sigmoid (x: f64): f64 = 1 / (1 + f64.exp (-x))

-- A map and a sum.
-- ==
-- entry: squares
-- compiled input { [1.0, -0.5, 2.0, 0.25, -3.0, 1.5, 0.125, 0.75] } auto output
entry squares [n] (xs: [n]f64): [n]f64 =
  vjp (\xs -> xs |> map (\x -> x * x) |> map (* 0.5) |> f64.sum) xs 1

-- Two reductions, one of which needs the other.
-- ==
-- entry: logsumexp
-- compiled input { [1.0, -0.5, 2.0, 0.25, -3.0, 1.5, 0.125, 0.75] } auto output
entry logsumexp [n] (xs: [n]f64): [n]f64 =
  vjp (\xs -> let m = f64.maximum xs
              in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))) xs 1

-- Neighbours, read by index.
-- ==
-- entry: stencil
-- compiled input { [1.0, -0.5, 2.0, 0.25, -3.0, 1.5, 0.125, 0.75] } auto output
entry stencil [n] (xs: [n]f64): [n]f64 =
  vjp (\xs -> f64.sum (tabulate n (\i -> let d = xs[(i + 1) % n] - xs[i] in d * d))) xs 1

-- A scan between maps.
-- ==
-- entry: prefix
-- compiled input { [1.0, -0.5, 2.0, 0.25, -3.0, 1.5, 0.125, 0.75] } auto output
entry prefix [n] (xs: [n]f64): [n]f64 =
  vjp (\xs -> xs |> map f64.sin |> scan (+) 0 |> map (\s -> s * s) |> f64.sum) xs 1

-- A loop for each element.
-- ==
-- entry: horner
-- compiled input { [1.0, -0.5, 2.0, 0.25] [0.5, -1.0, 0.25] } auto output
entry horner [n] [k] (xs: [n]f64) (cs: [k]f64): [k]f64 =
  vjp (\cs -> xs |> map (\x -> loop y = 0 for i < k do y * x + cs[i])
                 |> map (\y -> y * y) |> f64.sum) cs 1

-- A matrix times a vector, and a loss.
-- ==
-- entry: logistic
-- compiled input { [[1.0, 2.0], [0.5, -1.0], [-2.0, 0.25]] [1.0, 0.0, 1.0] [0.5, -0.25] } auto output
entry logistic [n] [d] (xss: [n][d]f64) (ys: [n]f64) (w: [d]f64): [d]f64 =
  let loss w =
    map2 (\xs y -> let p = sigmoid (dot xs w)
                   in -(y * f64.log p + (1 - y) * f64.log (1 - p))) xss ys
    |> f64.sum
  in vjp (\w -> loss w / f64.i64 n) w 1

-- Two layers, by the weights of both.
-- ==
-- entry: layers
-- compiled input { [[1.0, 2.0], [0.5, -1.0], [-2.0, 0.25]] [[0.5, -0.25, 1.0], [0.75, 0.5, -1.0]] [1.0, -2.0] [1.0, 0.5, -1.0] } auto output
entry layers [n] [d] [h] (xss: [n][d]f64) (w1: [d][h]f64) (b1: [d]f64) (w2: [h]f64): ([d][h]f64, [h]f64) =
  let loss (w1, w2) =
    f64.sum (map (\xs -> let hidden = map (\col -> f64.tanh (dot (map2 (+) xs b1) col)) (transpose w1)
                         let out = dot hidden w2
                         in out * out) xss)
  in vjp loss (w1, w2) 1

-- The distance to the nearest of some centres.
-- ==
-- entry: clusters
-- compiled input { [[1.0, 2.0], [0.5, -1.0], [-2.0, 0.25]] [[0.5, 0.5], [-1.0, 0.0]] } auto output
entry clusters [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64): [k][d]f64 =
  let cost centres =
    f64.sum (map (\p -> f64.minimum (map (\c -> f64.sum (map2 (\a b -> (a - b) * (a - b)) p c)) centres)) points)
  in vjp cost centres 1

-- Rows of a table, read by index.
-- ==
-- entry: embedding
-- compiled input { [0i64, 2i64, 1i64, 2i64] [[1.0, 2.0], [0.5, -1.0], [-2.0, 0.25]] } auto output
entry embedding [n] [k] [d] (is: [n]i64) (table: [k][d]f64): [k][d]f64 =
  vjp (\table -> f64.sum (map (\i -> let row = table[i] in f64.tanh (f64.sum (map2 (*) row row))) is)) table 1

-- A matrix product.
-- ==
-- entry: products
-- compiled input { [[1.0, 2.0], [0.5, -1.0], [-2.0, 0.25]] [[0.5, 0.5, 1.0], [-1.0, 0.0, 2.0]] } auto output
entry products [n] [m] (a: [n][m]f64) (b: [m][n]f64): ([n][m]f64, [m][n]f64) =
  let f (a, b) = map (\xs -> map (\ys -> dot xs ys) (transpose b)) a |> flatten |> map f64.tanh |> f64.sum
  in vjp f (a, b) 1
