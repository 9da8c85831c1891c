-- Points that read a few elements of a large array: through rows, transpositions and flat views of it, with indices that floats become, and
-- beside arrays of integers. No point makes an adjoint of the whole array.

-- ==
-- entry: rows
-- input { [[1.0, 2.0, 3.0], [2.0, 4.0, 5.0]] [0i64, 1i64, 1i64] }
-- output { [[0.0, 4.0, 0.0], [0.0, 16.0, 20.0]] }

entry rows [n] [m] [k] (xss: [n][m]f64) (is: [k]i64) : [n][m]f64 =
  let squares (xss: [n][m]f64) =
    map (\i ->
           let row = xss[i]
           in loop s = 0 for j < i64.f64 row[0] do s + row[j + 1] * row[j + 1])
        is
  in vjp squares xss (replicate k 1)

-- ==
-- entry: transposed
-- input { [[1.0, 2.0, 3.0], [2.0, 4.0, 5.0]] [0i64, 2i64, 2i64] }
-- output { [[2.0, 0.0, 8.0], [2.0, 0.0, 8.0]] }

entry transposed [n] [m] [k] (xss: [n][m]f64) (is: [k]i64) : [n][m]f64 =
  let sums (xss: [n][m]f64) =
    let yss = transpose xss
    in map (\i -> let column = yss[i] in loop s = 0 for j < n do s + column[j] * f64.i64 (i64.f64 column[0] / 100 + 2 * (1 + i / 2))) is
  in vjp sums xss (replicate k 1)

-- ==
-- entry: flat
-- input { [[1.5, 2.0, 3.0], [2.0, 4.0, 5.0]] [1i64, 4i64, 1i64] [0i32, 1i32] }
-- output { [[1.9, 6.0, 6.0], [0.0, 3.0, 3.0]] [6i32, 5i32] }

entry flat [n] [m] [k] [l] (xss: [n][m]f64) (is: [k]i64) (ws: [l]i32) : ([n][m]f64, [l]i32) =
  let weigh (xss: [n][m]f64, is: [k]i64, ws: [l]i32) =
    let xs = flatten xss
    in map (\i -> loop s = 0 for j < 2 do s + xs[i + j] * f64.i32 (ws[j] + 3 - i32.i64 j + i32.f64 (xs[0] / 10))) is
  let (dxss, _, _) = vjp weigh (xss, is, ws) (replicate k 1)
  in (dxss, map (+ 5) (map (1 -) ws))
