-- Ranges of types other than i64.
-- ==
-- input { 4i32 3u8 }
-- output { [1i32, 2i32, 3i32, 4i32] [0u8, 1u8, 2u8] }

def main (a: i32) (b: u8) : ([]i32, []u8) = (1...a, 0..<b)
