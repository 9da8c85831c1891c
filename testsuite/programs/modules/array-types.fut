-- An abstract type that is an array of some size where the module is applied: each function takes arrays of every size.
-- ==
-- input { [3, 1, 2] [5, 5] }
-- output { 213i64 55i64 1i64 }

module type digits = {
  type~ t
  val get : i64 -> t -> i64
  val count : t -> i64
  val longer : t -> t -> bool
}

module number (D: digits with t = []i32) = {
  def fold 'x (get: i64 -> x -> i64) (count: i64) (x: x) : i64 =
    loop n = 0 for i < count do n * 10 + get i x
  def value (d: D.t) : i64 = fold D.get (D.count d) d
  def first (d: D.t) = D.get 0 d
  def least (a: D.t) (b: D.t) : i64 = if D.longer a b then first b else first a
}

module backwards = number {
  type~ t = []i32
  def count (d: t) = length d
  def get (i: i64) (d: t) = i64.i32 d[length d - 1 - i]
  def longer (a: t) (b: t) = length a > length b
}

def main (xs: []i32) (ys: []i32) : (i64, i64, i64) =
  (backwards.value xs, backwards.value ys, backwards.least [9i32] (rotate 1 xs) - 8)
