-- Of a recursive function: x^6 at 2 has the derivative 192.
-- ==
-- entry: recursive
-- input { 2f32 } output { 192f32 192f32 }
def power (x: f32) (n: i32) : f32 = if n == 0 then 1 else x * power x (n - 1)
entry recursive (x: f32) = (jvp (\x -> power x 6) x 1, vjp (\x -> power x 6) x 1)

-- Of a tail call: the same, and the factor that is passed on.
-- ==
-- entry: tail
-- input { 2f32 3f32 } output { 576f32 64f32 }
def times (x: f32) (n: i32) (acc: f32) : f32 = if n == 0 then acc else times x (n - 1) (acc * x)
entry tail (x: f32) (a: f32) = vjp (\(x, a) -> times x 6 a) (x, a) 1

-- Of the gamma function and its logarithm at 1 and 2, by Euler's constant: -0.5772157 and 0.4227843 for both.
-- ==
-- entry: gammas
-- input { [1f32, 2f32] } output { [-0.5772157f32, 0.4227843f32] [-0.5772157f32, 0.4227843f32] }
entry gammas (xs: []f32) = (map (\x -> jvp f32.gamma x 1) xs, map (\x -> vjp f32.lgamma x 1) xs)

-- Of a function that sorts by recursion: each adjoint goes to where its element came from.
-- ==
-- entry: sorted
-- input { [3f32, 1f32, 2f32] } output { [30f32, 10f32, 20f32] }
def sort [n] (xs: [n]f32) : [n]f32 =
  if n <= 1 then xs
  else let p = xs[0]
       let (a, b, c) = partition2 (< p) (== p) xs
       in (sort a ++ b ++ sort c) :> [n]f32
entry sorted (xs: [3]f32) = vjp sort xs [10, 20, 30]
