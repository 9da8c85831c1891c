-- A match that does not cover a constructor.
-- ==
-- error: nmatched cases

type t = #a | #b
def main (x: t) : i32 = match x case #a -> 1
