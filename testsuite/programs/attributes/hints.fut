-- Attributes do not change what is computed.
-- ==
-- input { [1, 2, 3] }
-- output { [2, 4, 6] 6 }

#[inline]
def double (x: i32) = x * 2
#[noinline]
def same (x: i32) = x
def main [n] (xs: [n]i32) : ([n]i32, i32) =
  (#[sequential] map double xs, #[unsafe] #[sequential_inner] i32.sum (map same xs))
