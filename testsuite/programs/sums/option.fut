-- A polymorphic option type: the first element that satisfies a condition.
-- ==
-- input { [1, 5, 8, 6] }
-- output { 8 }
-- input { [1, 5] }
-- output { -1 }
-- input { empty([0]i32) }
-- output { -1 }

type~ option 'a = #some a | #none
def or 'a (x: option a) (y: option a) : option a =
  match x
  case #some _ -> x
  case #none -> y
def main [n] (xs: [n]i32) : i32 =
  match reduce or #none (map (\x -> if x % 2 == 0 then #some x else #none) xs)
  case #some x -> x
  case #none -> -1
