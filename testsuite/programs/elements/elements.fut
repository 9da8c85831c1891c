-- What is tested of each element type: reductions, scans, histograms and scatters of n elements against closed forms.
-- Files beside this one apply it to a type each.

-- | A type of elements. Small numbers are what `of` makes of them, so that sums are exact.
module type element = {
  type t
  val of: i64 -> t
  val +: t -> t -> t
  val max: t -> t -> t
  val ==: t -> t -> bool
  -- | The sum of `value i` for all i below n.
  val value: i64 -> i64
  val sum: i64 -> i64
}

-- | The residues of 7, whose sums wrap around in narrow integers as they should.
module residues = {
  def value (i: i64): i64 = i % 7
  def sum (n: i64): i64 = n / 7 * 21 + n % 7 * (n % 7 - 1) / 2
}

-- | Minus one, zero and one over and over, for types that count exactly to no large number: the sums stay small in any order that takes
-- elements a power of two apart.
module thirds = {
  def value (i: i64): i64 = i % 3 - 1
  def sum (n: i64): i64 = if n % 3 == 0 then 0 else -1
}

module tests (E: element) = {
  type t = E.t

  def all [n] (xs: [n]bool): bool = i64.sum (map (\x -> i64.bool (!x)) xs) == 0

  -- Associative and not commutative: the last element that is not zero.
  def last (a: t) (b: t): t = if b E.== E.of 0 then a else b

  def values (n: i64): [n]t = tabulate n (\i -> E.of (E.value i))

  def marks (n: i64): [n]t = tabulate n (\i -> E.of (if i % 3 == 1 then 1 else 0))

  def reduces (n: i64): bool =
    (reduce (E.+) (E.of 0) (values n) E.== E.of (E.sum n))
    && (reduce last (E.of 0) (marks n) E.== E.of (if n > 1 then 1 else 0))
    && (reduce_comm E.max (E.of 0) (marks n) E.== E.of (if n > 1 then 1 else 0))

  def scans (n: i64): bool =
    all (map2 (\i x -> x E.== E.of (E.sum (i + 1))) (iota n) (scan (E.+) (E.of 0) (values n)))
    && all (map2 (\i x -> x E.== E.of (if i > 0 then 1 else 0)) (iota n) (scan last (E.of 0) (marks n)))

  -- Element i, of which every fifth has no bin, is put into bin i % k: it is number i / k there.
  def hists (n: i64): bool =
    let bins (k: i64) =
      let is = tabulate n (\i -> if i % 5 == 0 then -1 else i % k)
      let in_bin b = if b % 5 == 0 then 0 else (n - b + k - 1) / k
      let sums = hist (E.+) (E.of 0) k is (tabulate n (\i -> E.of (E.value (i / k))))
      let most = hist E.max (E.of 0) k is (tabulate n (\i -> E.of (if i / k == 1 then 1 else 0)))
      in all (map2 (\b x -> x E.== E.of (E.sum (in_bin b))) (iota k) sums)
         && all (map2 (\b x -> x E.== E.of (if in_bin b > 1 then 1 else 0)) (iota k) most)
    in bins 5 && bins 600

  def scatters (n: i64): bool =
    let is = tabulate n (\i -> if i % 3 == 0 then -1 else n - 1 - i)
    let out = scatter (replicate n (E.of 0)) is (values n)
    in all (map2 (\j x -> let i = n - 1 - j in x E.== E.of (if i % 3 == 0 then 0 else E.value i)) (iota n) out)

  -- The same with three rows, which have kernels of their own.
  def rows (n: i64): bool =
    let xss = tabulate 3 (\r -> map (\x -> if r == 1 then E.of 0 else x) (values n))
    let sums = map (reduce (E.+) (E.of 0)) xss
    let upto = map (scan (E.+) (E.of 0)) xss
    in all (map2 (\r x -> x E.== E.of (if r == 1 then 0 else E.sum n)) (iota 3) sums)
       && all (map2 (\r xs -> all (map2 (\i x -> x E.== E.of (if r == 1 then 0 else E.sum (i + 1))) (iota n) xs)) (iota 3) upto)
}
