-- Functions of rows that read few elements of them: each point adds to the adjoint of the matrix at the elements that it read. With a row r
-- the function is r[0] r[k] + 2 r[0].
-- ==
-- entry: gradient
-- input { [[1f64, 2f64, 3f64, 4f64], [5f64, 6f64, 7f64, 8f64]] [0i64, 1i64, 1i64] [3i64, 0i64, 2i64] }
-- output { [[6f64, 0f64, 0f64, 1f64], [21f64, 0f64, 5f64, 0f64]] }
-- input { [[1f64]] [0i64] [0i64] }
-- output { [[4f64]] }
-- input { [[2f64, 3f64]] empty([0]i64) empty([0]i64) }
-- output { [[0f64, 0f64]] }

type data [n][m] = {A: [n][m]f64, steps: i64} -- derivatives by a number of steps are zero

def first_and (steps: i64) (k: i64) (row: []f64) =
  (loop s = 0 for j < steps do if j == 0 then s + row[0] * row[k] else s + row[0]) + row[0]

def all [n][m][p] (is: [p]i64) (ks: [p]i64) (d: data [n][m]) : [p]f64 =
  let f j = first_and d.steps ks[j] d.A[is[j]]
  in tabulate p f

entry gradient [n][m][p] (A: [n][m]f64) (is: [p]i64) (ks: [p]i64) : [n][m]f64 = (vjp (all is ks) {A, steps = 2} (replicate p 1)).A

-- A part of a row, and rows that inner maps read: r[0] r[1] + r[0] r[1] + r[1] r[2] + r[0] + r[1] + r[2].
-- ==
-- entry: gradient_of_parts
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] [1i64, 0i64] }
-- output { [[5f64, 6f64, 3f64], [11f64, 15f64, 6f64]] }

def products (xs: []f64) = f64.sum (map (\i -> xs[i] * xs[i+1]) (iota (length xs - 1)))
def ends (xss: [][]f64) (i: i64) = products (xss[i][0:2]) + products xss[i] + f64.sum xss[i]

def all_ends [n][m][p] (is: [p]i64) (d: data [n][m]) : [p]f64 =
  let f j = ends d.A is[j]
  in tabulate p f

entry gradient_of_parts [n][m][p] (A: [n][m]f64) (is: [p]i64) : [n][m]f64 = (vjp (all_ends is) {A, steps = 2} (replicate p 1)).A
