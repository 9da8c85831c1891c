-- Records: construction, projection, update of a field, punning.
-- ==
-- input { 3 4 }
-- output { 3 10 13 }

type point = { x: i32, y: i32 }
def main (x: i32) (y: i32) : (i32, i32, i32) =
  let p : point = { x, y }
  let q = p with y = 10
  let { x = a, y = b } = q
  in (a, b, q.x + q.y)
