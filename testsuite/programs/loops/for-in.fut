-- A loop over the elements of an array: Horner's rule; and over numbers, in both directions.
-- ==
-- entry: main
-- input { [1, 2, 3] 10 }
-- output { 123 }
-- input { empty([0]i32) 10 }
-- output { 0 }
-- input { [7] 10 }
-- output { 7 }

def main [n] (cs: [n]i32) (x: i32) : i32 = loop s = 0 for c in cs do s * x + c

-- ==
-- entry: numbers
-- input { 3i64 }
-- output { 23i64 55i64 }
-- input { 0i64 }
-- output { 0i64 0i64 }

entry numbers (n: i64) : (i64, i64) =
  let odd = map (\i -> 1 + 2 * i) (iota n)
  in (loop s = 0 for c in odd do s * 3 + c, loop s = 0 for c in reverse (map (\i -> 1 + 2 * i) (iota n)) do s * 3 + c)
