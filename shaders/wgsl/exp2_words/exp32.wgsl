// exp2_near_f32(r) is 2^r for r in [-1/2, 1/2], by exp2_part_f32.
fn exp2_near_f32(r: f32) -> f32 { return exp2_part_f32(r); }
