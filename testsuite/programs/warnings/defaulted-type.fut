-- Nothing says which type the numbers have: i32 is assumed.
-- ==
-- entry: main
-- input { 20 }
-- output { 40 }
-- warning: i32

def double x = x + x

entry main (x: i32) : i32 = double x
