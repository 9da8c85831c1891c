-- Components of tuples, by number and by pattern, nested.
-- ==
-- input { 1 2f32 }
-- output { 2f32 1 true }

def swap (x, y) = (y, x)
def main (a: i32) (b: f32) : (f32, i32, bool) =
  let p = (swap (a, b), a < 2)
  in ((p.0).0, (p.0).1, p.1)
