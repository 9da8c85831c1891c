-- An argument of the wrong type.
-- ==
-- error: Expected: f32.*Actual: +i32

def f (x: f32) = x
def main (x: i32) = f x
