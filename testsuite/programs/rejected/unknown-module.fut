-- A module that is not bound.
-- ==
-- error: nknown

def main (x: i32) = nowhere.f x
