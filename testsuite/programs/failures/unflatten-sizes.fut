-- No size of what is unflattened may be negative.
-- ==
-- input { 0i64 2i64 empty([0]i32) } output { empty([0][2]i32) }
-- input { 0i64 -2i64 empty([0]i32) } error: Cannot unflatten array of shape \[0\]
-- input { -2i64 0i64 empty([0]i32) } error: Cannot unflatten array of shape \[0\]
-- input { -1i64 -2i64 [1i32, 2i32] } error: Cannot unflatten array of shape \[2\]

def main (n: i64) (m: i64) (xs: []i32) = unflatten (xs :> [n * m]i32)
