-- | Operations on whole arrays that take functions. They are what the compiler makes parallel; nearly every other
-- parallel function is built of them.
--
-- Where an operator is said to be associative, `(x op y) op z` must equal `x op (y op z)`; where commutative, `x op y`
-- must equal `y op x` as well. A neutral element `ne` has `ne op x`, `x op ne` and `x` all equal. If the operator's
-- results are arrays, they have the size of the neutral element. Work is the number of steps that one processor would
-- take, span that which remains with any number of processors; where the function given costs something, both are
-- multiplied by that.

-- | Applies a function to each element. Work: n; span: 1.
def map 'a [n] 'x (f: a -> x) (as: [n]a): *[n]x = intrinsics.map f as

-- | Another name for `map`.
def map1 'a [n] 'x (f: a -> x) (as: [n]a): *[n]x = intrinsics.map f as

-- | Applies a function to the elements at the same place of two arrays.
def map2 'a 'b [n] 'x (f: a -> b -> x) (as: [n]a) (bs: [n]b): *[n]x =
  intrinsics.map (\(a: a, b: b) -> f a b) (intrinsics.zip as bs)

-- | `map2` with three arrays.
def map3 'a 'b 'c [n] 'x (f: a -> b -> c -> x) (as: [n]a) (bs: [n]b) (cs: [n]c): *[n]x =
  intrinsics.map (\(a: a, (b: b, c: c)) -> f a b c) (intrinsics.zip as (intrinsics.zip bs cs))

-- | `map2` with four arrays.
def map4 'a 'b 'c 'd [n] 'x (f: a -> b -> c -> d -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d): *[n]x =
  intrinsics.map (\((a: a, b: b), (c: c, d: d)) -> f a b c d)
                 (intrinsics.zip (intrinsics.zip as bs) (intrinsics.zip cs ds))

-- | `map2` with five arrays.
def map5 'a 'b 'c 'd 'e [n] 'x (f: a -> b -> c -> d -> e -> x)
         (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e): *[n]x =
  intrinsics.map (\(a: a, ((b: b, c: c), (d: d, e: e))) -> f a b c d e)
                 (intrinsics.zip as (intrinsics.zip (intrinsics.zip bs cs) (intrinsics.zip ds es)))

-- | Combines all elements with an associative operator that has `ne` as its neutral element. Work: n; span: log n, and
-- the operator itself runs sequentially.
def reduce [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): a = intrinsics.reduce op ne as

-- | `reduce` with an operator that is commutative too, which may be faster. Of the usual operators on numbers the
-- compiler knows it by itself.
def reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): a = intrinsics.reduce_comm op ne as

-- | `reduce` of each prefix: the result at `i` combines all elements up to and including the one at `i`. Work: n; span:
-- log n.
def scan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): *[n]a = intrinsics.scan op ne as

-- | As `scan`, but without the element at `i` itself: the first element of the result is `ne`.
def exscan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): *[n]a =
  intrinsics.scatter (intrinsics.replicate n ne)
                     (intrinsics.map (\(i: i64) -> i + 1) (0..1..<n))
                     (intrinsics.scan op ne as)

-- | A histogram with `k` bins: the bin `b` combines those `as[i]` for which `is[i]` is `b`, starting from `ne`. The
-- operator is associative and commutative. Bins that do not exist are ignored. Work: k + n; span: 1 if the bins are
-- evenly used, n if all is one bin.
def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (as: [n]a): *[k]a =
  intrinsics.hist_1d 1 (intrinsics.replicate k ne) op ne is as

-- | As `hist`, but the bins start from what `dest` has in them, and only n counts for the work.
def reduce_by_index 'a [k] [n] (dest: *[k]a) (op: a -> a -> a) (ne: a) (is: [n]i64) (as: [n]a): *[k]a =
  intrinsics.hist_1d 1 dest op ne is as

-- | `reduce_by_index` for bins in two dimensions.
def reduce_by_index_2d 'a [k] [n] [m] (dest: *[k][m]a) (op: a -> a -> a) (ne: a)
                       (is: [n](i64, i64)) (as: [n]a): *[k][m]a =
  intrinsics.hist_2d 1 dest op ne is as

-- | `reduce_by_index` for bins in three dimensions.
def reduce_by_index_3d 'a [k] [n] [m] [l] (dest: *[k][m][l]a) (op: a -> a -> a) (ne: a)
                       (is: [n](i64, i64, i64)) (as: [n]a): *[k][m][l]a =
  intrinsics.hist_3d 1 dest op ne is as

-- | Whether a predicate holds for every element; it does if there are none.
def all [n] 'a (p: a -> bool) (as: [n]a): bool =
  intrinsics.reduce (\(x: bool) (y: bool) -> x && y) true (intrinsics.map p as)

-- | Whether a predicate holds for at least one element.
def any [n] 'a (p: a -> bool) (as: [n]a): bool =
  intrinsics.reduce (\(x: bool) (y: bool) -> x || y) false (intrinsics.map p as)

-- | Writes each `vs[i]` to the place `is[i]` of an array and returns it. Places outside are ignored; a place that is
-- written more than once has one of the values, and `reduce_by_index` is what combines them. Work: n; span: 1.
def scatter 't [k] [n] (dest: *[k]t) (is: [n]i64) (vs: [n]t): *[k]t = intrinsics.scatter dest is vs

-- | `scatter` into an array with two dimensions.
def scatter_2d 't [k] [n] [l] (dest: *[k][n]t) (is: [l](i64, i64)) (vs: [l]t): *[k][n]t =
  intrinsics.scatter_2d dest is vs

-- | `scatter` into an array with three dimensions.
def scatter_3d 't [k] [n] [o] [l] (dest: *[k][n][o]t) (is: [l](i64, i64, i64)) (vs: [l]t): *[k][n][o]t =
  intrinsics.scatter_3d dest is vs

-- | `scatter` into an array of `k` elements that all start as `x`.
def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t): *[k]t =
  intrinsics.scatter (intrinsics.replicate k x) is vs

-- | The elements for which the predicate holds, in their order. Work: n; span: log n.
def filter [n] 'a (p: a -> bool) (as: [n]a): *[]a =
  let keep = intrinsics.map p as
  let ones = intrinsics.map (\(b: bool) -> intrinsics.bool_to_i64 b) keep
  let upto = intrinsics.scan (\(x: i64) (y: i64) -> x + y) 0 ones
  let place = intrinsics.map (\(b: bool, k: i64) -> if b then k - 1 else -1) (intrinsics.zip keep upto)
  let m = if n == 0 then 0 else #[unsafe] upto[n - 1]
  in #[unsafe] (intrinsics.scatter (#[scratch] intrinsics.manifest as) place as)[:m]

-- | The elements for which the predicate holds, and those for which it does not, both in their order.
def partition [n] 'a (p: a -> bool) (as: [n]a): ?[k].([k]a, [n - k]a) =
  let keep = intrinsics.map p as
  let ones = intrinsics.map (\(b: bool) -> intrinsics.bool_to_i64 b) keep
  let upto = intrinsics.scan (\(x: i64) (y: i64) -> x + y) 0 ones
  -- The elements that are not kept are put behind the others in reverse, where how many are kept in all need not be known yet.
  let place =
    intrinsics.map (\(b: bool, (k: i64, i: i64)) -> if b then k - 1 else n - 1 - (i - k))
                   (intrinsics.zip keep (intrinsics.zip upto (0..1..<n)))
  let m = #[unsafe] (if n == 0 then 0 else upto[n - 1])
  let both = #[unsafe] intrinsics.scatter (#[scratch] intrinsics.manifest as) place as
  in #[unsafe] (both[:m], both[n - 1:m - 1:-1] :> [n - m]a)

-- | The elements for which `p` holds, those of the others for which `q` holds, and the rest, each in their order.
def partition2 [n] 'a (p: a -> bool) (q: a -> bool) (as: [n]a): ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let kind = intrinsics.map (\(a: a) -> if p a then (1i64, 0i64) else if q a then (0i64, 1i64) else (0i64, 0i64)) as
  let upto = intrinsics.scan (\(x0: i64, x1: i64) (y0: i64, y1: i64) -> (x0 + y0, x1 + y1)) (0i64, 0i64) kind
  let (k, l) = #[unsafe] (if n == 0 then (0i64, 0i64) else upto[n - 1])
  let place =
    intrinsics.map (\((f0: i64, f1: i64), ((u0: i64, u1: i64), i: i64)) ->
                      if f0 == 1 then u0 - 1
                      else if f1 == 1 then k + u1 - 1
                      else k + l + i - u0 - u1)
                   (intrinsics.zip kind (intrinsics.zip upto (0..1..<n)))
  let res = intrinsics.scatter (#[scratch] intrinsics.manifest as) place as
  in #[unsafe] (res[:k], res[k:k + l] :> [l]a, res[k + l:n] :> [n - k - l]a)

-- | A map whose results may differ in size, and are laid one behind the other. With the data come, in this order: the
-- size of each segment, a flag at the first element of each segment, where each segment begins, the data, and what else
-- the function returned for each element.
def flatmap [n] 'a 'b 'c (f: a -> ?[k].([k]b, c)) (as: [n]a): ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  intrinsics.flatmap f as

-- | `flatmap` of a function that returns the segment alone.
def flatmap' [n] 'a 'b (f: a -> ?[k].[k]b) (as: [n]a): ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (sizes, flags, starts, data, _) = intrinsics.flatmap (\(a: a) -> (f a, ())) as
  in (sizes, flags, starts, data)
