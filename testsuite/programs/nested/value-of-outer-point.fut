-- A map inside of a map whose result at each of its points is one of the outer point's, which a kernel for the outer points has made: an
-- array of fewer dimensions than the nest that ends there.
-- ==
-- input { 2i64 7i32 [true, false, true] [false, true, true] }
-- output { [0i64, 1i64, 1i64] [[true, true], [false, false], [true, true]] }

def first_or 'a [k] (none: a) (xs: [k]a) : a = if k == 0 then none else xs[0]

def some_of [k] 'a (i: i64) (xs: [k]a) : []a = if i == 0 then [] else xs[0:i % (k + 1)]

-- Whichever way it takes, the reduction of copies of p is p.
entry main [m] (n: i64) (x: i32) (ps: [m]bool) (qs: [m]bool) : ([m]i64, [m][n]bool) =
  let row p =
    map (\_ ->
           let c = first_or p (map (\_ -> p) (some_of (i64.i32 x) (replicate n (i32.bool p))))
           in reduce (\a b -> if c then a == b else a || b) c (map (\_ -> p) (iota (m % 40))))
        (iota n)
  in unzip (map2 (\p q -> (i64.bool q, row p)) ps qs)
