-- The same filter twice, of a part of an array that is overwritten: what is computed of both has sizes of its own.
-- ==
-- input { [5i32, -1i32, 7i32, 2i32] 3i64 9i32 }
-- output { [5i32, 9i32, 5i32, 9i32] }
-- input { [5i32, -1i32, 7i32, 2i32] 0i64 9i32 }
-- output { empty([0]i32) }
-- input { [5i32, -1i32, 7i32, 2i32] 1i64 9i32 }
-- output { [5i32, 5i32] }

def prefix [k] 'a (i: i64) (xs: [k]a): []a = if i == 0 then [] else xs[0:i % (k + 1)]

def positive (xs: []i32) (n: i64) (v: i32): []i32 =
  filter (> 0) (prefix (i64.min n 2) (copy xs with [1] = v))

entry main (xs: []i32) (n: i64) (v: i32): []i32 = positive xs n v ++ positive xs n v
