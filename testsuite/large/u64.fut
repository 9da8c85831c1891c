-- Arrays of u64: see ../programs/elements/elements.fut.
-- ==
-- entry: reduces scans hists scatters rows
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 31i64 } output { true }
-- input { 32i64 } output { true }
-- input { 33i64 } output { true }
-- input { 255i64 } output { true }
-- input { 256i64 } output { true }
-- input { 257i64 } output { true }
-- input { 1000000i64 } output { true }

import "../programs/elements/elements"

module t = tests {
  def of (x: i64): u64 = u64.i64 x
  open u64
  open residues
}

entry reduces (n: i64): bool = t.reduces n
entry scans (n: i64): bool = t.scans n
entry hists (n: i64): bool = t.hists n
entry scatters (n: i64): bool = t.scatters n
entry rows (n: i64): bool = t.rows n
