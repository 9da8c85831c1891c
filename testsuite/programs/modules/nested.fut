-- Modules in modules, and a renamed one.
-- ==
-- input { 1 }
-- output { 13 }

module outer = { module inner = { def k = 12i32 } def k = inner.k }
module again = outer.inner
def main (x: i32) : i32 = if outer.k == again.k then x + again.k else 0
