-- An array used after it was updated.
-- ==
-- error: onsum

def main (a: *[]i32) : ([]i32, i32) =
  let b = a with [0] = 1
  in (b, a[0])
