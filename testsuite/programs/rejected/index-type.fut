-- An index is an integer.
-- ==
-- error: signed integer.*f32

def main (xs: []i32) (i: f32) = xs[i]
