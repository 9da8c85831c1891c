-- Arrays of different size do not fit together.
-- ==
-- error: "n" and "m" do not match

def main [n] [m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs ys
