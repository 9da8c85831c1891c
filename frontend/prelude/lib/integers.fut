-- Made by gen from its templates: edit those, and run `go generate`.

-- | The 8-bit integers in two's complement. Arithmetic wraps around.
module i8: (integral with t = i8) = {
  type t = i8

  def sum [n] (xs: [n]i8): i8 = intrinsics.reduce (\(x: i8) (y: i8) -> x + y) 0 xs
  def product [n] (xs: [n]i8): i8 = intrinsics.reduce (\(x: i8) (y: i8) -> x * y) 1 xs
  def maximum [n] (xs: [n]i8): i8 = intrinsics.reduce (\x y -> intrinsics.max_i8 x y) (!127) xs
  def minimum [n] (xs: [n]i8): i8 = intrinsics.reduce (\x y -> intrinsics.min_i8 x y) 127 xs

  def num_bits: i32 = 8
  def get_bit (i: i32) (x: i8): i32 =
    intrinsics.i8_to_i32 ((x >> intrinsics.i32_to_i8 i) & 1)
  def set_bit (i: i32) (x: i8) (b: i32): i8 =
    let place = intrinsics.i32_to_i8 i
    in (x & !(1 << place)) | (intrinsics.i32_to_i8 b << place)
  def popc (x: i8): i32 = intrinsics.popc_i8 x
  def clz (x: i8): i32 = intrinsics.clz_i8 x
  def ctz (x: i8): i32 = intrinsics.ctz_i8 x
  def mul_hi (x: i8) (y: i8): i8 = intrinsics.mul_hi_i8 x y
  def mad_hi (a: i8) (b: i8) (c: i8): i8 = intrinsics.mad_hi_i8 a b c

  def highest: i8 = 127
  def lowest: i8 = (!127)

  def to_i32 (x: i8): i32 = intrinsics.i8_to_i32 x
  def to_i64 (x: i8): i64 = intrinsics.i8_to_i64 x

  def neg (x: i8): i8 = -x
  def not (x: i8): i8 = !x
  def abs (x: i8): i8 = intrinsics.abs_i8 x
  def sgn (x: i8): i8 = intrinsics.sgn_i8 x
  def max (x: i8) (y: i8): i8 = intrinsics.max_i8 x y
  def min (x: i8) (y: i8): i8 = intrinsics.min_i8 x y

  def i8 (x: i8): i8 = intrinsics.i8_to_i8 x
  def i16 (x: i16): i8 = intrinsics.i16_to_i8 x
  def i32 (x: i32): i8 = intrinsics.i32_to_i8 x
  def i64 (x: i64): i8 = intrinsics.i64_to_i8 x
  def u8 (x: u8): i8 = intrinsics.u8_to_i8 x
  def u16 (x: u16): i8 = intrinsics.u16_to_i8 x
  def u32 (x: u32): i8 = intrinsics.u32_to_i8 x
  def u64 (x: u64): i8 = intrinsics.u64_to_i8 x
  def f16 (x: f16): i8 = intrinsics.f16_to_i8 x
  def f32 (x: f32): i8 = intrinsics.f32_to_i8 x
  def f64 (x: f64): i8 = intrinsics.f64_to_i8 x
  def bool (x: bool): i8 = intrinsics.bool_to_i8 x

  def (//) (x: i8) (y: i8): i8 = intrinsics.quot_i8 x y
  def (%%) (x: i8) (y: i8): i8 = intrinsics.rem_i8 x y
  def (&) (x: i8) (y: i8): i8 = intrinsics.and_i8 x y
  def (|) (x: i8) (y: i8): i8 = intrinsics.or_i8 x y
  def (^) (x: i8) (y: i8): i8 = intrinsics.xor_i8 x y
  def (<<) (x: i8) (y: i8): i8 = intrinsics.shl_i8 x y
  def (>>) (x: i8) (y: i8): i8 = intrinsics.shr_i8 x y
  def (>>>) (x: i8) (y: i8): i8 = intrinsics.ushr_i8 x y

  def (+) (x: i8) (y: i8): i8 = intrinsics.add_i8 x y
  def (-) (x: i8) (y: i8): i8 = intrinsics.sub_i8 x y
  def (*) (x: i8) (y: i8): i8 = intrinsics.mul_i8 x y
  def (/) (x: i8) (y: i8): i8 = intrinsics.div_i8 x y
  def (%) (x: i8) (y: i8): i8 = intrinsics.mod_i8 x y
  def (**) (x: i8) (y: i8): i8 = intrinsics.pow_i8 x y

  def (==) (x: i8) (y: i8): bool = intrinsics.eq_i8 x y
  def (!=) (x: i8) (y: i8): bool = intrinsics.ne_i8 x y
  def (<) (x: i8) (y: i8): bool = intrinsics.lt_i8 x y
  def (<=) (x: i8) (y: i8): bool = intrinsics.le_i8 x y
  def (>) (x: i8) (y: i8): bool = intrinsics.gt_i8 x y
  def (>=) (x: i8) (y: i8): bool = intrinsics.ge_i8 x y
}

-- | The 16-bit integers in two's complement. Arithmetic wraps around.
module i16: (integral with t = i16) = {
  type t = i16

  def sum [n] (xs: [n]i16): i16 = intrinsics.reduce (\(x: i16) (y: i16) -> x + y) 0 xs
  def product [n] (xs: [n]i16): i16 = intrinsics.reduce (\(x: i16) (y: i16) -> x * y) 1 xs
  def maximum [n] (xs: [n]i16): i16 = intrinsics.reduce (\x y -> intrinsics.max_i16 x y) (!32767) xs
  def minimum [n] (xs: [n]i16): i16 = intrinsics.reduce (\x y -> intrinsics.min_i16 x y) 32767 xs

  def num_bits: i32 = 16
  def get_bit (i: i32) (x: i16): i32 =
    intrinsics.i16_to_i32 ((x >> intrinsics.i32_to_i16 i) & 1)
  def set_bit (i: i32) (x: i16) (b: i32): i16 =
    let place = intrinsics.i32_to_i16 i
    in (x & !(1 << place)) | (intrinsics.i32_to_i16 b << place)
  def popc (x: i16): i32 = intrinsics.popc_i16 x
  def clz (x: i16): i32 = intrinsics.clz_i16 x
  def ctz (x: i16): i32 = intrinsics.ctz_i16 x
  def mul_hi (x: i16) (y: i16): i16 = intrinsics.mul_hi_i16 x y
  def mad_hi (a: i16) (b: i16) (c: i16): i16 = intrinsics.mad_hi_i16 a b c

  def highest: i16 = 32767
  def lowest: i16 = (!32767)

  def to_i32 (x: i16): i32 = intrinsics.i16_to_i32 x
  def to_i64 (x: i16): i64 = intrinsics.i16_to_i64 x

  def neg (x: i16): i16 = -x
  def not (x: i16): i16 = !x
  def abs (x: i16): i16 = intrinsics.abs_i16 x
  def sgn (x: i16): i16 = intrinsics.sgn_i16 x
  def max (x: i16) (y: i16): i16 = intrinsics.max_i16 x y
  def min (x: i16) (y: i16): i16 = intrinsics.min_i16 x y

  def i8 (x: i8): i16 = intrinsics.i8_to_i16 x
  def i16 (x: i16): i16 = intrinsics.i16_to_i16 x
  def i32 (x: i32): i16 = intrinsics.i32_to_i16 x
  def i64 (x: i64): i16 = intrinsics.i64_to_i16 x
  def u8 (x: u8): i16 = intrinsics.u8_to_i16 x
  def u16 (x: u16): i16 = intrinsics.u16_to_i16 x
  def u32 (x: u32): i16 = intrinsics.u32_to_i16 x
  def u64 (x: u64): i16 = intrinsics.u64_to_i16 x
  def f16 (x: f16): i16 = intrinsics.f16_to_i16 x
  def f32 (x: f32): i16 = intrinsics.f32_to_i16 x
  def f64 (x: f64): i16 = intrinsics.f64_to_i16 x
  def bool (x: bool): i16 = intrinsics.bool_to_i16 x

  def (//) (x: i16) (y: i16): i16 = intrinsics.quot_i16 x y
  def (%%) (x: i16) (y: i16): i16 = intrinsics.rem_i16 x y
  def (&) (x: i16) (y: i16): i16 = intrinsics.and_i16 x y
  def (|) (x: i16) (y: i16): i16 = intrinsics.or_i16 x y
  def (^) (x: i16) (y: i16): i16 = intrinsics.xor_i16 x y
  def (<<) (x: i16) (y: i16): i16 = intrinsics.shl_i16 x y
  def (>>) (x: i16) (y: i16): i16 = intrinsics.shr_i16 x y
  def (>>>) (x: i16) (y: i16): i16 = intrinsics.ushr_i16 x y

  def (+) (x: i16) (y: i16): i16 = intrinsics.add_i16 x y
  def (-) (x: i16) (y: i16): i16 = intrinsics.sub_i16 x y
  def (*) (x: i16) (y: i16): i16 = intrinsics.mul_i16 x y
  def (/) (x: i16) (y: i16): i16 = intrinsics.div_i16 x y
  def (%) (x: i16) (y: i16): i16 = intrinsics.mod_i16 x y
  def (**) (x: i16) (y: i16): i16 = intrinsics.pow_i16 x y

  def (==) (x: i16) (y: i16): bool = intrinsics.eq_i16 x y
  def (!=) (x: i16) (y: i16): bool = intrinsics.ne_i16 x y
  def (<) (x: i16) (y: i16): bool = intrinsics.lt_i16 x y
  def (<=) (x: i16) (y: i16): bool = intrinsics.le_i16 x y
  def (>) (x: i16) (y: i16): bool = intrinsics.gt_i16 x y
  def (>=) (x: i16) (y: i16): bool = intrinsics.ge_i16 x y
}

-- | The 32-bit integers in two's complement. Arithmetic wraps around.
module i32: (integral with t = i32) = {
  type t = i32

  def sum [n] (xs: [n]i32): i32 = intrinsics.reduce (\(x: i32) (y: i32) -> x + y) 0 xs
  def product [n] (xs: [n]i32): i32 = intrinsics.reduce (\(x: i32) (y: i32) -> x * y) 1 xs
  def maximum [n] (xs: [n]i32): i32 = intrinsics.reduce (\x y -> intrinsics.max_i32 x y) (!2147483647) xs
  def minimum [n] (xs: [n]i32): i32 = intrinsics.reduce (\x y -> intrinsics.min_i32 x y) 2147483647 xs

  def num_bits: i32 = 32
  def get_bit (i: i32) (x: i32): i32 =
    intrinsics.i32_to_i32 ((x >> intrinsics.i32_to_i32 i) & 1)
  def set_bit (i: i32) (x: i32) (b: i32): i32 =
    let place = intrinsics.i32_to_i32 i
    in (x & !(1 << place)) | (intrinsics.i32_to_i32 b << place)
  def popc (x: i32): i32 = intrinsics.popc_i32 x
  def clz (x: i32): i32 = intrinsics.clz_i32 x
  def ctz (x: i32): i32 = intrinsics.ctz_i32 x
  def mul_hi (x: i32) (y: i32): i32 = intrinsics.mul_hi_i32 x y
  def mad_hi (a: i32) (b: i32) (c: i32): i32 = intrinsics.mad_hi_i32 a b c

  def highest: i32 = 2147483647
  def lowest: i32 = (!2147483647)

  def to_i32 (x: i32): i32 = intrinsics.i32_to_i32 x
  def to_i64 (x: i32): i64 = intrinsics.i32_to_i64 x

  def neg (x: i32): i32 = -x
  def not (x: i32): i32 = !x
  def abs (x: i32): i32 = intrinsics.abs_i32 x
  def sgn (x: i32): i32 = intrinsics.sgn_i32 x
  def max (x: i32) (y: i32): i32 = intrinsics.max_i32 x y
  def min (x: i32) (y: i32): i32 = intrinsics.min_i32 x y

  def i8 (x: i8): i32 = intrinsics.i8_to_i32 x
  def i16 (x: i16): i32 = intrinsics.i16_to_i32 x
  def i32 (x: i32): i32 = intrinsics.i32_to_i32 x
  def i64 (x: i64): i32 = intrinsics.i64_to_i32 x
  def u8 (x: u8): i32 = intrinsics.u8_to_i32 x
  def u16 (x: u16): i32 = intrinsics.u16_to_i32 x
  def u32 (x: u32): i32 = intrinsics.u32_to_i32 x
  def u64 (x: u64): i32 = intrinsics.u64_to_i32 x
  def f16 (x: f16): i32 = intrinsics.f16_to_i32 x
  def f32 (x: f32): i32 = intrinsics.f32_to_i32 x
  def f64 (x: f64): i32 = intrinsics.f64_to_i32 x
  def bool (x: bool): i32 = intrinsics.bool_to_i32 x

  def (//) (x: i32) (y: i32): i32 = intrinsics.quot_i32 x y
  def (%%) (x: i32) (y: i32): i32 = intrinsics.rem_i32 x y
  def (&) (x: i32) (y: i32): i32 = intrinsics.and_i32 x y
  def (|) (x: i32) (y: i32): i32 = intrinsics.or_i32 x y
  def (^) (x: i32) (y: i32): i32 = intrinsics.xor_i32 x y
  def (<<) (x: i32) (y: i32): i32 = intrinsics.shl_i32 x y
  def (>>) (x: i32) (y: i32): i32 = intrinsics.shr_i32 x y
  def (>>>) (x: i32) (y: i32): i32 = intrinsics.ushr_i32 x y

  def (+) (x: i32) (y: i32): i32 = intrinsics.add_i32 x y
  def (-) (x: i32) (y: i32): i32 = intrinsics.sub_i32 x y
  def (*) (x: i32) (y: i32): i32 = intrinsics.mul_i32 x y
  def (/) (x: i32) (y: i32): i32 = intrinsics.div_i32 x y
  def (%) (x: i32) (y: i32): i32 = intrinsics.mod_i32 x y
  def (**) (x: i32) (y: i32): i32 = intrinsics.pow_i32 x y

  def (==) (x: i32) (y: i32): bool = intrinsics.eq_i32 x y
  def (!=) (x: i32) (y: i32): bool = intrinsics.ne_i32 x y
  def (<) (x: i32) (y: i32): bool = intrinsics.lt_i32 x y
  def (<=) (x: i32) (y: i32): bool = intrinsics.le_i32 x y
  def (>) (x: i32) (y: i32): bool = intrinsics.gt_i32 x y
  def (>=) (x: i32) (y: i32): bool = intrinsics.ge_i32 x y
}

-- | The 64-bit integers in two's complement. Arithmetic wraps around.
module i64: (integral with t = i64) = {
  type t = i64

  def sum [n] (xs: [n]i64): i64 = intrinsics.reduce (\(x: i64) (y: i64) -> x + y) 0 xs
  def product [n] (xs: [n]i64): i64 = intrinsics.reduce (\(x: i64) (y: i64) -> x * y) 1 xs
  def maximum [n] (xs: [n]i64): i64 = intrinsics.reduce (\x y -> intrinsics.max_i64 x y) (!9223372036854775807) xs
  def minimum [n] (xs: [n]i64): i64 = intrinsics.reduce (\x y -> intrinsics.min_i64 x y) 9223372036854775807 xs

  def num_bits: i32 = 64
  def get_bit (i: i32) (x: i64): i32 =
    intrinsics.i64_to_i32 ((x >> intrinsics.i32_to_i64 i) & 1)
  def set_bit (i: i32) (x: i64) (b: i32): i64 =
    let place = intrinsics.i32_to_i64 i
    in (x & !(1 << place)) | (intrinsics.i32_to_i64 b << place)
  def popc (x: i64): i32 = intrinsics.popc_i64 x
  def clz (x: i64): i32 = intrinsics.clz_i64 x
  def ctz (x: i64): i32 = intrinsics.ctz_i64 x
  def mul_hi (x: i64) (y: i64): i64 = intrinsics.mul_hi_i64 x y
  def mad_hi (a: i64) (b: i64) (c: i64): i64 = intrinsics.mad_hi_i64 a b c

  def highest: i64 = 9223372036854775807
  def lowest: i64 = (!9223372036854775807)

  def to_i32 (x: i64): i32 = intrinsics.i64_to_i32 x
  def to_i64 (x: i64): i64 = intrinsics.i64_to_i64 x

  def neg (x: i64): i64 = -x
  def not (x: i64): i64 = !x
  def abs (x: i64): i64 = intrinsics.abs_i64 x
  def sgn (x: i64): i64 = intrinsics.sgn_i64 x
  def max (x: i64) (y: i64): i64 = intrinsics.max_i64 x y
  def min (x: i64) (y: i64): i64 = intrinsics.min_i64 x y

  def i8 (x: i8): i64 = intrinsics.i8_to_i64 x
  def i16 (x: i16): i64 = intrinsics.i16_to_i64 x
  def i32 (x: i32): i64 = intrinsics.i32_to_i64 x
  def i64 (x: i64): i64 = intrinsics.i64_to_i64 x
  def u8 (x: u8): i64 = intrinsics.u8_to_i64 x
  def u16 (x: u16): i64 = intrinsics.u16_to_i64 x
  def u32 (x: u32): i64 = intrinsics.u32_to_i64 x
  def u64 (x: u64): i64 = intrinsics.u64_to_i64 x
  def f16 (x: f16): i64 = intrinsics.f16_to_i64 x
  def f32 (x: f32): i64 = intrinsics.f32_to_i64 x
  def f64 (x: f64): i64 = intrinsics.f64_to_i64 x
  def bool (x: bool): i64 = intrinsics.bool_to_i64 x

  def (//) (x: i64) (y: i64): i64 = intrinsics.quot_i64 x y
  def (%%) (x: i64) (y: i64): i64 = intrinsics.rem_i64 x y
  def (&) (x: i64) (y: i64): i64 = intrinsics.and_i64 x y
  def (|) (x: i64) (y: i64): i64 = intrinsics.or_i64 x y
  def (^) (x: i64) (y: i64): i64 = intrinsics.xor_i64 x y
  def (<<) (x: i64) (y: i64): i64 = intrinsics.shl_i64 x y
  def (>>) (x: i64) (y: i64): i64 = intrinsics.shr_i64 x y
  def (>>>) (x: i64) (y: i64): i64 = intrinsics.ushr_i64 x y

  def (+) (x: i64) (y: i64): i64 = intrinsics.add_i64 x y
  def (-) (x: i64) (y: i64): i64 = intrinsics.sub_i64 x y
  def (*) (x: i64) (y: i64): i64 = intrinsics.mul_i64 x y
  def (/) (x: i64) (y: i64): i64 = intrinsics.div_i64 x y
  def (%) (x: i64) (y: i64): i64 = intrinsics.mod_i64 x y
  def (**) (x: i64) (y: i64): i64 = intrinsics.pow_i64 x y

  def (==) (x: i64) (y: i64): bool = intrinsics.eq_i64 x y
  def (!=) (x: i64) (y: i64): bool = intrinsics.ne_i64 x y
  def (<) (x: i64) (y: i64): bool = intrinsics.lt_i64 x y
  def (<=) (x: i64) (y: i64): bool = intrinsics.le_i64 x y
  def (>) (x: i64) (y: i64): bool = intrinsics.gt_i64 x y
  def (>=) (x: i64) (y: i64): bool = intrinsics.ge_i64 x y
}

-- | The natural numbers below 2 to the 8. Arithmetic wraps around.
module u8: (integral with t = u8) = {
  type t = u8

  def sum [n] (xs: [n]u8): u8 = intrinsics.reduce (\(x: u8) (y: u8) -> x + y) 0 xs
  def product [n] (xs: [n]u8): u8 = intrinsics.reduce (\(x: u8) (y: u8) -> x * y) 1 xs
  def maximum [n] (xs: [n]u8): u8 = intrinsics.reduce (\x y -> intrinsics.max_u8 x y) 0 xs
  def minimum [n] (xs: [n]u8): u8 = intrinsics.reduce (\x y -> intrinsics.min_u8 x y) 255 xs

  def num_bits: i32 = 8
  def get_bit (i: i32) (x: u8): i32 =
    intrinsics.u8_to_i32 ((x >> intrinsics.i32_to_u8 i) & 1)
  def set_bit (i: i32) (x: u8) (b: i32): u8 =
    let place = intrinsics.i32_to_u8 i
    in (x & !(1 << place)) | (intrinsics.i32_to_u8 b << place)
  def popc (x: u8): i32 = intrinsics.popc_u8 x
  def clz (x: u8): i32 = intrinsics.clz_u8 x
  def ctz (x: u8): i32 = intrinsics.ctz_u8 x
  def mul_hi (x: u8) (y: u8): u8 = intrinsics.mul_hi_u8 x y
  def mad_hi (a: u8) (b: u8) (c: u8): u8 = intrinsics.mad_hi_u8 a b c

  def highest: u8 = 255
  def lowest: u8 = 0

  def to_i32 (x: u8): i32 = intrinsics.u8_to_i32 x
  def to_i64 (x: u8): i64 = intrinsics.u8_to_i64 x

  def neg (x: u8): u8 = -x
  def not (x: u8): u8 = !x
  def abs (x: u8): u8 = intrinsics.abs_u8 x
  def sgn (x: u8): u8 = intrinsics.sgn_u8 x
  def max (x: u8) (y: u8): u8 = intrinsics.max_u8 x y
  def min (x: u8) (y: u8): u8 = intrinsics.min_u8 x y

  def i8 (x: i8): u8 = intrinsics.i8_to_u8 x
  def i16 (x: i16): u8 = intrinsics.i16_to_u8 x
  def i32 (x: i32): u8 = intrinsics.i32_to_u8 x
  def i64 (x: i64): u8 = intrinsics.i64_to_u8 x
  def u8 (x: u8): u8 = intrinsics.u8_to_u8 x
  def u16 (x: u16): u8 = intrinsics.u16_to_u8 x
  def u32 (x: u32): u8 = intrinsics.u32_to_u8 x
  def u64 (x: u64): u8 = intrinsics.u64_to_u8 x
  def f16 (x: f16): u8 = intrinsics.f16_to_u8 x
  def f32 (x: f32): u8 = intrinsics.f32_to_u8 x
  def f64 (x: f64): u8 = intrinsics.f64_to_u8 x
  def bool (x: bool): u8 = intrinsics.bool_to_u8 x

  def (//) (x: u8) (y: u8): u8 = intrinsics.quot_u8 x y
  def (%%) (x: u8) (y: u8): u8 = intrinsics.rem_u8 x y
  def (&) (x: u8) (y: u8): u8 = intrinsics.and_u8 x y
  def (|) (x: u8) (y: u8): u8 = intrinsics.or_u8 x y
  def (^) (x: u8) (y: u8): u8 = intrinsics.xor_u8 x y
  def (<<) (x: u8) (y: u8): u8 = intrinsics.shl_u8 x y
  def (>>) (x: u8) (y: u8): u8 = intrinsics.shr_u8 x y
  def (>>>) (x: u8) (y: u8): u8 = intrinsics.ushr_u8 x y

  def (+) (x: u8) (y: u8): u8 = intrinsics.add_u8 x y
  def (-) (x: u8) (y: u8): u8 = intrinsics.sub_u8 x y
  def (*) (x: u8) (y: u8): u8 = intrinsics.mul_u8 x y
  def (/) (x: u8) (y: u8): u8 = intrinsics.div_u8 x y
  def (%) (x: u8) (y: u8): u8 = intrinsics.mod_u8 x y
  def (**) (x: u8) (y: u8): u8 = intrinsics.pow_u8 x y

  def (==) (x: u8) (y: u8): bool = intrinsics.eq_u8 x y
  def (!=) (x: u8) (y: u8): bool = intrinsics.ne_u8 x y
  def (<) (x: u8) (y: u8): bool = intrinsics.lt_u8 x y
  def (<=) (x: u8) (y: u8): bool = intrinsics.le_u8 x y
  def (>) (x: u8) (y: u8): bool = intrinsics.gt_u8 x y
  def (>=) (x: u8) (y: u8): bool = intrinsics.ge_u8 x y
}

-- | The natural numbers below 2 to the 16. Arithmetic wraps around.
module u16: (integral with t = u16) = {
  type t = u16

  def sum [n] (xs: [n]u16): u16 = intrinsics.reduce (\(x: u16) (y: u16) -> x + y) 0 xs
  def product [n] (xs: [n]u16): u16 = intrinsics.reduce (\(x: u16) (y: u16) -> x * y) 1 xs
  def maximum [n] (xs: [n]u16): u16 = intrinsics.reduce (\x y -> intrinsics.max_u16 x y) 0 xs
  def minimum [n] (xs: [n]u16): u16 = intrinsics.reduce (\x y -> intrinsics.min_u16 x y) 65535 xs

  def num_bits: i32 = 16
  def get_bit (i: i32) (x: u16): i32 =
    intrinsics.u16_to_i32 ((x >> intrinsics.i32_to_u16 i) & 1)
  def set_bit (i: i32) (x: u16) (b: i32): u16 =
    let place = intrinsics.i32_to_u16 i
    in (x & !(1 << place)) | (intrinsics.i32_to_u16 b << place)
  def popc (x: u16): i32 = intrinsics.popc_u16 x
  def clz (x: u16): i32 = intrinsics.clz_u16 x
  def ctz (x: u16): i32 = intrinsics.ctz_u16 x
  def mul_hi (x: u16) (y: u16): u16 = intrinsics.mul_hi_u16 x y
  def mad_hi (a: u16) (b: u16) (c: u16): u16 = intrinsics.mad_hi_u16 a b c

  def highest: u16 = 65535
  def lowest: u16 = 0

  def to_i32 (x: u16): i32 = intrinsics.u16_to_i32 x
  def to_i64 (x: u16): i64 = intrinsics.u16_to_i64 x

  def neg (x: u16): u16 = -x
  def not (x: u16): u16 = !x
  def abs (x: u16): u16 = intrinsics.abs_u16 x
  def sgn (x: u16): u16 = intrinsics.sgn_u16 x
  def max (x: u16) (y: u16): u16 = intrinsics.max_u16 x y
  def min (x: u16) (y: u16): u16 = intrinsics.min_u16 x y

  def i8 (x: i8): u16 = intrinsics.u8_to_u16 (intrinsics.i8_to_u8 x)
  def i16 (x: i16): u16 = intrinsics.i16_to_u16 x
  def i32 (x: i32): u16 = intrinsics.u32_to_u16 (intrinsics.i32_to_u32 x)
  def i64 (x: i64): u16 = intrinsics.u64_to_u16 (intrinsics.i64_to_u64 x)
  def u8 (x: u8): u16 = intrinsics.u8_to_u16 x
  def u16 (x: u16): u16 = intrinsics.u16_to_u16 x
  def u32 (x: u32): u16 = intrinsics.u32_to_u16 x
  def u64 (x: u64): u16 = intrinsics.u64_to_u16 x
  def f16 (x: f16): u16 = intrinsics.f16_to_u16 x
  def f32 (x: f32): u16 = intrinsics.f32_to_u16 x
  def f64 (x: f64): u16 = intrinsics.f64_to_u16 x
  def bool (x: bool): u16 = intrinsics.bool_to_u16 x

  def (//) (x: u16) (y: u16): u16 = intrinsics.quot_u16 x y
  def (%%) (x: u16) (y: u16): u16 = intrinsics.rem_u16 x y
  def (&) (x: u16) (y: u16): u16 = intrinsics.and_u16 x y
  def (|) (x: u16) (y: u16): u16 = intrinsics.or_u16 x y
  def (^) (x: u16) (y: u16): u16 = intrinsics.xor_u16 x y
  def (<<) (x: u16) (y: u16): u16 = intrinsics.shl_u16 x y
  def (>>) (x: u16) (y: u16): u16 = intrinsics.shr_u16 x y
  def (>>>) (x: u16) (y: u16): u16 = intrinsics.ushr_u16 x y

  def (+) (x: u16) (y: u16): u16 = intrinsics.add_u16 x y
  def (-) (x: u16) (y: u16): u16 = intrinsics.sub_u16 x y
  def (*) (x: u16) (y: u16): u16 = intrinsics.mul_u16 x y
  def (/) (x: u16) (y: u16): u16 = intrinsics.div_u16 x y
  def (%) (x: u16) (y: u16): u16 = intrinsics.mod_u16 x y
  def (**) (x: u16) (y: u16): u16 = intrinsics.pow_u16 x y

  def (==) (x: u16) (y: u16): bool = intrinsics.eq_u16 x y
  def (!=) (x: u16) (y: u16): bool = intrinsics.ne_u16 x y
  def (<) (x: u16) (y: u16): bool = intrinsics.lt_u16 x y
  def (<=) (x: u16) (y: u16): bool = intrinsics.le_u16 x y
  def (>) (x: u16) (y: u16): bool = intrinsics.gt_u16 x y
  def (>=) (x: u16) (y: u16): bool = intrinsics.ge_u16 x y
}

-- | The natural numbers below 2 to the 32. Arithmetic wraps around.
module u32: (integral with t = u32) = {
  type t = u32

  def sum [n] (xs: [n]u32): u32 = intrinsics.reduce (\(x: u32) (y: u32) -> x + y) 0 xs
  def product [n] (xs: [n]u32): u32 = intrinsics.reduce (\(x: u32) (y: u32) -> x * y) 1 xs
  def maximum [n] (xs: [n]u32): u32 = intrinsics.reduce (\x y -> intrinsics.max_u32 x y) 0 xs
  def minimum [n] (xs: [n]u32): u32 = intrinsics.reduce (\x y -> intrinsics.min_u32 x y) 4294967295 xs

  def num_bits: i32 = 32
  def get_bit (i: i32) (x: u32): i32 =
    intrinsics.u32_to_i32 ((x >> intrinsics.i32_to_u32 i) & 1)
  def set_bit (i: i32) (x: u32) (b: i32): u32 =
    let place = intrinsics.i32_to_u32 i
    in (x & !(1 << place)) | (intrinsics.i32_to_u32 b << place)
  def popc (x: u32): i32 = intrinsics.popc_u32 x
  def clz (x: u32): i32 = intrinsics.clz_u32 x
  def ctz (x: u32): i32 = intrinsics.ctz_u32 x
  def mul_hi (x: u32) (y: u32): u32 = intrinsics.mul_hi_u32 x y
  def mad_hi (a: u32) (b: u32) (c: u32): u32 = intrinsics.mad_hi_u32 a b c

  def highest: u32 = 4294967295
  def lowest: u32 = 0

  def to_i32 (x: u32): i32 = intrinsics.u32_to_i32 x
  def to_i64 (x: u32): i64 = intrinsics.u32_to_i64 x

  def neg (x: u32): u32 = -x
  def not (x: u32): u32 = !x
  def abs (x: u32): u32 = intrinsics.abs_u32 x
  def sgn (x: u32): u32 = intrinsics.sgn_u32 x
  def max (x: u32) (y: u32): u32 = intrinsics.max_u32 x y
  def min (x: u32) (y: u32): u32 = intrinsics.min_u32 x y

  def i8 (x: i8): u32 = intrinsics.u8_to_u32 (intrinsics.i8_to_u8 x)
  def i16 (x: i16): u32 = intrinsics.u16_to_u32 (intrinsics.i16_to_u16 x)
  def i32 (x: i32): u32 = intrinsics.i32_to_u32 x
  def i64 (x: i64): u32 = intrinsics.u64_to_u32 (intrinsics.i64_to_u64 x)
  def u8 (x: u8): u32 = intrinsics.u8_to_u32 x
  def u16 (x: u16): u32 = intrinsics.u16_to_u32 x
  def u32 (x: u32): u32 = intrinsics.u32_to_u32 x
  def u64 (x: u64): u32 = intrinsics.u64_to_u32 x
  def f16 (x: f16): u32 = intrinsics.f16_to_u32 x
  def f32 (x: f32): u32 = intrinsics.f32_to_u32 x
  def f64 (x: f64): u32 = intrinsics.f64_to_u32 x
  def bool (x: bool): u32 = intrinsics.bool_to_u32 x

  def (//) (x: u32) (y: u32): u32 = intrinsics.quot_u32 x y
  def (%%) (x: u32) (y: u32): u32 = intrinsics.rem_u32 x y
  def (&) (x: u32) (y: u32): u32 = intrinsics.and_u32 x y
  def (|) (x: u32) (y: u32): u32 = intrinsics.or_u32 x y
  def (^) (x: u32) (y: u32): u32 = intrinsics.xor_u32 x y
  def (<<) (x: u32) (y: u32): u32 = intrinsics.shl_u32 x y
  def (>>) (x: u32) (y: u32): u32 = intrinsics.shr_u32 x y
  def (>>>) (x: u32) (y: u32): u32 = intrinsics.ushr_u32 x y

  def (+) (x: u32) (y: u32): u32 = intrinsics.add_u32 x y
  def (-) (x: u32) (y: u32): u32 = intrinsics.sub_u32 x y
  def (*) (x: u32) (y: u32): u32 = intrinsics.mul_u32 x y
  def (/) (x: u32) (y: u32): u32 = intrinsics.div_u32 x y
  def (%) (x: u32) (y: u32): u32 = intrinsics.mod_u32 x y
  def (**) (x: u32) (y: u32): u32 = intrinsics.pow_u32 x y

  def (==) (x: u32) (y: u32): bool = intrinsics.eq_u32 x y
  def (!=) (x: u32) (y: u32): bool = intrinsics.ne_u32 x y
  def (<) (x: u32) (y: u32): bool = intrinsics.lt_u32 x y
  def (<=) (x: u32) (y: u32): bool = intrinsics.le_u32 x y
  def (>) (x: u32) (y: u32): bool = intrinsics.gt_u32 x y
  def (>=) (x: u32) (y: u32): bool = intrinsics.ge_u32 x y
}

-- | The natural numbers below 2 to the 64. Arithmetic wraps around.
module u64: (integral with t = u64) = {
  type t = u64

  def sum [n] (xs: [n]u64): u64 = intrinsics.reduce (\(x: u64) (y: u64) -> x + y) 0 xs
  def product [n] (xs: [n]u64): u64 = intrinsics.reduce (\(x: u64) (y: u64) -> x * y) 1 xs
  def maximum [n] (xs: [n]u64): u64 = intrinsics.reduce (\x y -> intrinsics.max_u64 x y) 0 xs
  def minimum [n] (xs: [n]u64): u64 = intrinsics.reduce (\x y -> intrinsics.min_u64 x y) 18446744073709551615 xs

  def num_bits: i32 = 64
  def get_bit (i: i32) (x: u64): i32 =
    intrinsics.u64_to_i32 ((x >> intrinsics.i32_to_u64 i) & 1)
  def set_bit (i: i32) (x: u64) (b: i32): u64 =
    let place = intrinsics.i32_to_u64 i
    in (x & !(1 << place)) | (intrinsics.i32_to_u64 b << place)
  def popc (x: u64): i32 = intrinsics.popc_u64 x
  def clz (x: u64): i32 = intrinsics.clz_u64 x
  def ctz (x: u64): i32 = intrinsics.ctz_u64 x
  def mul_hi (x: u64) (y: u64): u64 = intrinsics.mul_hi_u64 x y
  def mad_hi (a: u64) (b: u64) (c: u64): u64 = intrinsics.mad_hi_u64 a b c

  def highest: u64 = 18446744073709551615
  def lowest: u64 = 0

  def to_i32 (x: u64): i32 = intrinsics.u64_to_i32 x
  def to_i64 (x: u64): i64 = intrinsics.u64_to_i64 x

  def neg (x: u64): u64 = -x
  def not (x: u64): u64 = !x
  def abs (x: u64): u64 = intrinsics.abs_u64 x
  def sgn (x: u64): u64 = intrinsics.sgn_u64 x
  def max (x: u64) (y: u64): u64 = intrinsics.max_u64 x y
  def min (x: u64) (y: u64): u64 = intrinsics.min_u64 x y

  def i8 (x: i8): u64 = intrinsics.u8_to_u64 (intrinsics.i8_to_u8 x)
  def i16 (x: i16): u64 = intrinsics.u16_to_u64 (intrinsics.i16_to_u16 x)
  def i32 (x: i32): u64 = intrinsics.u32_to_u64 (intrinsics.i32_to_u32 x)
  def i64 (x: i64): u64 = intrinsics.i64_to_u64 x
  def u8 (x: u8): u64 = intrinsics.u8_to_u64 x
  def u16 (x: u16): u64 = intrinsics.u16_to_u64 x
  def u32 (x: u32): u64 = intrinsics.u32_to_u64 x
  def u64 (x: u64): u64 = intrinsics.u64_to_u64 x
  def f16 (x: f16): u64 = intrinsics.f16_to_u64 x
  def f32 (x: f32): u64 = intrinsics.f32_to_u64 x
  def f64 (x: f64): u64 = intrinsics.f64_to_u64 x
  def bool (x: bool): u64 = intrinsics.bool_to_u64 x

  def (//) (x: u64) (y: u64): u64 = intrinsics.quot_u64 x y
  def (%%) (x: u64) (y: u64): u64 = intrinsics.rem_u64 x y
  def (&) (x: u64) (y: u64): u64 = intrinsics.and_u64 x y
  def (|) (x: u64) (y: u64): u64 = intrinsics.or_u64 x y
  def (^) (x: u64) (y: u64): u64 = intrinsics.xor_u64 x y
  def (<<) (x: u64) (y: u64): u64 = intrinsics.shl_u64 x y
  def (>>) (x: u64) (y: u64): u64 = intrinsics.shr_u64 x y
  def (>>>) (x: u64) (y: u64): u64 = intrinsics.ushr_u64 x y

  def (+) (x: u64) (y: u64): u64 = intrinsics.add_u64 x y
  def (-) (x: u64) (y: u64): u64 = intrinsics.sub_u64 x y
  def (*) (x: u64) (y: u64): u64 = intrinsics.mul_u64 x y
  def (/) (x: u64) (y: u64): u64 = intrinsics.div_u64 x y
  def (%) (x: u64) (y: u64): u64 = intrinsics.mod_u64 x y
  def (**) (x: u64) (y: u64): u64 = intrinsics.pow_u64 x y

  def (==) (x: u64) (y: u64): bool = intrinsics.eq_u64 x y
  def (!=) (x: u64) (y: u64): bool = intrinsics.ne_u64 x y
  def (<) (x: u64) (y: u64): bool = intrinsics.lt_u64 x y
  def (<=) (x: u64) (y: u64): bool = intrinsics.le_u64 x y
  def (>) (x: u64) (y: u64): bool = intrinsics.gt_u64 x y
  def (>=) (x: u64) (y: u64): bool = intrinsics.ge_u64 x y
}
