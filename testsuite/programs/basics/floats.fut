-- Floats.
-- ==
-- input { 2.25f64 }
-- output { 1.5f64 0.75f32 true }

def main (x: f64) : (f64, f32, bool) = (f64.sqrt x, f32.f64 (x / 3), f64.isnan (0 / 0))
