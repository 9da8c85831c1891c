-- A size is known before it is used.
-- ==
-- error: Causality check

def main (xs: []i32) = length <| filter (> 1) xs
