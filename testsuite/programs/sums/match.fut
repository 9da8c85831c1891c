-- Matching constructors with payloads, literals and wildcards.
-- ==
-- input { 0 }
-- output { 10 }
-- input { 1 }
-- output { 21 }
-- input { 2 }
-- output { 32 }
-- input { 9 }
-- output { 99 }

type shape = #point | #line i32 | #box i32 i32
def area (s: shape) : i32 =
  match s
  case #point -> 10
  case #line n -> 20 + n
  case #box 2 h -> 30 + h
  case #box _ _ -> 99
def main (x: i32) : i32 =
  area (if x == 0 then #point else if x == 1 then #line 1 else #box x x)
