-- Types with sizes among what modules specify and take.
module type container = {
  type t [n] 'a
  val from [n] 'a : [n]a -> t [n] a
  val to [n] 'a : t [n] a -> [n]a
}
module reversed : container = {
  type t [n] 'a = {backwards: [n]a}
  def from xs = {backwards = reverse xs}
  def to 'a [n] (t: t [n] a) = reverse t.backwards
}
module plain : container with t [n] 'a = [n]a = {
  type t [n] 'a = [n]a
  def from 'a [n] (xs: [n]a) = xs
  def to 'a [n] (xs: [n]a) = xs
}
module sums (c: container) = { def sum [n] (t: c.t [n] i32) : i32 = i32.sum (c.to t) }
module sum_reversed = sums reversed
module sum_plain = sums plain

-- ==
-- entry: containers
-- input { [1, 2, 3] } output { [1, 2, 3] 6 6 }
entry containers [n] (xs: [n]i32) = (reversed.to (reversed.from xs), sum_reversed.sum (reversed.from xs), sum_plain.sum xs)

-- A size-lifted parameter may be arrays of a size of their own, or none at all.
module type source = { type~ state val make : i64 -> state val total : state -> i64 }
module twice (s: source) = { def run (n: i64) = s.total (s.make n) + s.total (s.make (n + 1)) }
module of_arrays = twice { type~ state = ?[k].[k]i64 def make (n: i64) : state = iota n def total (s: state) = i64.sum s }
module of_numbers = twice { type state = i64 def make (n: i64) = n def total (s: i64) = s }

-- The sums of 0..3 and of 0..4 are 6 and 10; 4 and 5 make 9.
-- ==
-- entry: sources
-- input { 4i64 } output { 16i64 9i64 }
entry sources (n: i64) = (of_arrays.run n, of_numbers.run n)

-- A size that is a value of the module.
module type sized = { val n : i64 val xs : [n]i32 }
module ends (s: sized) = { def first : i32 = s.xs[0] def last : i32 = s.xs[s.n - 1] }
module of_four = ends { def n = 4i64 def xs = [7, 8, 9, 10i32] :> [n]i32 }

-- ==
-- entry: values
-- input { 1 } output { 8 11 }
entry values (x: i32) = (x + of_four.first, x + of_four.last)
