-- More indices than dimensions.
-- ==
-- error: ndex

def main (a: []i32) : i32 = a[0, 0]
