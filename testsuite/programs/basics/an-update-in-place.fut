-- An update in place.
-- ==
-- input { 4i64 }
-- output { [0i64, 1i64, 4i64, 9i64] }

def main (n: i64) : [n]i64 = loop xs = replicate n 0 for i < n do xs with [i] = i * i
