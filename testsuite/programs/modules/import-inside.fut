-- A parametric module that imports a file of its own, which nothing else does.
-- ==
-- input { 5 }
-- output { 15 }

module powers (P: { val more: i32 }) = {
  import "parts/triples"
  def up = triple >-> (+ P.more)
}
module none = powers { def more = 0i32 }
def main (x: i32) : i32 = none.up x
