-- Records.
-- ==
-- input { 4 }
-- output { 40i32 }

def main (x: i32) : i32 = let r = {a = x, b = {c = x + 1}} let r = r with b.c = 10 in r.a * r.b.c
