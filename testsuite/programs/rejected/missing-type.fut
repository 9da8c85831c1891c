-- A module that lacks a type of its signature.
-- ==
-- error: t

module m : { type t val x: t } = { def x = 1i32 }
def main = 1i32
