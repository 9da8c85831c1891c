-- An alias of a consumed array.
-- ==
-- error: onsum

def main (a: *[]i32) : i32 =
  let b = a
  let c = a with [0] = 2
  in b[0] + c[0]
