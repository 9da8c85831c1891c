-- Tuples.
-- ==
-- input { 1 2.5f32 }
-- output { 2.5f32 1i32 }

def swap 'a 'b (x: a, y: b) : (b, a) = (y, x)
def main (x: i32) (y: f32) : (f32, i32) = swap (x, y)
