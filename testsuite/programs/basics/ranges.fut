-- Ranges.
-- ==
-- input { 1 5 }
-- output { [1i32, 2i32, 3i32, 4i32] [5i32, 4i32, 3i32, 2i32] [1i32, 3i32, 5i32] }

def main (a: i32) (b: i32) : ([]i32, []i32, []i32) = (a..<b, b..>a, a..a + 2...b)
