-- Each attribute that the reference names, and some for loops that are differentiated: none but `scratch` and `blank` changes a value.

-- ==
-- entry: flattened
-- input { [[1, 2], [3, 4]] } output { [3, 7] [3, 7] [3, 7] [3, 7] [3, 7] [3, 7] }
entry flattened (xss: [][]i32) =
  ( #[flattening(only_inner)] map i32.sum xss
  , #[flattening(only_intra)] map i32.sum xss
  , #[flattening(no_outer)] map i32.sum xss
  , #[flattening(no_intra)] map i32.sum xss
  , #[flattening(sequentialise_nonuniform)] map i32.sum xss
  , #[incremental_flattening(only_inner)] map i32.sum xss
  )

-- ==
-- entry: hinted
-- input { [1, 2, 3] } output { 6 12 [2, 3, 4] [2, 4, 6] 24i64 }
entry hinted (xs: []i32) =
  ( #[sequential_outer] i32.sum xs
  , #[unsafe] #[unroll] (loop s = 0 for x in xs do s + 2 * x)
  , scatter (#[scratch] map (+ 1) xs) (indices xs) (map (+ 1) xs)
  , #[noinline] (\ys -> map (* 2) ys) xs
  , #[opaque] (24 + length (#[blank] xs) - length xs)
  )

-- Traces go to standard error, with a tag if there is one.
-- ==
-- entry: shown
-- input { 20 } output { 42 }
entry shown (x: i32) = #[trace] x + #[trace(tag)] (x + 2)

-- In patterns, in parameters, on declarations and specifications.
#[inline] #[nothing(special, 1, deep(2, three))]
module inner : { #[noted] val twice : i32 -> i32 } = {
  #[noinline]
  def twice (x: i32) = x * 2
}

-- ==
-- entry: placed
-- input { 4 } output { 8 3 }
entry placed (#[noted] x: i32) =
  let (#[noted] a, #[also(noted)] b) = (x, 3)
  in (inner.twice a, b)

-- x grows by one half eight times over: (3/2)^8 = 6561/256.
-- ==
-- entry: differentiated
-- input { 1f64 } output { 25.62890625f64 25.62890625f64 25.62890625f64 }
entry differentiated (x: f64) =
  let half (x: f64) = x * 1.5
  let striped (x: f64) = #[stripmine(2)] loop x for _i < 8 do half x
  let bounded (x: f64) = (#[bound(10)] loop (x, i) = (x, 0) while i < 8 do (half x, i + 1i32)).0
  let dependent (x: f64) = loop (#[true_dep] y) = x for _i < 8 do half y
  in (vjp striped x 1, vjp bounded x 1, vjp dependent x 1)
