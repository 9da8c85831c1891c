-- A tuple is a record whose fields are numbers from zero.
-- ==
-- input { 8 9 }
-- output { 9 8 }

def main (a: i32) (b: i32) : (i32, i32) =
  let t : (i32, i32) = { 0 = b, 1 = a }
  in t
