-- | Odds and ends that older programs use.

-- | The single-precision number equal or next to an integer.
def r32 (x: i32): f32 = intrinsics.i32_to_f32 x

-- | A single-precision number without its fraction.
def t32 (x: f32): i32 = intrinsics.f32_to_i32 x

-- | The double-precision number equal to an integer.
def r64 (x: i32): f64 = intrinsics.i32_to_f64 x

-- | A double-precision number without its fraction.
def t64 (x: f64): i32 = intrinsics.f64_to_i32 x

-- | True for false, and false for true.
def not (x: bool): bool = !x

-- | The same value, about which the compiler then knows nothing. `#[opaque]` does the same.
def opaque 't (x: t): t = #[opaque] x

-- | The same value, which is printed when it is computed. `#[trace]` does the same.
def trace 't (x: t): t = #[trace(trace)] x

-- | The same value, at which the interpreter stops. `#[break]` does the same.
def break 't (x: t): t = #[break] x
