-- Made by gen from its templates: edit those, and run `go generate`.

-- | Floating-point numbers of 16 bits as IEEE 754 describes them.
module f16: (float with t = f16 with int_t = u16) = {
  type t = f16
  type int_t = u16

  def inf: f16 = 1 / 0
  def nan: f16 = 0 / 0
  def highest: f16 = 1 / 0
  def lowest: f16 = -(1 / 0)
  def epsilon: f16 = 0.0009765625
  def pi: f16 = 3.14159265358979323846
  def e: f16 = 2.71828182845904523536

  def sum [n] (xs: [n]f16): f16 = intrinsics.reduce (\(x: f16) (y: f16) -> x + y) 0 xs
  def product [n] (xs: [n]f16): f16 = intrinsics.reduce (\(x: f16) (y: f16) -> x * y) 1 xs
  def maximum [n] (xs: [n]f16): f16 = intrinsics.reduce (\x y -> intrinsics.max_f16 x y) (-(1 / 0)) xs
  def minimum [n] (xs: [n]f16): f16 = intrinsics.reduce (\x y -> intrinsics.min_f16 x y) (1 / 0) xs

  def to_bits (x: f16): u16 = intrinsics.to_bits_f16 x
  def from_bits (x: u16): f16 = intrinsics.from_bits_f16 x
  def num_bits: i32 = 16
  def get_bit (i: i32) (x: f16): i32 =
    intrinsics.u16_to_i32 ((intrinsics.to_bits_f16 x >> intrinsics.i32_to_u16 i) & 1)
  def set_bit (i: i32) (x: f16) (b: i32): f16 =
    let place = intrinsics.i32_to_u16 i
    let rest = intrinsics.to_bits_f16 x & !(1 << place)
    in intrinsics.from_bits_f16 (rest | (intrinsics.i32_to_u16 b << place))

  def recip (x: f16): f16 = 1 / x
  def neg (x: f16): f16 = -x
  def from_fraction (x: i64) (y: i64): f16 = intrinsics.i64_to_f16 x / intrinsics.i64_to_f16 y
  def trunc (x: f16): f16 = if x < 0 then intrinsics.ceil_f16 x else intrinsics.floor_f16 x
  def to_i64 (x: f16): i64 = intrinsics.f16_to_i64 x
  def to_f64 (x: f16): f64 = intrinsics.f16_to_f64 x
  def isinf (x: f16): bool = intrinsics.isinf_f16 x
  def isnan (x: f16): bool = intrinsics.isnan_f16 x
  def ldexp (x: f16) (n: i32): f16 = intrinsics.ldexp_f16 x n

  def abs (x: f16): f16 = intrinsics.abs_f16 x
  def sgn (x: f16): f16 = intrinsics.sgn_f16 x
  def sqrt (x: f16): f16 = intrinsics.sqrt_f16 x
  def rsqrt (x: f16): f16 = intrinsics.rsqrt_f16 x
  def cbrt (x: f16): f16 = intrinsics.cbrt_f16 x
  def exp (x: f16): f16 = intrinsics.exp_f16 x
  def log (x: f16): f16 = intrinsics.log_f16 x
  def log2 (x: f16): f16 = intrinsics.log2_f16 x
  def log10 (x: f16): f16 = intrinsics.log10_f16 x
  def log1p (x: f16): f16 = intrinsics.log1p_f16 x
  def sin (x: f16): f16 = intrinsics.sin_f16 x
  def cos (x: f16): f16 = intrinsics.cos_f16 x
  def tan (x: f16): f16 = intrinsics.tan_f16 x
  def sinpi (x: f16): f16 = intrinsics.sinpi_f16 x
  def cospi (x: f16): f16 = intrinsics.cospi_f16 x
  def tanpi (x: f16): f16 = intrinsics.tanpi_f16 x
  def asin (x: f16): f16 = intrinsics.asin_f16 x
  def acos (x: f16): f16 = intrinsics.acos_f16 x
  def atan (x: f16): f16 = intrinsics.atan_f16 x
  def asinpi (x: f16): f16 = intrinsics.asinpi_f16 x
  def acospi (x: f16): f16 = intrinsics.acospi_f16 x
  def atanpi (x: f16): f16 = intrinsics.atanpi_f16 x
  def sinh (x: f16): f16 = intrinsics.sinh_f16 x
  def cosh (x: f16): f16 = intrinsics.cosh_f16 x
  def tanh (x: f16): f16 = intrinsics.tanh_f16 x
  def asinh (x: f16): f16 = intrinsics.asinh_f16 x
  def acosh (x: f16): f16 = intrinsics.acosh_f16 x
  def atanh (x: f16): f16 = intrinsics.atanh_f16 x
  def gamma (x: f16): f16 = intrinsics.gamma_f16 x
  def lgamma (x: f16): f16 = intrinsics.lgamma_f16 x
  def erf (x: f16): f16 = intrinsics.erf_f16 x
  def erfc (x: f16): f16 = intrinsics.erfc_f16 x
  def ceil (x: f16): f16 = intrinsics.ceil_f16 x
  def floor (x: f16): f16 = intrinsics.floor_f16 x
  def round (x: f16): f16 = intrinsics.round_f16 x

  def max (x: f16) (y: f16): f16 = intrinsics.max_f16 x y
  def min (x: f16) (y: f16): f16 = intrinsics.min_f16 x y
  def atan2 (x: f16) (y: f16): f16 = intrinsics.atan2_f16 x y
  def atan2pi (x: f16) (y: f16): f16 = intrinsics.atan2pi_f16 x y
  def hypot (x: f16) (y: f16): f16 = intrinsics.hypot_f16 x y
  def nextafter (x: f16) (y: f16): f16 = intrinsics.nextafter_f16 x y
  def copysign (x: f16) (y: f16): f16 = intrinsics.copysign_f16 x y

  def lerp (a: f16) (b: f16) (c: f16): f16 = intrinsics.lerp_f16 a b c
  def mad (a: f16) (b: f16) (c: f16): f16 = intrinsics.mad_f16 a b c
  def fma (a: f16) (b: f16) (c: f16): f16 = intrinsics.fma_f16 a b c

  def i8 (x: i8): f16 = intrinsics.i8_to_f16 x
  def i16 (x: i16): f16 = intrinsics.i16_to_f16 x
  def i32 (x: i32): f16 = intrinsics.i32_to_f16 x
  def i64 (x: i64): f16 = intrinsics.i64_to_f16 x
  def u8 (x: u8): f16 = intrinsics.u8_to_f16 x
  def u16 (x: u16): f16 = intrinsics.u16_to_f16 x
  def u32 (x: u32): f16 = intrinsics.u32_to_f16 x
  def u64 (x: u64): f16 = intrinsics.u64_to_f16 x
  def f16 (x: f16): f16 = intrinsics.f16_to_f16 x
  def f32 (x: f32): f16 = intrinsics.f32_to_f16 x
  def f64 (x: f64): f16 = intrinsics.f64_to_f16 x
  def bool (x: bool): f16 = intrinsics.bool_to_f16 x

  def (+) (x: f16) (y: f16): f16 = intrinsics.add_f16 x y
  def (-) (x: f16) (y: f16): f16 = intrinsics.sub_f16 x y
  def (*) (x: f16) (y: f16): f16 = intrinsics.mul_f16 x y
  def (/) (x: f16) (y: f16): f16 = intrinsics.div_f16 x y
  def (%) (x: f16) (y: f16): f16 = intrinsics.mod_f16 x y
  def (**) (x: f16) (y: f16): f16 = intrinsics.pow_f16 x y

  def (==) (x: f16) (y: f16): bool = intrinsics.eq_f16 x y
  def (!=) (x: f16) (y: f16): bool = intrinsics.ne_f16 x y
  def (<) (x: f16) (y: f16): bool = intrinsics.lt_f16 x y
  def (<=) (x: f16) (y: f16): bool = intrinsics.le_f16 x y
  def (>) (x: f16) (y: f16): bool = intrinsics.gt_f16 x y
  def (>=) (x: f16) (y: f16): bool = intrinsics.ge_f16 x y
}

-- | Floating-point numbers of 32 bits as IEEE 754 describes them.
module f32: (float with t = f32 with int_t = u32) = {
  type t = f32
  type int_t = u32

  def inf: f32 = 1 / 0
  def nan: f32 = 0 / 0
  def highest: f32 = 1 / 0
  def lowest: f32 = -(1 / 0)
  def epsilon: f32 = 1.1920929e-7
  def pi: f32 = 3.14159265358979323846
  def e: f32 = 2.71828182845904523536

  def sum [n] (xs: [n]f32): f32 = intrinsics.reduce (\(x: f32) (y: f32) -> x + y) 0 xs
  def product [n] (xs: [n]f32): f32 = intrinsics.reduce (\(x: f32) (y: f32) -> x * y) 1 xs
  def maximum [n] (xs: [n]f32): f32 = intrinsics.reduce (\x y -> intrinsics.max_f32 x y) (-(1 / 0)) xs
  def minimum [n] (xs: [n]f32): f32 = intrinsics.reduce (\x y -> intrinsics.min_f32 x y) (1 / 0) xs

  def to_bits (x: f32): u32 = intrinsics.to_bits_f32 x
  def from_bits (x: u32): f32 = intrinsics.from_bits_f32 x
  def num_bits: i32 = 32
  def get_bit (i: i32) (x: f32): i32 =
    intrinsics.u32_to_i32 ((intrinsics.to_bits_f32 x >> intrinsics.i32_to_u32 i) & 1)
  def set_bit (i: i32) (x: f32) (b: i32): f32 =
    let place = intrinsics.i32_to_u32 i
    let rest = intrinsics.to_bits_f32 x & !(1 << place)
    in intrinsics.from_bits_f32 (rest | (intrinsics.i32_to_u32 b << place))

  def recip (x: f32): f32 = 1 / x
  def neg (x: f32): f32 = -x
  def from_fraction (x: i64) (y: i64): f32 = intrinsics.i64_to_f32 x / intrinsics.i64_to_f32 y
  def trunc (x: f32): f32 = if x < 0 then intrinsics.ceil_f32 x else intrinsics.floor_f32 x
  def to_i64 (x: f32): i64 = intrinsics.f32_to_i64 x
  def to_f64 (x: f32): f64 = intrinsics.f32_to_f64 x
  def isinf (x: f32): bool = intrinsics.isinf_f32 x
  def isnan (x: f32): bool = intrinsics.isnan_f32 x
  def ldexp (x: f32) (n: i32): f32 = intrinsics.ldexp_f32 x n

  def abs (x: f32): f32 = intrinsics.abs_f32 x
  def sgn (x: f32): f32 = intrinsics.sgn_f32 x
  def sqrt (x: f32): f32 = intrinsics.sqrt_f32 x
  def rsqrt (x: f32): f32 = intrinsics.rsqrt_f32 x
  def cbrt (x: f32): f32 = intrinsics.cbrt_f32 x
  def exp (x: f32): f32 = intrinsics.exp_f32 x
  def log (x: f32): f32 = intrinsics.log_f32 x
  def log2 (x: f32): f32 = intrinsics.log2_f32 x
  def log10 (x: f32): f32 = intrinsics.log10_f32 x
  def log1p (x: f32): f32 = intrinsics.log1p_f32 x
  def sin (x: f32): f32 = intrinsics.sin_f32 x
  def cos (x: f32): f32 = intrinsics.cos_f32 x
  def tan (x: f32): f32 = intrinsics.tan_f32 x
  def sinpi (x: f32): f32 = intrinsics.sinpi_f32 x
  def cospi (x: f32): f32 = intrinsics.cospi_f32 x
  def tanpi (x: f32): f32 = intrinsics.tanpi_f32 x
  def asin (x: f32): f32 = intrinsics.asin_f32 x
  def acos (x: f32): f32 = intrinsics.acos_f32 x
  def atan (x: f32): f32 = intrinsics.atan_f32 x
  def asinpi (x: f32): f32 = intrinsics.asinpi_f32 x
  def acospi (x: f32): f32 = intrinsics.acospi_f32 x
  def atanpi (x: f32): f32 = intrinsics.atanpi_f32 x
  def sinh (x: f32): f32 = intrinsics.sinh_f32 x
  def cosh (x: f32): f32 = intrinsics.cosh_f32 x
  def tanh (x: f32): f32 = intrinsics.tanh_f32 x
  def asinh (x: f32): f32 = intrinsics.asinh_f32 x
  def acosh (x: f32): f32 = intrinsics.acosh_f32 x
  def atanh (x: f32): f32 = intrinsics.atanh_f32 x
  def gamma (x: f32): f32 = intrinsics.gamma_f32 x
  def lgamma (x: f32): f32 = intrinsics.lgamma_f32 x
  def erf (x: f32): f32 = intrinsics.erf_f32 x
  def erfc (x: f32): f32 = intrinsics.erfc_f32 x
  def ceil (x: f32): f32 = intrinsics.ceil_f32 x
  def floor (x: f32): f32 = intrinsics.floor_f32 x
  def round (x: f32): f32 = intrinsics.round_f32 x

  def max (x: f32) (y: f32): f32 = intrinsics.max_f32 x y
  def min (x: f32) (y: f32): f32 = intrinsics.min_f32 x y
  def atan2 (x: f32) (y: f32): f32 = intrinsics.atan2_f32 x y
  def atan2pi (x: f32) (y: f32): f32 = intrinsics.atan2pi_f32 x y
  def hypot (x: f32) (y: f32): f32 = intrinsics.hypot_f32 x y
  def nextafter (x: f32) (y: f32): f32 = intrinsics.nextafter_f32 x y
  def copysign (x: f32) (y: f32): f32 = intrinsics.copysign_f32 x y

  def lerp (a: f32) (b: f32) (c: f32): f32 = intrinsics.lerp_f32 a b c
  def mad (a: f32) (b: f32) (c: f32): f32 = intrinsics.mad_f32 a b c
  def fma (a: f32) (b: f32) (c: f32): f32 = intrinsics.fma_f32 a b c

  def i8 (x: i8): f32 = intrinsics.i8_to_f32 x
  def i16 (x: i16): f32 = intrinsics.i16_to_f32 x
  def i32 (x: i32): f32 = intrinsics.i32_to_f32 x
  def i64 (x: i64): f32 = intrinsics.i64_to_f32 x
  def u8 (x: u8): f32 = intrinsics.u8_to_f32 x
  def u16 (x: u16): f32 = intrinsics.u16_to_f32 x
  def u32 (x: u32): f32 = intrinsics.u32_to_f32 x
  def u64 (x: u64): f32 = intrinsics.u64_to_f32 x
  def f16 (x: f16): f32 = intrinsics.f16_to_f32 x
  def f32 (x: f32): f32 = intrinsics.f32_to_f32 x
  def f64 (x: f64): f32 = intrinsics.f64_to_f32 x
  def bool (x: bool): f32 = intrinsics.bool_to_f32 x

  def (+) (x: f32) (y: f32): f32 = intrinsics.add_f32 x y
  def (-) (x: f32) (y: f32): f32 = intrinsics.sub_f32 x y
  def (*) (x: f32) (y: f32): f32 = intrinsics.mul_f32 x y
  def (/) (x: f32) (y: f32): f32 = intrinsics.div_f32 x y
  def (%) (x: f32) (y: f32): f32 = intrinsics.mod_f32 x y
  def (**) (x: f32) (y: f32): f32 = intrinsics.pow_f32 x y

  def (==) (x: f32) (y: f32): bool = intrinsics.eq_f32 x y
  def (!=) (x: f32) (y: f32): bool = intrinsics.ne_f32 x y
  def (<) (x: f32) (y: f32): bool = intrinsics.lt_f32 x y
  def (<=) (x: f32) (y: f32): bool = intrinsics.le_f32 x y
  def (>) (x: f32) (y: f32): bool = intrinsics.gt_f32 x y
  def (>=) (x: f32) (y: f32): bool = intrinsics.ge_f32 x y
}

-- | Floating-point numbers of 64 bits as IEEE 754 describes them.
module f64: (float with t = f64 with int_t = u64) = {
  type t = f64
  type int_t = u64

  def inf: f64 = 1 / 0
  def nan: f64 = 0 / 0
  def highest: f64 = 1 / 0
  def lowest: f64 = -(1 / 0)
  def epsilon: f64 = 2.220446049250313e-16
  def pi: f64 = 3.14159265358979323846
  def e: f64 = 2.71828182845904523536

  def sum [n] (xs: [n]f64): f64 = intrinsics.reduce (\(x: f64) (y: f64) -> x + y) 0 xs
  def product [n] (xs: [n]f64): f64 = intrinsics.reduce (\(x: f64) (y: f64) -> x * y) 1 xs
  def maximum [n] (xs: [n]f64): f64 = intrinsics.reduce (\x y -> intrinsics.max_f64 x y) (-(1 / 0)) xs
  def minimum [n] (xs: [n]f64): f64 = intrinsics.reduce (\x y -> intrinsics.min_f64 x y) (1 / 0) xs

  def to_bits (x: f64): u64 = intrinsics.to_bits_f64 x
  def from_bits (x: u64): f64 = intrinsics.from_bits_f64 x
  def num_bits: i32 = 64
  def get_bit (i: i32) (x: f64): i32 =
    intrinsics.u64_to_i32 ((intrinsics.to_bits_f64 x >> intrinsics.i32_to_u64 i) & 1)
  def set_bit (i: i32) (x: f64) (b: i32): f64 =
    let place = intrinsics.i32_to_u64 i
    let rest = intrinsics.to_bits_f64 x & !(1 << place)
    in intrinsics.from_bits_f64 (rest | (intrinsics.i32_to_u64 b << place))

  def recip (x: f64): f64 = 1 / x
  def neg (x: f64): f64 = -x
  def from_fraction (x: i64) (y: i64): f64 = intrinsics.i64_to_f64 x / intrinsics.i64_to_f64 y
  def trunc (x: f64): f64 = if x < 0 then intrinsics.ceil_f64 x else intrinsics.floor_f64 x
  def to_i64 (x: f64): i64 = intrinsics.f64_to_i64 x
  def to_f64 (x: f64): f64 = intrinsics.f64_to_f64 x
  def isinf (x: f64): bool = intrinsics.isinf_f64 x
  def isnan (x: f64): bool = intrinsics.isnan_f64 x
  def ldexp (x: f64) (n: i32): f64 = intrinsics.ldexp_f64 x n

  def abs (x: f64): f64 = intrinsics.abs_f64 x
  def sgn (x: f64): f64 = intrinsics.sgn_f64 x
  def sqrt (x: f64): f64 = intrinsics.sqrt_f64 x
  def rsqrt (x: f64): f64 = intrinsics.rsqrt_f64 x
  def cbrt (x: f64): f64 = intrinsics.cbrt_f64 x
  def exp (x: f64): f64 = intrinsics.exp_f64 x
  def log (x: f64): f64 = intrinsics.log_f64 x
  def log2 (x: f64): f64 = intrinsics.log2_f64 x
  def log10 (x: f64): f64 = intrinsics.log10_f64 x
  def log1p (x: f64): f64 = intrinsics.log1p_f64 x
  def sin (x: f64): f64 = intrinsics.sin_f64 x
  def cos (x: f64): f64 = intrinsics.cos_f64 x
  def tan (x: f64): f64 = intrinsics.tan_f64 x
  def sinpi (x: f64): f64 = intrinsics.sinpi_f64 x
  def cospi (x: f64): f64 = intrinsics.cospi_f64 x
  def tanpi (x: f64): f64 = intrinsics.tanpi_f64 x
  def asin (x: f64): f64 = intrinsics.asin_f64 x
  def acos (x: f64): f64 = intrinsics.acos_f64 x
  def atan (x: f64): f64 = intrinsics.atan_f64 x
  def asinpi (x: f64): f64 = intrinsics.asinpi_f64 x
  def acospi (x: f64): f64 = intrinsics.acospi_f64 x
  def atanpi (x: f64): f64 = intrinsics.atanpi_f64 x
  def sinh (x: f64): f64 = intrinsics.sinh_f64 x
  def cosh (x: f64): f64 = intrinsics.cosh_f64 x
  def tanh (x: f64): f64 = intrinsics.tanh_f64 x
  def asinh (x: f64): f64 = intrinsics.asinh_f64 x
  def acosh (x: f64): f64 = intrinsics.acosh_f64 x
  def atanh (x: f64): f64 = intrinsics.atanh_f64 x
  def gamma (x: f64): f64 = intrinsics.gamma_f64 x
  def lgamma (x: f64): f64 = intrinsics.lgamma_f64 x
  def erf (x: f64): f64 = intrinsics.erf_f64 x
  def erfc (x: f64): f64 = intrinsics.erfc_f64 x
  def ceil (x: f64): f64 = intrinsics.ceil_f64 x
  def floor (x: f64): f64 = intrinsics.floor_f64 x
  def round (x: f64): f64 = intrinsics.round_f64 x

  def max (x: f64) (y: f64): f64 = intrinsics.max_f64 x y
  def min (x: f64) (y: f64): f64 = intrinsics.min_f64 x y
  def atan2 (x: f64) (y: f64): f64 = intrinsics.atan2_f64 x y
  def atan2pi (x: f64) (y: f64): f64 = intrinsics.atan2pi_f64 x y
  def hypot (x: f64) (y: f64): f64 = intrinsics.hypot_f64 x y
  def nextafter (x: f64) (y: f64): f64 = intrinsics.nextafter_f64 x y
  def copysign (x: f64) (y: f64): f64 = intrinsics.copysign_f64 x y

  def lerp (a: f64) (b: f64) (c: f64): f64 = intrinsics.lerp_f64 a b c
  def mad (a: f64) (b: f64) (c: f64): f64 = intrinsics.mad_f64 a b c
  def fma (a: f64) (b: f64) (c: f64): f64 = intrinsics.fma_f64 a b c

  def i8 (x: i8): f64 = intrinsics.i8_to_f64 x
  def i16 (x: i16): f64 = intrinsics.i16_to_f64 x
  def i32 (x: i32): f64 = intrinsics.i32_to_f64 x
  def i64 (x: i64): f64 = intrinsics.i64_to_f64 x
  def u8 (x: u8): f64 = intrinsics.u8_to_f64 x
  def u16 (x: u16): f64 = intrinsics.u16_to_f64 x
  def u32 (x: u32): f64 = intrinsics.u32_to_f64 x
  def u64 (x: u64): f64 = intrinsics.u64_to_f64 x
  def f16 (x: f16): f64 = intrinsics.f16_to_f64 x
  def f32 (x: f32): f64 = intrinsics.f32_to_f64 x
  def f64 (x: f64): f64 = intrinsics.f64_to_f64 x
  def bool (x: bool): f64 = intrinsics.bool_to_f64 x

  def (+) (x: f64) (y: f64): f64 = intrinsics.add_f64 x y
  def (-) (x: f64) (y: f64): f64 = intrinsics.sub_f64 x y
  def (*) (x: f64) (y: f64): f64 = intrinsics.mul_f64 x y
  def (/) (x: f64) (y: f64): f64 = intrinsics.div_f64 x y
  def (%) (x: f64) (y: f64): f64 = intrinsics.mod_f64 x y
  def (**) (x: f64) (y: f64): f64 = intrinsics.pow_f64 x y

  def (==) (x: f64) (y: f64): bool = intrinsics.eq_f64 x y
  def (!=) (x: f64) (y: f64): bool = intrinsics.ne_f64 x y
  def (<) (x: f64) (y: f64): bool = intrinsics.lt_f64 x y
  def (<=) (x: f64) (y: f64): bool = intrinsics.le_f64 x y
  def (>) (x: f64) (y: f64): bool = intrinsics.gt_f64 x y
  def (>=) (x: f64) (y: f64): bool = intrinsics.ge_f64 x y
}
