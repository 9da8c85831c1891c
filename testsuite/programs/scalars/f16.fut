-- Half precision: 11 bits of fraction, the largest finite value 65504.
-- ==
-- input { 2048f16 1f16 }
-- output { 2048f16 2048f16 }
-- input { 1.5f16 2.25f16 }
-- output { 3.75f16 3.375f16 }

def main (x: f16) (y: f16) : (f16, f16) = (x + y, x * y)
