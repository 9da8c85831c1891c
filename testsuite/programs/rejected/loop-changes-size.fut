-- A loop whose array must keep its size.
-- ==
-- error: size|oop|expected type

def main [n] (a: [n]i32) : [n]i32 = loop b = a for _i < 2i32 do b ++ b
