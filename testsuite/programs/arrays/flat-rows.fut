-- A nest in one dimension, mapped and in several dimensions again: what is between the maps goes, and so does the nest's own array.
-- ==
-- input { 2i64 [1i64, 2i64, 3i64] } output { [[9i64, 9i64], [9i64, 9i64]] }
-- input { 0i64 [1i64, 5i64, 7i64] } output { empty([0][0]i64) }
entry main [n] (m: i64) (xs: [n]i64) : [m][m]i64 =
  let rows = map (\_ -> map (\_ -> xs[m % n]) (iota m)) (iota m)
  let tripled = map (\x -> reduce (+) 0 (replicate 3 x)) (flatten rows)
  in map (map (\x -> i64.min 16 x)) (unflatten tripled)
