-- Quantifiers, of empty arrays too.
-- ==
-- input { [1, 2] }
-- output { true false }
-- input { empty([0]i32) }
-- output { false true }
-- input { [0, 0] }
-- output { false true }

def main (xs: []i32) : (bool, bool) = (any (> 0) xs, all (< 1) xs)
