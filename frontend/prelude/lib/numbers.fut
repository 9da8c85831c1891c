-- | What modules of numbers offer, from the least demanding to the richest, and the module of truth values.

-- | Something that each primitive type converts to.
module type from_prim = {
  -- | The type that values are converted to.
  type t

  val i8: i8 -> t
  val i16: i16 -> t
  val i32: i32 -> t
  val i64: i64 -> t
  val u8: u8 -> t
  val u16: u16 -> t
  val u32: u32 -> t
  val u64: u64 -> t
  val f16: f16 -> t
  val f32: f32 -> t
  val f64: f64 -> t
  val bool: bool -> t
}

-- | Numbers of any kind, with arithmetic and an order.
module type numeric = {
  include from_prim

  val (+): t -> t -> t
  val (-): t -> t -> t
  val (*): t -> t -> t
  -- | The quotient; integers round it down.
  val (/): t -> t -> t
  -- | What division leaves; it has the sign of the divisor.
  val (%): t -> t -> t
  -- | The first argument to the power of the second.
  val (**): t -> t -> t

  val to_i64: t -> i64

  val (==): t -> t -> bool
  val (<): t -> t -> bool
  val (>): t -> t -> bool
  val (<=): t -> t -> bool
  val (>=): t -> t -> bool
  val (!=): t -> t -> bool

  -- | The number with its sign turned.
  val neg: t -> t
  -- | The larger of two numbers.
  val max: t -> t -> t
  -- | The smaller of two numbers.
  val min: t -> t -> t
  -- | The distance from zero.
  val abs: t -> t
  -- | One of -1, 0 and 1, as the argument is below, at or above zero.
  val sgn: t -> t

  -- | No number of the type lies above this one.
  val highest: t
  -- | No number of the type lies below this one.
  val lowest: t

  -- | All elements added; zero if there are none.
  val sum [n]: [n]t -> t
  -- | All elements multiplied; one if there are none.
  val product [n]: [n]t -> t
  -- | The largest element; `lowest` if there is none.
  val maximum [n]: [n]t -> t
  -- | The smallest element; `highest` if there is none.
  val minimum [n]: [n]t -> t
}

-- | Integers, which have bits besides.
module type integral = {
  include numeric

  -- | The quotient, rounded towards zero.
  val (//): t -> t -> t
  -- | What `//` leaves; it has the sign of the dividend.
  val (%%): t -> t -> t

  -- | A bit is set where both have it set.
  val (&): t -> t -> t
  -- | A bit is set where at least one has it set.
  val (|): t -> t -> t
  -- | A bit is set where exactly one has it set.
  val (^): t -> t -> t
  -- | Every bit turned over.
  val not: t -> t

  -- | Bits moved up, zeroes following.
  val (<<): t -> t -> t
  -- | Bits moved down; a signed number keeps its sign.
  val (>>): t -> t -> t
  -- | Bits moved down, zeroes following, whatever the sign.
  val (>>>): t -> t -> t

  -- | How many bits the type has.
  val num_bits: i32
  -- | The bit at a place, counted from the least significant one.
  val get_bit: i32 -> t -> i32
  -- | The number with the bit at a place replaced by 0 or 1.
  val set_bit: i32 -> t -> i32 -> t

  -- | How many bits are set.
  val popc: t -> i32
  -- | The upper half of the product, which has twice the width.
  val mul_hi: (x: t) -> (y: t) -> t
  -- | `mul_hi` of the first two arguments, plus the third.
  val mad_hi: (a: t) -> (b: t) -> (c: t) -> t
  -- | How many zeroes stand above the most significant set bit.
  val clz: t -> i32
  -- | How many zeroes stand below the least significant set bit.
  val ctz: t -> i32
}

-- | Approximations of the real numbers.
module type real = {
  include numeric

  -- | One divided by the number.
  val recip: t -> t
  -- | The quotient of two integers.
  val from_fraction: i64 -> i64 -> t
  val to_i64: t -> i64
  val to_f64: t -> f64

  val sqrt: t -> t
  -- | The reciprocal of the square root.
  val rsqrt: t -> t
  val cbrt: t -> t
  val exp: t -> t

  val sin: t -> t
  val cos: t -> t
  val tan: t -> t
  -- | The sine of so many half turns; `cospi` and `tanpi` likewise.
  val sinpi: t -> t
  val cospi: t -> t
  val tanpi: t -> t
  val asin: t -> t
  val acos: t -> t
  val atan: t -> t
  -- | The angle in half turns whose sine is given; `acospi` and `atanpi` likewise.
  val asinpi: t -> t
  val acospi: t -> t
  val atanpi: t -> t
  val sinh: t -> t
  val cosh: t -> t
  val tanh: t -> t
  val asinh: t -> t
  val acosh: t -> t
  val atanh: t -> t
  -- | The angle of the point whose ordinate comes first and whose abscissa comes second.
  val atan2: t -> t -> t
  -- | The same angle in half turns.
  val atan2pi: t -> t -> t
  -- | How far a point with these two coordinates is from the origin.
  val hypot: t -> t -> t

  -- | Euler's gamma function.
  val gamma: t -> t
  -- | The natural logarithm of the magnitude of the gamma function.
  val lgamma: t -> t
  -- | The error function.
  val erf: t -> t
  -- | One less the error function.
  val erfc: t -> t
  -- | The point between the first two arguments at the fraction that the third argument is.
  val lerp: t -> t -> t -> t

  -- | The natural logarithm; `log2` and `log10` have other bases.
  val log: t -> t
  val log2: t -> t
  val log10: t -> t
  -- | The natural logarithm of one more than the argument, exact also near zero.
  val log1p: t -> t

  -- | The next integer above.
  val ceil: t -> t
  -- | The next integer below.
  val floor: t -> t
  -- | The next integer towards zero.
  val trunc: t -> t
  -- | The nearest integer; of two that are as near, the even one.
  val round: t -> t

  -- | `a * b + c`, rounded once or twice.
  val mad: (a: t) -> (b: t) -> (c: t) -> t
  -- | `a * b + c`, rounded once.
  val fma: (a: t) -> (b: t) -> (c: t) -> t

  val isinf: t -> bool
  val isnan: t -> bool
  val inf: t
  val nan: t
  val pi: t
  val e: t
}

-- | Real numbers in the formats of IEEE 754. A conversion to an integer drops the fraction; one of an infinity or of
-- what is not a number becomes zero.
module type float = {
  include real

  -- | The natural numbers with as many bits.
  type int_t

  -- | The number that a pattern of bits stands for.
  val from_bits: int_t -> t
  -- | The pattern of bits that stands for a number.
  val to_bits: t -> int_t
  val num_bits: i32
  -- | A bit of the representation, counted from the least significant one.
  val get_bit: i32 -> t -> i32
  -- | The number with a bit of its representation replaced.
  val set_bit: i32 -> t -> i32 -> t

  -- | How far the next number above 1 lies from it.
  val epsilon: t
  -- | The neighbour of `x` on the side of `y`.
  val nextafter: (x: t) -> (y: t) -> t
  -- | The number times a power of two.
  val ldexp: t -> i32 -> t
  -- | The magnitude of `x` with the sign of `y`.
  val copysign: (x: t) -> (y: t) -> t
}

-- | Truth values: a number is false exactly if it is zero.
module bool: (from_prim with t = bool) = {
  type t = bool

  def i8 (x: i8): bool = intrinsics.i8_to_bool x
  def i16 (x: i16): bool = intrinsics.i16_to_bool x
  def i32 (x: i32): bool = intrinsics.i32_to_bool x
  def i64 (x: i64): bool = intrinsics.i64_to_bool x
  def u8 (x: u8): bool = intrinsics.u8_to_bool x
  def u16 (x: u16): bool = intrinsics.u16_to_bool x
  def u32 (x: u32): bool = intrinsics.u32_to_bool x
  def u64 (x: u64): bool = intrinsics.u64_to_bool x
  def f16 (x: f16): bool = intrinsics.f16_to_bool x
  def f32 (x: f32): bool = intrinsics.f32_to_bool x
  def f64 (x: f64): bool = intrinsics.f64_to_bool x
  def bool (x: bool): bool = x
}
