-- A branch does not decide on a size that a parameter's type leaves out: callers may pass arrays of any size.
-- ==
-- entry: greet
-- input { 2i64 } output { [72u8, 105u8, 32u8, 0u8, 1u8] }
-- input { 0i64 } output { [72u8, 105u8, 32u8, 121u8, 111u8, 117u8] }

-- ==
-- entry: pick
-- input { 1i32 [4, 5] } output { [1, 2, 3] }
-- input { 2i32 [4, 5] } output { [4, 5] }

def greeting (name: []u8) : []u8 =
  let name = if null name then "you" else name
  in "Hi " ++ name

def picked (k: i32) (xs: []i32) : []i32 =
  match k
  case 1 -> [1, 2, 3]
  case _ -> xs

entry greet (n: i64) : []u8 = greeting (map u8.i64 (iota n))

entry pick (k: i32) (xs: []i32) : []i32 = picked k xs
