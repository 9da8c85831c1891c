-- Open and local declarations.
-- ==
-- input { 4 }
-- output { 48 }

module m = { def two = 2i32 local def six = 6i32 def twelve = two * six }
open m
local open { def unit = 1i32 }
def main (x: i32) : i32 = x * twelve * unit
