// exp_f64(x) is e^x, within 1 ulp, by real_exp. Infinity and NaN stay, and -infinity becomes 0.
fn exp_f64(x: F64) -> F64 { return out_f64(real_exp(in_f64(x))); }

// exp2_f64(x) is 2^x, within 1 ulp, by real_exp2. Infinity and NaN stay, and -infinity becomes 0.
fn exp2_f64(x: F64) -> F64 { return out_f64(real_exp2(in_f64(x))); }

// exp10_f64(x) is 10^x, within 1 ulp, by real_exp10. Infinity and NaN stay, and -infinity becomes 0.
fn exp10_f64(x: F64) -> F64 { return out_f64(real_exp10(in_f64(x))); }

// log_f64(x) is the natural logarithm, within 1 ulp, by real_log. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log_f64(x: F64) -> F64 { return out_f64(real_log(in_f64(x))); }

// log2_f64(x) is the binary logarithm, within 1 ulp, by real_log2. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log2_f64(x: F64) -> F64 { return out_f64(real_log2(in_f64(x))); }

// log10_f64(x) is the decimal logarithm, within 1 ulp, by real_log10. Zeros give -infinity, negative numbers NaN;
// infinity and NaN stay.
fn log10_f64(x: F64) -> F64 { return out_f64(real_log10(in_f64(x))); }

// sin_f64(x) is the sine, within 1 ulp, by real_sin. Zeros and NaN stay; infinities give NaN.
fn sin_f64(x: F64) -> F64 { return out_f64(real_sin(in_f64(x))); }

// cos_f64(x) is the cosine, within 1 ulp, by real_cos. NaN stays; infinities give NaN.
fn cos_f64(x: F64) -> F64 { return out_f64(real_cos(in_f64(x))); }

// pow_f64(x, y) is x^y, within 2 ulp, by real_pow. The special cases are those of C: 1 where x is 1 or y is 0,
// whatever the other; NaN for negative x unless y is an integer.
fn pow_f64(x: F64, y: F64) -> F64 { return out_f64(real_pow(in_f64(x), in_f64(y))); }
