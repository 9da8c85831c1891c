-- An array whose rows have different sizes.
-- ==
-- error:

def main : [][]i32 = [[1, 2], [3]]
