-- The size of a filtered array is not that of its input.
-- ==
-- error: "n" and "d" do not match

def main [n] (a: [n]i32) : [n]i32 = filter (> 0) a
