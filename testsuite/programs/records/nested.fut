-- Records in records, updated deep inside.
-- ==
-- input { 5 }
-- output { 5 6 1 }

def main (v: i32) : (i32, i32, i32) =
  let r = { a = { b = v, c = 0 }, d = 1 }
  let s = r with a.c = v + 1
  in (s.a.b, s.a.c, s.d)
