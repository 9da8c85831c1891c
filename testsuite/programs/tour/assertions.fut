-- An assertion returns its second operand, if the first is true.
-- ==
-- entry: checked
-- input { 3 } output { 3 }
-- input { -3 } error: x >= 0

-- A hole may be anywhere, as long as nobody looks.
-- ==
-- entry: unfinished
-- input { true } output { 1 }
-- input { false } error: hole

entry checked (x: i32) = assert (x >= 0) x

entry unfinished (b: bool) : i32 = if b then 1 else ???
