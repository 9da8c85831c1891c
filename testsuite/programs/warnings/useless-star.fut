-- There is nothing to consume in a number.
-- ==
-- input { 4 }
-- output { 4 }
-- warning: \*

def main (x: *i32) : i32 = x
