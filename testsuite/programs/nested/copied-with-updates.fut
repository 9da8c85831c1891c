-- Copies of rows in maps of which elements are updated: one thread an element copies, one thread a row updates.
-- ==
-- entry: element twice window rows looped transposed kept
-- input { [[5, 6, 7, 8], [1, 2, 3, 4], [9, 9, 9, 9]] }
-- output { true }
-- random input { [3][5000]i32 }
-- output { true }
-- random input { [700][5]i32 }
-- output { true }
-- input { empty([0][4]i32) }
-- output { true }

def at (x: i32) (n: i64) : i64 = i64.i32 (x & 0x7fffffff) % n

def same [l] [n] (yss: [l][n]i32) (f: i64 -> i64 -> i32) : bool =
  and (flatten (tabulate_2d l n (\i j -> yss[i, j] == f i j)))

entry element [l] [n] (xss: [l][n]i32) : bool =
  let yss = map (\xs -> copy xs with [at xs[0] n] = 5) xss
  in same yss (\i j -> if j == at xss[i, 0] n then 5 else xss[i, j])

entry twice [l] [n] (xss: [l][n]i32) : bool =
  let yss = map (\xs -> copy xs with [at xs[1] n] = xs[0] with [at xs[2] n] = xs[3]) xss
  in same yss (\i j -> if j == at xss[i, 2] n then xss[i, 3] else if j == at xss[i, 1] n then xss[i, 0] else xss[i, j])

entry window [l] [n] (xss: [l][n]i32) : bool =
  let yss = map (\xs -> let k = at xs[0] (n - 1) in copy xs with [k:k + 2] = [xs[1], 3]) xss
  in same yss (\i j -> let k = at xss[i, 0] (n - 1) in if j == k then xss[i, 1] else if j == k + 1 then 3 else xss[i, j])

entry rows [l] [n] (xss: [l][n]i32) : bool =
  let ysss = map (\xs -> let zss = replicate 40 xs in copy zss with [at xs[0] 40] = map (+ 1) (reverse xs)) xss
  in and (map2 (\yss xs -> and (map2 (\ys h -> and (map2 (==) ys (if h == at xs[0] 40 then map (+ 1) (reverse xs) else xs))) yss (iota 40))) ysss xss)

entry looped [l] [n] (xss: [l][n]i32) : bool =
  let yss = map (\xs -> loop ys = xs for i < 3 do copy ys with [at ys[0] n] = ys[1] + i) xss
  in and (map2 (\ys xs -> and (map2 (==) ys (loop ys = copy xs for i < 3 do let k = at ys[0] n let y = ys[1] + i in ys with [k] = y))) yss xss)

entry transposed [l] [n] (xss: [l][n]i32) : bool =
  let k = n / 4
  let yss = map (\xs -> loop ys = (xs[:k * 4] :> [k * 4]i32) for _i < 3 do flatten (transpose (unflatten ys)) :> [k * 4]i32) xss
  in and (map2 (\ys xs -> let place j = loop j for _i < 3 do (j % k) * 4 + j / k
                          in and (map (\j -> ys[j] == xs[place j]) (iota (k * 4)))) yss xss)

-- The copy is not the only result, and what was copied is used later.
entry kept [l] [n] (xss: [l][n]i32) : bool =
  let (yss, sums, zss) = unzip3 (map (\xs -> let ys = copy xs with [at xs[0] n] = 1
                                             let s = i32.sum ys
                                             in (ys, s, map (+ s) xs)) xss)
  in same yss (\i j -> if j == at xss[i, 0] n then 1 else xss[i, j]) &&
     and (map2 (\s i -> s == i32.sum xss[i] - xss[i, at xss[i, 0] n] + 1) sums (iota l)) &&
     same zss (\i j -> xss[i, j] + sums[i])
