-- An update of one field's array consumes the whole record that is a parameter: its other fields are aliases of it.
-- ==
-- error: "r".*consumed

def main (r: *{n: i32, xs: *[3]i32}) =
  let ys = r.xs with [0] = 1
  in (r.n, ys)
