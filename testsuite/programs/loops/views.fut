-- Loops that update views of arrays in place: through reshapes of dense arrays, of transposed ones and of parts, through a
-- loop inside, and in one alternative of a branch. Each result is its definition in other words.
-- ==
-- entry: flat transposed part nested branch swapped
-- input { [[1, 2, 3], [4, 5, 6]] 2i64 }
-- output { true }
-- input { [[1, 2], [3, 4], [5, 6], [7, 8]] 3i64 }
-- output { true }
-- input { [[7]] 1i64 }
-- output { true }

def same [n] [m] (xss: [n][m]i32) (f: i64 -> i64 -> i32) : bool =
  and (map (\i -> and (map (\j -> xss[i, j] == f i j) (iota m))) (iota n))

entry flat [n] [m] (xss: [n][m]i32) (k: i64) : bool =
  let yss = loop yss = copy xss for i < k do unflatten (flatten yss with [i % (n * m)] = 0)
  in same yss (\i j -> if i * m + j < k then 0 else xss[i, j])

entry transposed [n] [m] (xss: [n][m]i32) (k: i64) : bool =
  let yss = loop yss = transpose (copy xss) for i < k do unflatten (flatten yss with [i % (n * m)] = 0)
  in same yss (\i j -> if i * n + j < k then 0 else xss[j, i])

entry part [n] [m] (xss: [n][m]i32) (k: i64) : bool =
  let yss = map (\xs -> loop ys = (copy xs)[1:] for i < k do if length ys > i then ys with [i] = 0 else ys) xss
  in and (map2 (\xs ys -> and (map2 (\y (x, j) -> y == if j < k then 0 else x) ys (zip xs[1:] (indices xs[1:])))) xss yss)

entry nested [n] [m] (xss: [n][m]i32) (k: i64) : bool =
  let add (ys: *[n * m]i32) = loop ys for j < n * m do ys with [j] = ys[j] + 1
  let yss = loop yss = copy xss for _i < k do unflatten (add (flatten yss))
  in same yss (\i j -> xss[i, j] + i32.i64 k)

entry branch [n] [m] (xss: [n][m]i32) (k: i64) : bool =
  let yss = map (\xs -> let ys = copy xs
                        let ys = if xs[0] % 2 == 0 then ys with [0] = 1 else if xs[0] > 4 then ys else ys with [0] = i32.i64 k
                        in ys) xss
  in same yss (\i j -> if j > 0 || xss[i, 0] % 2 == 1 && xss[i, 0] > 4 then xss[i, j]
                       else if xss[i, 0] % 2 == 0 then 1 else i32.i64 k)

entry swapped [n] [m] (xss: [n][m]i32) (k: i64) : bool =
  let (yss, zss) = loop (yss, zss) = (copy xss, map (map (* 2)) xss) for i < k do (zss, yss with [i % n, 0] = 0)
  in and (map (\i -> and (map (\j -> yss[i, j] + zss[i, j] <= 3 * xss[i, j]) (iota m))) (iota n))
     && (m < 2 || yss[0, 1] == (if k % 2 == 0 then xss[0, 1] else 2 * xss[0, 1]))
