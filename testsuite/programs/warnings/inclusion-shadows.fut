-- An included type takes the name of one that is there.
-- ==
-- input { 5 }
-- output { 5 }
-- warning: "?t

module type a = { type t }
module type b = { type t include a }

def main (x: i32) : i32 = x
