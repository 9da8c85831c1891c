-- A long loop of scalars on the host whose iterations read an array: the host waits for the device once, not in each iteration.
-- ==
-- input { 1000i64 300000i64 }
-- output { 0i64 134850000i64 }
-- input { 1000i64 0i64 }
-- output { 0i64 0i64 }
-- input { 0i64 2i64 }
-- error: out of bounds

def main (n: i64) (steps: i64) : (i64, i64) =
  let next = map (\i -> (i * 7 + 3) % n) (iota n)
  in loop (at, sum) = (0, 0) for _i < steps do (next[at], sum + next[at])
