-- What a thread makes by a map, and a loop reads once, is computed in the loop: in columns and rows of a map of maps, with a place that is
-- read besides, from the last to the first, and in branches. What is read more often, or made of what is overwritten, is an array.

def f (w: i32) (x: i32) : i32 = w * x + x / 3

-- ==
-- entry: columns rows
-- random input { [4]i32 [3][5]i32 }
-- random input { [2]i32 [1][7]i32 }
-- random input { [70]i32 [3][1]i32 }

entry columns [k] [n] [m] (ws: [k]i32) (xss: [n][m]i32) : [k][m]i32 =
  #[sequential_inner]
  map (\w ->
         let yss = map (map (f w)) xss
         in map (\ys ->
                   let acc = #[unsafe] w * ys[0]
                   in #[unsafe] loop acc for i in 1..<n do acc * 3 + ys[i])
                (transpose yss))
      ws

entry rows [k] [n] [m] (ws: [k]i32) (xss: [n][m]i32) : [k][n]i32 =
  #[sequential_inner]
  map (\w ->
         let yss = map (map (f w)) xss
         in map2 (\ys xs -> loop acc = w for i < m do if xs[i] % 2 == 0 then acc ^ ys[m - 1 - i] else acc * 5) yss xss)
      ws

-- ==
-- entry: once twice overwritten
-- random input { [4]i32 [6]i32 }
-- random input { [70]i32 [1]i32 }
-- random input { [3]i32 [0]i32 }

entry once [k] [n] (ws: [k]i32) (xs: [n]i32) : [k]i32 =
  #[sequential_inner]
  map (\w ->
         let ys = map (\x -> i32.sum (map (\i -> f w (x + i32.i64 i)) (iota 3))) xs
         in loop acc = w for i < n do acc * 3 + ys[n - i - 1])
      ws

entry twice [k] [n] (ws: [k]i32) (xs: [n]i32) : [k]i32 =
  #[sequential_inner]
  map (\w ->
         let ys = map (f w) xs
         let a = loop acc = w for i < n do acc * 3 + ys[i]
         let b = loop acc = w for _j < 2 do loop acc for i < n do acc * 5 + ys[i]
         in loop acc = a ^ b for i < n do acc + ys[(i * 2) % n])
      ws

entry overwritten [k] [n] (ws: [k]i32) (xs: [n]i32) : [k][n]i32 =
  #[sequential_inner]
  map (\w ->
         let zs = map (+ w) (copy xs)
         let ys = map (f w) zs
         in loop zs for i < n do zs with [i] = ys[i] + zs[n - 1 - i])
      ws
