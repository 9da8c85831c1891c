-- Parametric modules as parameters, as values of a lambda, and as what a module type describes.
module type number = { val n : i32 }
module type change = number -> number

module add_two : change = \(m: number) : number -> { def n = m.n + 2 }
module doubled (m: number) : number = { def n = m.n * 2 }
module applied (f: number -> number) (m: number) : number = f m
module both (f: change) (g: (m: number) -> number) (m: number) : number = f (g m)
module five : number = { def n = 5i32 }

module seven = applied add_two five
module twelve = both add_two doubled five
module fourteen = both doubled add_two five

-- ==
-- entry: numbers
-- input { 100 } output { 107 112 114 }
entry numbers (x: i32) = (x + seven.n, x + twelve.n, x + fourteen.n)

-- Each application of a parametric module makes abstract types of its own; those that `with` names are known.
module type cell = { type t val put : i32 -> t val get : t -> i32 }
module cells (m: number) : cell = { type t = (i32, i32) def put x = (x, m.n) def get (t: t) = t.0 * t.1 }
module open_cells (m: number) : (cell with t = (i32, i32)) = { type t = (i32, i32) def put x = (x, m.n) def get (t: t) = t.0 + t.1 }
module by_five = cells five
module by_seven = cells seven
module plus_five = open_cells five

-- ==
-- entry: sealed
-- input { 3 } output { 15 21 8 8 }
entry sealed (x: i32) =
  (by_five.get (by_five.put x), by_seven.get (by_seven.put x), plus_five.get (plus_five.put x), plus_five.get (x, 5))

-- Specifications of operators, in both notations, and of modules, with a signature given in place.
module type arithmetic = {
  type t
  val (<+>) : t -> t -> t
  val <*> : t -> t -> t
  module inverse : { val negated : t -> t }
}
module integers : arithmetic with t = i32 = {
  type t = i32
  def (x: i32) <+> (y: i32) = x + y
  def (<*>) (x: i32) (y: i32) = x * y
  module inverse = { def negated (x: i32) = -x }
}

-- ==
-- entry: operators
-- input { 3 4 } output { 11 -7 }
entry operators (x: i32) (y: i32) =
  (x integers.<*> y integers.<+> (-1), integers.(inverse.negated (x <+> y)))
