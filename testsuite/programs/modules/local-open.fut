-- Names of a module within one expression.
-- ==
-- input { 9f32 }
-- output { 3f32 }

def main (x: f32) : f32 = f32.(sqrt x)
