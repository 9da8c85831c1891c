-- Sequential folds from each end: subtraction shows the order.
-- ==
-- input { [1, 2, 3] }
-- output { -6 2 }

def main (xs: []i32) : (i32, i32) = (foldl (-) 0 xs, foldr (-) 0 xs)
