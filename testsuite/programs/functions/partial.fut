-- Partial application.
-- ==
-- input { 1 }
-- output { 111 }

def three (a: i32) (b: i32) (c: i32) = a * 100 + b * 10 + c
def main (x: i32) : i32 =
  let f = three x
  let g = f 1
  in g 1
