-- Modules: signatures, sealing, parameters, opening, modules in modules.
-- ==
-- entry: counter
-- input { 3 } output { 5 }

-- ==
-- entry: parametric
-- input { [1, 2, 3] [1.0f32, 2.0f32] } output { 6 2f32 }

-- ==
-- entry: opened
-- input { 4 } output { 16 8 }

-- ==
-- entry: nested
-- input { 2 } output { 42 }

-- A sealed type has no other operations than its signature says.
module type counter = {
  type t
  val zero : t
  val next : t -> t
  val read : t -> i32
}

module counting : counter = {
  type t = i32
  def zero = 2i32
  def next x = x + 1i32
  def read x = x
}

entry counter (n: i32) = counting.read (loop c = counting.zero for _i < n do counting.next c)

module type monoid = {
  type t
  val unit : t
  val join : t -> t -> t
}

module folding (m: monoid) = {
  def fold (xs: []m.t) = loop acc = m.unit for x in xs do m.join acc x
}

module sums = folding {
  type t = i32
  def unit = 0i32
  def join (x: t) (y: t) = x + y
}

module maxima = folding {
  type t = f32
  def unit = f32.lowest
  def join = f32.max
}

entry parametric (xs: []i32) (ys: []f32) = (sums.fold xs, maxima.fold ys)

module squares = {
  def square (x: i32) = x * x
}

open squares

entry opened (x: i32) = (square x, let y = x in squares.(square y) - 8)

module outer = {
  local def hidden = 40i32
  module inner = {
    def add (x: i32) = x + hidden
  }
}

entry nested (x: i32) = outer.inner.add x
