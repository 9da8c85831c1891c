-- An opaque type is only made and read by its module.
-- ==
-- input { 3 }
-- output { 5 }

module counter : { type t val start: i32 -> t val next: t -> t val get: t -> i32 } = {
  type t = i32
  def start (x: i32) : t = x
  def next (x: t) : t = x + 1
  def get (x: t) : i32 = x
}
def main (x: i32) : i32 = counter.get (counter.next (counter.next (counter.start x)))
