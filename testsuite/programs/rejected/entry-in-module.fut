-- Only the file itself has entry points.
-- ==
-- error: Entry point

module m = { entry f (x: i32) = x }
def main (x: i32) = m.f x
