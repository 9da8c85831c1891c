-- An array of values of a sum type.
-- ==
-- input { [1, -2, 0, 4] }
-- output { [1, 2, 0, 4] 2 }
-- input { empty([0]i32) }
-- output { empty([0]i32) 0 }

type sign = #neg i32 | #zero | #pos i32
def sign (x: i32) : sign = if x < 0 then #neg (-x) else if x == 0 then #zero else #pos x
def main [n] (xs: [n]i32) : ([n]i32, i32) =
  let ss = map sign xs
  in ( map (\s -> match s case #neg a -> a case #zero -> 0 case #pos a -> a) ss
     , i32.sum (map (\s -> match s case #pos _ -> 1 case _ -> 0) ss))
