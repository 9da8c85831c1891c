-- A parameter that is not unique is updated.
-- ==
-- error: onsum

def main (a: []i32) : []i32 = a with [0] = 1
