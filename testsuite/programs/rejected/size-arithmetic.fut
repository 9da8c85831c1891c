-- An array one longer than declared.
-- ==
-- error:

def main [n] (a: [n]i32) : [n]i32 = a ++ [1]
