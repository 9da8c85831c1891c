-- Sum types.
-- ==
-- input { 5 }
-- output { 20i32 }

type t = #none | #one i32 | #two i32 f32
def f (x: t) : i32 = match x case #none -> 0 case #one a -> a case #two a b -> a * i32.f32 b
def main (x: i32) : i32 = f #none + f (#one x) + f (#two x 3)
