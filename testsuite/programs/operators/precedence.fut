-- Which operator takes what, from the loosest to the tightest. Powers group to the left: (2 ** 3) ** 2 = 64. Pipes bind looser than
-- anything arithmetic: (1 + 2) * 10 = 30. Shifts bind looser than sums: 1 << (2 + 1) = 8. Bits bind looser than shifts: 1 | (2 << 1) = 5.
-- Comparisons bind looser than bits: (6 & 3) == 2. Division floors and groups to the left: (-7 / 2) / 2 = -2; // truncates: -3.
-- ==
-- entry: arithmetic
-- input { 2 } output { 64 30 8 5 true -2 -3 14 }

entry arithmetic (x: i32) =
  (x ** 3 ** 2, 1 + x |> (* 10), 1 << x + 1, 1 | x << 1, 6 & 3 == x, (0 - 7) / x / 2, (0 - 7) // x, x + 3 * 4)

-- A minus before a name belongs to the name alone: (-2) ** 2 = 4; and so does a negation: (!true) || true.
-- ==
-- entry: prefix
-- input { 2 true } output { 4 true -4 }

entry prefix (x: i32) (b: bool) = (-x ** 2, !b || b, -(x ** 2))

-- `and` binds tighter than `or`, comparisons tighter than both; neither evaluates what it does not need: the index is out of bounds.
-- ==
-- entry: logic
-- input { [5] 1i64 } output { true false }

entry logic (xs: []i32) (i: i64) = (i == 1 || xs[i] == 0 && false, i < length xs && xs[i] == 5)

-- An operator in backticks binds looser than a sum; ranges bind looser still: 1...(2 + 2).
-- ==
-- entry: named
-- input { 3 } output { 10 [1, 2, 3, 4] }

def minus (x: i32) (y: i32) = x - y

entry named (x: i32) = (10 + x `minus` 1 + 2, 1...x + 1)
