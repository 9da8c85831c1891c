-- A result declared unique that aliases a parameter.
-- ==
-- error: alias

def main (a: []i32) : *[]i32 = a
