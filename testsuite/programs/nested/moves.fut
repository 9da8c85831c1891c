-- Arrays that are moved in nests: transposed, copied beside a scan, joined, scattered into, and carried through a loop that is
-- parallel inside.
-- ==
-- entry: transposed copied joined scattered rows bins carried updated
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] }
-- output { true }
-- random input { [3][5][7]i32 }
-- output { true }
-- random input { [2][40][50]i32 }
-- output { true }
-- input { empty([0][2][3]i32) }
-- output { true }

def same [l] [n] [m] (xsss: [l][n][m]i32) (f: i64 -> i64 -> i64 -> i32) : bool =
  and (map (\h -> and (map (\i -> and (map (\j -> xsss[h, i, j] == f h i j) (iota m))) (iota n))) (iota l))

entry transposed [l] [n] [m] (xsss: [l][n][m]i32) : bool =
  same (map transpose xsss) (\h i j -> xsss[h, j, i])

entry copied [l] [n] [m] (xsss: [l][n][m]i32) : bool =
  let yss = map (\xss -> let row = copy xss[0]
                         let sums = scan (+) 0 xss[n - 1]
                         let row = row with [0] = sums[m - 1]
                         in row) xsss
  in and (map2 (\ys xss -> ys[0] == i32.sum xss[n - 1] && and (map2 (==) ys[1:] xss[0, 1:])) yss xsss)

entry joined [l] [n] [m] (xsss: [l][n][m]i32) : bool =
  let ysss = map (\xss -> let doubled = map (map (* 2)) xss
                          let sums = scan (+) 0 xss[0]
                          in doubled ++ xss[1:] ++ [sums] :> [n + n][m]i32) xsss
  in same ysss (\h i j -> if i < n then 2 * xsss[h, i, j]
                          else if i < n + n - 1 then xsss[h, i - n + 1, j]
                          else i32.sum xsss[h, 0, :j + 1])

entry scattered [l] [n] [m] (xsss: [l][n][m]i32) : bool =
  let ysss = map (\xss -> map (\xs -> scatter (copy xs) (map (\j -> if j % 2 == 0 then m - 1 - j else -1) (iota m)) (map (+ 1) xs)) xss) xsss
  in same ysss (\h i j -> if (m - 1 - j) % 2 == 0 then xsss[h, i, m - 1 - j] + 1 else xsss[h, i, j])

entry rows [l] [n] [m] (xsss: [l][n][m]i32) : bool =
  let ysss = map (\xss -> scatter (replicate n (replicate m 0)) (map (\i -> n - 1 - i) (iota n)) xss) xsss
  in same ysss (\h i j -> xsss[h, n - 1 - i, j])

entry bins [l] [n] [m] (xsss: [l][n][m]i32) : bool =
  let ysss = map (\xss -> map (\xs -> reduce_by_index (copy xs) (+) 0 (map (/ 2) (iota m)) (map (* 3) xs)) xss) xsss
  in same ysss (\h i j -> xsss[h, i, j] + (if 2 * j < m then 3 * xsss[h, i, 2 * j] else 0)
                          + (if 2 * j + 1 < m then 3 * xsss[h, i, 2 * j + 1] else 0))

entry carried [l] [n] [m] (xsss: [l][n][m]i32) : bool =
  let ysss = map (\xss -> map (\xs -> loop ys = xs for k < 3 do
    scatter (copy (rotate 1 ys)) (map (\j -> if j == 0 then k else -1) (iota m)) (map (+ 1) ys)) xss) xsss
  let step (k: i64) (ys: i64 -> i32) (j: i64) : i32 = if j == k && k < m then ys 0 + 1 else ys ((j + 1) % m)
  in same ysss (\h i j -> step 2 (step 1 (step 0 (\j -> xsss[h, i, j]))) j)

entry updated [l] [n] [m] (xsss: [l][n][m]i32) : bool =
  let ysss = map (\xss -> loop yss = copy xss for i < n - 1 do
                            let yss = yss with [i + 1] = scan (+) 0 yss[i]
                            in yss with [:, 0] = map (+ 1) yss[:, 0]) xsss
  let step (yss: [n][m]i32) (i: i64) =
    let sums = scan (+) 0 yss[i]
    in tabulate_2d n m (\h j -> (if h == i + 1 then sums[j] else yss[h, j]) + (if j == 0 then 1 else 0))
  let zsss = map (\xss -> loop yss = xss for i < n - 1 do step yss i) xsss
  in same ysss (\h i j -> zsss[h, i, j])
