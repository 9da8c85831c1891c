-- An inner name hides an outer one.
-- ==
-- input { 2 }
-- output { 12 }

def main (x: i32) : i32 =
  let y = (let x = 10 in x)
  in x + y
