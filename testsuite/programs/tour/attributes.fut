-- Attributes and comments for documentation change no meaning; those that nobody knows are ignored.
-- ==
-- entry: main
-- input { [1, 2, 3] } output { 12 }

-- | Doubles a number.
#[inline]
def double (x: i32) = x * 2

#[noinline]
def total (xs: []i32) = #[sequential] i32.sum xs

entry main (xs: []i32) =
  let ys = #[unroll] #[nobody_knows(this, 1)] map double xs
  in #[unsafe] total (#[opaque] ys)
