-- An element of another type.
-- ==
-- error: new value has the wrong type

def main (a: *[]i32) : []i32 = a with [0] = 1f32
