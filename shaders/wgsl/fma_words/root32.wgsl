// sqrt_f32(x) is the square root, correctly rounded, by sqrt_words_f32. Zeros, infinity and NaN stay; negative numbers give NaN.
fn sqrt_f32(x: f32) -> f32 { return sqrt_words_f32(x); }
