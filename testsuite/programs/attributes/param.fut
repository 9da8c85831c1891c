-- Tuning parameters of the program itself: param.fut.tuning sets `width` and leaves `height` as it is. They mean something in compiled
-- programs only, and only for values of type i64.
-- ==
-- entry: host
-- compiled input { 10i64 } output { 7i64 12i64 13i32 }

entry host (x: i64) : (i64, i64, i32) = (#[param(width)] x + 1, #[param(height)] x + 2, #[param(depth)] (i32.i64 x + 3))

-- Inside parallel code, where what the parameter replaces may differ from element to element.
-- ==
-- entry: device
-- compiled input { [1i64, 2i64] } output { [8i64, 9i64] [3i64, 4i64] }

entry device (xs: []i64) : ([]i64, []i64) =
  (map (\x -> x + #[param(width)] (x * x)) xs, map (\x -> #[param(height)] (x + 2)) xs)
