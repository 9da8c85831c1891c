-- A signature included in another, with a type made known.
-- ==
-- input { 6 }
-- output { 36 }

module type basic = { type t val one: t }
module type squared = { include basic with t = i32 val square: t -> t }
module s : squared = { type t = i32 def one = 1i32 def square (x: i32) = x * x }
def main (x: i32) : i32 = s.square (x * s.one)
