-- A second file, imported under a name and opened.
-- ==
-- input { 5 }
-- output { 25 10 }

import "parts/squares"
module d = import "parts/doubles"
def main (x: i32) : (i32, i32) = (square x, d.double x)
