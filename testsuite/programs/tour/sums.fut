-- Sum types: construction, nested patterns, literals in patterns, arrays of them.
-- ==
-- entry: area
-- input { 2f32 3f32 } output { [4f32, 6f32, 0f32] }

-- ==
-- entry: classify
-- input { [0, -1, 7, 100] } output { [10, 20, 30, 30] }

-- ==
-- entry: nested
-- input { 3 } output { [3, 4, -1] }

type shape = #square f32 | #rectangle f32 f32 | #point

def shape_area (s: shape) : f32 =
  match s
  case #square a -> a * a
  case #rectangle a b -> a * b
  case #point -> 0

entry area (a: f32) (b: f32) = map shape_area [#square a, #rectangle a b, #point]

entry classify (xs: []i32) =
  map (\x ->
         match x
         case 0 -> 10i32
         case -1 -> 20
         case _ -> 30)
      xs

def pick (x: #some (#left i32 | #right i32) | #none) =
  match x
  case #some (#left y) -> y
  case #some (#right y) -> y + 1
  case #none -> -1

entry nested (x: i32) = map pick [#some (#left x), #some (#right x), #none]
