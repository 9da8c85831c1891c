-- A local name that is not used, and one that says that it is not.
-- ==
-- input { 3 }
-- output { 3 }
-- warning: "y"

def main (x: i32) : i32 =
  let y = x + 1
  let _z = x + 2
  in x
