-- What `#[blank]` is put before is not computed: its elements are not read here.
-- ==
-- entry: filled
-- input { [1i64, 0i64] [3i32, 4i32] } output { [5i32, 4i32] }

entry filled [n] (is: [n]i64) (vs: [n]i32) : [n]i32 = scatter (#[blank] map (* 2) vs) is (map (+ 1) vs)
