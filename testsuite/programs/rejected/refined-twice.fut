-- Only a type that is not known can be made known.
-- ==
-- error: not an abstract type

module type number = { type t val x : t }
module type small = number with t = i8
module type smaller = small with t = i16
def main (x: i32) = x
