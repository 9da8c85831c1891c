-- | Making arrays, taking them apart and changing their shape.

-- | How many elements an array has, of its outermost dimension.
def length [n] 't (_: [n]t): i64 = n

-- | Whether an array has no elements.
def null [n] 't (_: [n]t): bool = n == 0

-- | The element at the front.
#[inline]
def head [n] 't (xs: [n]t): t = xs[0]

-- | The element at the end.
#[inline]
def last [n] 't (xs: [n]t): t = xs[n - 1]

-- | All but the element at the front.
#[inline]
def tail [n] 't (xs: [n]t): [n - 1]t = xs[1:]

-- | All but the element at the end.
#[inline]
def init [n] 't (xs: [n]t): [n - 1]t = xs[:n - 1]

-- | The first `k` elements.
#[inline]
def take [n] 't (k: i64) (xs: [n]t): [k]t = xs[:k]

-- | What follows the first `k` elements.
#[inline]
def drop [n] 't (k: i64) (xs: [n]t): [n - k]t = xs[k:]

-- | The array with its size written otherwise; it is an error if the two differ in value.
#[inline]
def sized [m] 't (n: i64) (xs: [m]t): [n]t = xs :> [n]t

-- | Cuts an array in two; the type says where.
#[inline]
def split [n] [m] 't (xs: [n + m]t): ([n]t, [m]t) = (xs[:n], xs[n:n + m] :> [m]t)

-- | The elements from the last to the first.
#[inline]
def reverse [n] 't (xs: [n]t): [n]t = xs[::-1]

-- | One array behind the other. It is associative, but sizes differ, so it is no operator for `reduce`.
#[inline]
def (++) [n] [m] 't (xs: [n]t) (ys: [m]t): *[n + m]t = intrinsics.concat xs ys

-- | `++` as a function.
#[inline]
def concat [n] [m] 't (xs: [n]t) (ys: [m]t): *[n + m]t = intrinsics.concat xs ys

-- | The integers from 0 up to but not including `n`.
#[inline]
def iota (n: i64): *[n]i64 = 0..1..<n

-- | The indices of an array's elements.
#[inline]
def indices [n] 't (_: [n]t): *[n]i64 = 0..1..<n

-- | Moves each element `r` places towards the front, those that fall off coming in at the end; a negative `r` moves
-- towards the end.
#[inline]
def rotate [n] 't (r: i64) (xs: [n]t): [n]t =
  intrinsics.map (\(i: i64) -> #[unsafe] xs[(i + r) % n]) (0..1..<n)

-- | `n` times the same element.
#[inline]
def replicate 't (n: i64) (x: t): *[n]t = intrinsics.replicate n x

-- | As often the same element as the context asks.
#[inline]
def rep 't [n] (x: t): *[n]t = intrinsics.replicate n x

-- | The same value in memory of its own.
#[inline]
def copy 't (x: t): *t = ([x])[0]

-- | The same value in memory of its own, there in row-major order, which helps where the order that the compiler has
-- chosen does not suit.
#[inline]
def manifest 't (x: t): *t = intrinsics.manifest x

-- | Lays the rows of a matrix one behind the other.
#[inline]
def flatten [n] [m] 't (xss: [n][m]t): [n * m]t = intrinsics.flatten xss

-- | `flatten` for three dimensions.
#[inline]
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t): [n * m * l]t =
  intrinsics.flatten (intrinsics.flatten xs)

-- | `flatten` for four dimensions.
#[inline]
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t): [n * m * l * k]t =
  intrinsics.flatten (intrinsics.flatten (intrinsics.flatten xs))

-- | Cuts an array into the rows of a matrix.
#[inline]
def unflatten 't [n] [m] (xs: [n * m]t): [n][m]t = intrinsics.unflatten xs

-- | `unflatten` to three dimensions.
#[inline]
def unflatten_3d 't [n] [m] [l] (xs: [n * m * l]t): [n][m][l]t = unflatten (unflatten xs)

-- | `unflatten` to four dimensions.
#[inline]
def unflatten_4d 't [n] [m] [l] [k] (xs: [n * m * l * k]t): [n][m][l][k]t = unflatten (unflatten_3d xs)

-- | Makes rows of columns.
#[inline]
def transpose [n] [m] 't (xss: [n][m]t): [m][n]t = intrinsics.transpose xss

-- | Whether all elements are true.
def and [n] (xs: [n]bool): bool = intrinsics.reduce (\(x: bool) (y: bool) -> x && y) true xs

-- | Whether at least one element is true.
def or [n] (xs: [n]bool): bool = intrinsics.reduce (\(x: bool) (y: bool) -> x || y) false xs

-- | Goes through an array from the front, one element after the other, with an accumulator.
def foldl [n] 'a 'b (f: a -> b -> a) (start: a) (xs: [n]b): a =
  loop acc = start for x in xs do f acc x

-- | Goes through an array from the end, one element after the other, with an accumulator.
def foldr [n] 'a 'b (f: b -> a -> a) (start: a) (xs: [n]b): a =
  loop acc = start for x in xs[::-1] do f x acc

-- | The array whose element at each index is the function's result there.
def tabulate 'a (n: i64) (f: i64 -> a): *[n]a = intrinsics.map f (0..1..<n)

-- | `tabulate` with two dimensions.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a): *[n][m]a =
  intrinsics.map (\(i: i64) -> tabulate m (f i)) (0..1..<n)

-- | `tabulate` with three dimensions.
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a): *[n][m][o]a =
  intrinsics.map (\(i: i64) -> tabulate_2d m o (f i)) (0..1..<n)
