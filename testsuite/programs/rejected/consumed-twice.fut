-- An array given away twice.
-- ==
-- error: onsum

def take_it (a: *[]i32) : i32 = a[0]
def main (a: *[]i32) : i32 = take_it a + take_it a
