-- A parametric module applied twice.
-- ==
-- input { [1, 2, 3, 4] }
-- output { 10 24 }

module type monoid = { type t val zero: t val (+): t -> t -> t }
module folding (M: monoid) = {
  def all [n] (xs: [n]M.t) : M.t = reduce (M.+) M.zero xs
}
module sums = folding { type t = i32 def zero = 0i32 def (+) (x: i32) (y: i32) = x i32.+ y }
module products = folding { type t = i32 def zero = 1i32 def (+) (x: i32) (y: i32) = x i32.* y }
def main (xs: []i32) : (i32, i32) = (sums.all xs, products.all xs)
