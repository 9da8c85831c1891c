-- Flatten and unflatten.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] }

def main (xss: [2][3]i32) : [3][2]i32 = unflatten (flatten xss :> [3 * 2]i32)
