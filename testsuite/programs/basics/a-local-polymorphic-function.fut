-- A local polymorphic function.
-- ==
-- input { 8 true }
-- output { 8i32 true }

def main (x: i32) (y: bool) : (i32, bool) =
  let const 'a 'b (a: a) (_: b) : a = a in (const x y, const y x)
