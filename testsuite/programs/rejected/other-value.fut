-- A module whose value has another type.
-- ==
-- error: val x : i32.*val x : bool

module m : { val x: i32 } = { def x = true }
def main = m.x
