-- An array one longer than declared.
-- ==
-- error: "n" and "n \+ 1i64" do not match

def main [n] (a: [n]i32) : [n]i32 = a ++ [1]
