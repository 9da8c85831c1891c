-- A size is known before it is used.
-- ==
-- error: is computed only later

def main (xs: []i32) = length <| filter (> 1) xs
