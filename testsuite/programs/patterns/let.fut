-- Patterns in let: nested, with wildcards and types.
-- ==
-- input { 1 2 3 }
-- output { 321 }

def main (a: i32) (b: i32) (c: i32) : i32 =
  let ((x, _), { k = y: i32 }) = ((a, true), { k = b })
  let (z: i32) = c
  in x + 10 * y + 100 * z
