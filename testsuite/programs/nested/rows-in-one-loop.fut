-- Scans and reductions of rows in a thread: where each element depends on those at its place alone, a row is made, combined and mapped in one
-- loop.

-- ==
-- entry: scanned
-- input { [-2i32, 9i32] [[[8i32, -5i32], [2i32, 6i32], [9i32, -7i32]], [[-9i32, 6i32], [-1i32, 8i32], [-2i32, -3i32]]] [6i32, 8i32] }
-- output { [622i32, 2156i32] }

entry scanned [k] [n] [m] (ws: [k]i32) (xsss: [k][n][m]i32) (ys: [m]i32) : [k]i32 =
  #[sequential_inner] map2 (\w xss ->
                              let sss = scan (map2 (+)) (replicate m 0) (map (\xs -> map2 (\x y -> w * x + y) xs ys) xss)
                              let ttt = map (\ss -> map2 (*) ss ys) sss
                              in i32.sum (flatten (map (map (^ 3)) ttt)) + ttt[n - 1, m - 1])
                           ws
                           xsss

-- ==
-- entry: both
-- input { [-2i32, 9i32] [[[8i32, -5i32], [2i32, 6i32], [9i32, -7i32]], [[-9i32, 6i32], [-1i32, 8i32], [-2i32, -3i32]]] [6i32, 8i32] }
-- output { [[[-10i32, 18i32], [-20i32, -72i32], [240i32, -1584i32]], [[-75i32, 62i32], [225i32, 4960i32], [-2700i32, -94240i32]]] [[-41i32, 9i32], [-111i32, 96i32]] }
-- input { [3i32] empty([1][0][2]i32) [1i32, 2i32] }
-- output { empty([1][0][2]i32) [[0i32, 0i32]] }

entry both [k] [n] [m] (ws: [k]i32) (xsss: [k][n][m]i32) (ys: [m]i32) : ([k][n][m]i32, [k][m]i32) =
  #[sequential_inner] map2 (\w xss ->
                              let sss = scan (map2 (*)) (replicate m 1) (map (\xs -> map2 (\x y -> w * x + y) xs ys) xss)
                              let rs = reduce (map2 (+)) (replicate m 0) (map2 (\xs i -> map (\x -> w * x - i32.i64 i) xs) xss (iota n))
                              in (sss, rs))
                           ws
                           xsss
                      |> unzip

-- ==
-- entry: pairs
-- input { [-2i32, 9i32] [[[8i32, -5i32], [2i32, 6i32], [9i32, -7i32]], [[-9i32, 6i32], [-1i32, 8i32], [-2i32, -3i32]]] }
-- output { [[144i32, 210i32], [-18i32, -144i32]] [[115i32, 257i32], [-9i32, -405i32]] }
-- input { [3i32] empty([1][0][2]i32) }
-- output { [[1i32, 1i32]] [[0i32, 0i32]] }

entry pairs [k] [n] [m] (ws: [k]i32) (xsss: [k][n][m]i32) : [k][m](i32, i32) =
  #[sequential_inner] map2 (\w xss ->
                              reduce (map2 (\(a, b) (c, d) -> (a * c, b * c + d))) (replicate m (1, 0)) (map (map (\x -> (x, x + w))) xss))
                           ws
                           xsss

-- ==
-- entry: mapped
-- input { [-2i32, 9i32] [[[8i32, -5i32], [2i32, 6i32], [9i32, -7i32]], [[-9i32, 6i32], [-1i32, 8i32], [-2i32, -3i32]]] }
-- output { [[[-16i32, 9i32], [-2i32, 11i32], [0i32, 17i32]], [[-81i32, 53i32], [-7i32, 73i32], [-5i32, 75i32]]] }
-- input { [3i32] empty([1][0][2]i32) }
-- output { empty([1][0][2]i32) }

entry mapped [k] [n] [m] (ws: [k]i32) (xsss: [k][n][m]i32) : [k][n][m]i32 =
  #[sequential_inner] map2 (\w xss ->
                              let sss = scan (map2 i32.max) (replicate m i32.lowest) (map (map (\x -> x * w)) xss)
                              in map2 (\ss i -> map2 (\s j -> s + i32.i64 (i * 2 - j)) ss (iota m)) sss (iota n))
                           ws
                           xsss

-- ==
-- entry: mixed
-- input { [-2i32, 9i32] [[[8i32, -5i32], [2i32, 6i32], [9i32, -7i32]], [[-9i32, 6i32], [-1i32, 8i32], [-2i32, -3i32]]] }
-- output { [[[2i32, 15i32], [8i32, 26i32], [19i32, 21i32]], [[-36i32, 114i32], [62i32, 152i32], [61i32, 141i32]]] }

entry mixed [k] [n] [m] (ws: [k]i32) (xsss: [k][n][m]i32) : [k][n][m]i32 =
  #[sequential_inner] map2 (\w xss ->
                              let sss = scan (map2 i32.max) (replicate m i32.lowest) (map (map (\x -> x * w)) xss)
                              in map2 (\ss xs -> map2 (\s x -> s + x + ss[m - 1]) ss xs) sss xss)
                           ws
                           xsss

-- ==
-- entry: beside
-- input { [-2i32, 9i32] [[[8i32, -5i32], [2i32, 6i32], [9i32, -7i32]], [[-9i32, 6i32], [-1i32, 8i32], [-2i32, -3i32]]] [6i32, 8i32] }
-- output { [[[-2i32, -23i32], [-18i32, -66i32], [249i32, 1577i32]], [[66i32, 56i32], [-226i32, 4968i32], [2698i32, 94237i32]]] [[-38i32, 12i32], [-108i32, 99i32]] }

entry beside [k] [n] [m] (ws: [k]i32) (xsss: [k][n][m]i32) (ys: [m]i32) : ([k][n][m]i32, [k][m]i32) =
  #[sequential_inner] map2 (\w xss ->
                              let sss = scan (map2 (*)) (replicate m 1) (map (\xs -> map2 (\x y -> w * x + y) xs ys) xss)
                              let ttt = map2 (\ss xs -> map2 (\s x -> s ^ x) ss xs) sss xss
                              let rs = reduce (map2 (+)) (replicate m 0) (map (map (* w)) xss)
                              in (ttt, rs))
                           ws
                           xsss
                      |> unzip

-- What a row needs before its elements is computed once for each row.
-- ==
-- entry: common
-- input { [-2i32, 9i32] [[[8i32, -5i32], [2i32, 6i32], [9i32, -7i32]], [[-9i32, 6i32], [-1i32, 8i32], [-2i32, -3i32]]] }
-- output { [[[-880i32, 680i32], [432i32, 348i32], [-3276i32, -819i32]], [[-1944i32, 486i32], [-304i32, -448i32], [342i32, 480i32]]] }

entry common [k] [n] [m] (ws: [k]i32) (xsss: [k][n][m]i32) : [k][n][m]i32 =
  #[sequential_inner] map2 (\w xss ->
                              let sss = scan (map2 (+)) (replicate m 0) (map (\xs -> let s = i32.sum xs in map (\x -> x * s + w) xs) xss)
                              in map2 (\ss xs -> let t = i32.product xs in map (* t) ss) sss xss)
                           ws
                           xsss
