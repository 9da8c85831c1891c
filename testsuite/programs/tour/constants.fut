-- Values at top level are computed once; they may depend on those before them, and their sizes are known.
-- ==
-- entry: main
-- input { 2 } output { [1, 3, 6, 10] 4i64 8 }

def numbers = [1i32, 2, 3, 4]
def sums = scan (+) 0 numbers
def count = length sums

entry main (x: i32) : ([]i32, i64, i32) = (copy sums, count, x * i32.i64 count)
