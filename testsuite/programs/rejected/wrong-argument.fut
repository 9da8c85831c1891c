-- An argument of the wrong type.
-- ==
-- error:

def f (x: f32) = x
def main (x: i32) = f x
