-- An array whose rows have different sizes.
-- ==
-- error: "2" and "1" do not match

def main : [][]i32 = [[1, 2], [3]]
