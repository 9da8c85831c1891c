-- A character and a string literal are integers: code points and UTF-8 bytes.
-- ==
-- input {}
-- output { 65u8 [72u8, 105u8, 33u8] }

def main : (u8, []u8) = ('A', "Hi!")
