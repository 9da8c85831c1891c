-- The experimental slices that see an array as one of several dimensions.

-- Rows of three from every second element: places 1 3 5 / 7 9 11.
-- ==
-- entry: read
-- input { [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] 1i64 }
-- output { [[1, 3, 5], [7, 9, 11]] }
-- input { [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] 2i64 }
-- error: out of bounds
entry read (xs: []i32) (first: i64) : [2][3]i32 =
  intrinsics.flat_index_2d xs first 2 6 3 2 :> [2][3]i32

-- Strides may be negative, and an empty slice may be anywhere.
-- ==
-- entry: down
-- input { [0, 1, 2, 3] 2i64 }
-- output { [[3, 2], [1, 0]] }
-- input { [0, 1, 2, 3] 0i64 }
-- output { empty([0][2]i32) }
-- input { [0, 1, 2, 3] 3i64 }
-- error: out of bounds
entry down (xs: []i32) (n: i64) : [n][2]i32 =
  intrinsics.flat_index_2d xs 3 n (-2) 2 (-1) :> [n][2]i32

-- ==
-- entry: write
-- input { [0, 0, 0, 0, 0, 0] [[1, 2], [3, 4]] 1i64 }
-- output { [0, 1, 3, 2, 4, 0] }
-- input { [0, 0, 0, 0, 0, 0] [[1, 2], [3, 4]] 3i64 }
-- error: out of bounds
entry write (xs: *[]i32) (v: [][]i32) (first: i64) =
  intrinsics.flat_update_2d xs first 1 2 v

-- ==
-- entry: three
-- input { [0, 1, 2, 3, 4, 5, 6, 7] }
-- output { [[[0, 4], [2, 6]], [[1, 5], [3, 7]]] }
entry three (xs: []i32) : [2][2][2]i32 =
  intrinsics.flat_index_3d xs 0 2 1 2 2 2 4 :> [2][2][2]i32

-- Arrays of pairs.
-- ==
-- entry: pairs
-- input { [1, 2, 3, 4] }
-- output { [[1, 3], [2, 4]] [[10, 30], [20, 40]] }
entry pairs (xs: []i32) =
  let t = intrinsics.flat_index_2d (zip xs (map (* 10) xs)) 0 2 1 2 2 :> [2][2](i32, i32)
  in (map (map (.0)) t, map (map (.1)) t)
