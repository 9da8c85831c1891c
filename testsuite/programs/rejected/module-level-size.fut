-- A module does not have a size that its signature leaves open to choose.
-- ==
-- error: do not match

module type sized = { val n : i64 val xs : [n]i32 }
module four : sized = { def n = 3i64 def xs = [1, 2, 3, 4i32] }
def main (x: i32) = x
