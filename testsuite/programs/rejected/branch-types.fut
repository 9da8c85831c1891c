-- Branches have one type.
-- ==
-- error: i32

def main (b: bool) (x: i32) (y: f32) = if b then x else y
