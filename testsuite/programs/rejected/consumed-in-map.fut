-- Consumption of an outer array within a function.
-- ==
-- error: onsum

def main (a: *[]i32) : [2][]i32 = map (\i -> a with [0] = i) [1, 2]
