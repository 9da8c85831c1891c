-- An abstract type whose arrays have sizes that are computed from one that it hides.
-- ==
-- input { [4, 1, 3] }
-- output { [8, 5, 7] 24 6i64 }

module type doubling = {
  type~ t
  val make [n] : [n]i32 -> t
  val at : t -> i64 -> i32
  val sum : t -> i32
  val cells : t -> i64
}

def twice (n: i64) : i64 = 2 * n

module doubling : doubling = {
  type both [n] = {items: [n](), cells: [twice n]i32}
  type~ t = ?[n].both [n]
  def make [n] (xs: [n]i32) : both [n] =
    {items = map (\_ -> ()) xs, cells = tabulate (twice n) (\i -> xs[i / 2] + i32.i64 i % 2 * 4)}
  def at [n] (b: both [n]) (i: i64) : i32 = b.cells[2 * i + 1]
  def sum [n] (b: both [n]) : i32 = i32.sum (map (\i -> b.cells[2 * i]) (indices b.items)) * 3
  def cells [n] (b: both [n]) : i64 = length b.cells
}

def main [n] (xs: [n]i32) : ([n]i32, i32, i64) =
  let b = doubling.make xs
  in (tabulate n (doubling.at b), doubling.sum b, doubling.cells b)
