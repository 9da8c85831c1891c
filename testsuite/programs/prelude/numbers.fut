-- Conversions with short names truncate towards zero.
-- ==
-- entry: short
-- input { 7 -2.75f32 2.75f64 } output { 7f32 -2 7f64 2 }

entry short (i: i32) (x: f32) (y: f64) = (r32 i, t32 x, r64 i, t64 y)

-- Values that are shown on the way stay what they are.
-- ==
-- entry: shown
-- input { 5 } output { 10 }

entry shown (x: i32) = trace x + opaque x
