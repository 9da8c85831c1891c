-- A module whose value has another type.
-- ==
-- error:

module m : { val x: i32 } = { def x = true }
def main = m.x
