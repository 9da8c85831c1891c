-- A module that lacks a value of its signature.
-- ==
-- error: y

module m : { val x: i32 val y: i32 } = { def x = 1i32 }
def main = m.x
