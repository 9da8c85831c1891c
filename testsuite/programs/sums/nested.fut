-- Constructors inside constructors: a small expression language.
-- ==
-- input { 3 4 }
-- output { 7 12 -1 }

type op = #add | #mul
type e = #bin op i32 i32 | #none
def eval (x: e) : i32 =
  match x
  case #bin #add a b -> a + b
  case #bin #mul a b -> a * b
  case #none -> -1
def main (a: i32) (b: i32) : (i32, i32, i32) = (eval (#bin #add a b), eval (#bin #mul a b), eval #none)
