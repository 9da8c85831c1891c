-- Maps whose results differ in size.

def upto (n: i64) : ?[k].[k]i64 = iota n

-- ==
-- entry: counted
-- input { [2i64, 0i64, 3i64] }
-- output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64] [0i64, 1i64, 0i64, 1i64, 2i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) empty([0]bool) empty([0]i64) empty([0]i64) }
entry counted (ns: []i64) = flatmap' upto ns

-- Each function returns something besides its segment.
def copies (x: i32) : ?[k].([k]i32, i32) = (replicate (i64.i32 x) (x * 10), x + 1)

-- ==
-- entry: with_rest
-- input { [3, 1] }
-- output { [30, 30, 30, 10] [4, 2] }
entry with_rest (xs: []i32) =
  let (_, _, _, data, rest) = flatmap copies xs
  in (data, rest)

-- Segments of tuples, and of rows.
def pairs (n: i64) : ?[k].[k](i64, i64) = map (\i -> (i, n)) (iota n)
def rows (n: i64) : ?[k].[k][2]i64 = map (\i -> [i, 5]) (iota n)

-- ==
-- entry: tuples
-- input { [1i64, 2i64] }
-- output { [0i64, 0i64, 1i64] [1i64, 2i64, 2i64] [[0i64, 5i64], [0i64, 5i64], [1i64, 5i64]] }
entry tuples (ns: []i64) =
  let (_, _, _, ps) = flatmap' pairs ns
  let (_, _, _, rs) = flatmap' rows ns
  let (is, js) = unzip ps
  in (is, js, rs)

-- All segments of one size that is known.
-- ==
-- entry: known
-- input { [1, 2] }
-- output { [1, -1, 2, -2] }
entry known (xs: []i32) =
  let (_, _, _, data) = flatmap' (\x -> [x, -x]) xs
  in data
