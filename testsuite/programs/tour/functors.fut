-- Modules with modules as parameters, types refined by `with`, signatures included in others.
-- ==
-- entry: ordered
-- input { [3, 1, 2] } output { 1 3 }

-- ==
-- entry: curried
-- input { 4 } output { 10 }

-- ==
-- entry: refined
-- input { 5 } output { 6 }

module type eq = {
  type t
  val equal : t -> t -> bool
}

module type ord = {
  include eq
  val less : t -> t -> bool
}

module extremes (o: ord) = {
  def least [n] (xs: [n]o.t) = loop m = xs[0] for x in xs do if x `o.less` m then x else m
  def greatest [n] (xs: [n]o.t) = loop m = xs[0] for x in xs do if m `o.less` x then x else m
}

module int_order = {
  type t = i32
  def equal (x: i32) (y: i32) = x == y
  def less (x: i32) (y: i32) = x < y
}

module int_extremes = extremes int_order

entry ordered (xs: []i32) = (int_extremes.least xs, int_extremes.greatest xs)

module type number = { val n : i32 }

module add (a: number) (b: number) : number = {
  def n = a.n + b.n
}

module three = add { def n = 1i32 } { def n = 2i32 }

entry curried (x: i32) = let y = x + three.n in y + three.n

module type step = {
  type t
  val step : t -> t
}

module up : step with t = i32 = {
  type t = i32
  def step x = x + 1i32
}

entry refined (x: i32) = up.step x
