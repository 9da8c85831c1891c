-- One function at several types.
-- ==
-- input { 1 true }
-- output { 1 true true 1 }

def pair 'a 'b (x: a) (y: b) : ((a, b), (b, a)) = ((x, y), (y, x))
def main (x: i32) (y: bool) : (i32, bool, bool, i32) =
  let (p, q) = pair x y
  in (p.0, p.1, q.0, q.1)
