-- No size of what is unflattened may be negative.
-- ==
-- entry: main
-- input { 0i64 2i64 empty([0]i32) } output { empty([0][2]i32) }
-- input { 0i64 -2i64 empty([0]i32) } error: Cannot unflatten array of shape \[0\]
-- input { -2i64 0i64 empty([0]i32) } error: Cannot unflatten array of shape \[0\]
-- input { -1i64 -2i64 [1i32, 2i32] } error: Cannot unflatten array of shape \[2\]

entry main (n: i64) (m: i64) (xs: []i32) = unflatten (xs :> [n * m]i32)

-- What is unflattened is made before: there are as many elements as the product says, also where both sizes are negative.
-- ==
-- entry: counted
-- input { 2i64 2i64 } output { [[0i64, 1i64], [2i64, 3i64]] }
-- input { -2i64 -2i64 } error: Cannot unflatten array of shape \[4\]
-- input { -300i64 -300i64 } error: Cannot unflatten array of shape \[90000\]
-- input { -2i64 2i64 } error: Range 0..1..<-4 is invalid

entry counted (n: i64) (m: i64) = unflatten (iota (n * m))
