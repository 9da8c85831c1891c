-- Operators whose order matters, over more elements than a block of lanes has: compositions of x -> a * x + b.
-- ==
-- entry: whole
-- input { 0i64 } output { 1u32 0u32 }
-- input { 1i64 } output { 1u32 0u32 }
-- input { 63i64 } output { 3659109119u32 3977038207u32 }
-- input { 4288i64 } output { 2785518977u32 1392759488u32 }
-- input { 4289i64 } output { 2788165377u32 1394082688u32 }
-- input { 100000i64 } output { 419492673u32 209746336u32 }
-- input { 300001i64 } output { 1948467585u32 974233792u32 }

-- ==
-- entry: rows
-- input { 1i64 } output { [0u32, 1u32, 2u32] }
-- input { 5000i64 } output { [2387998344u32, 2511283696u32, 2634569048u32] }

-- ==
-- entry: final
-- input { 1i64 } output { 0u32 }
-- input { 4289i64 } output { 1394082688u32 }
-- input { 300001i64 } output { 974233792u32 }

def after (a: u32, b: u32) (c: u32, d: u32): (u32, u32) = (a * c, c * b + d)

def step (i: i64): (u32, u32) = (u32.i64 (2 * i + 1), u32.i64 i)

entry whole (n: i64): (u32, u32) = reduce after (1, 0) (tabulate n step)

entry rows (n: i64): [3]u32 =
  tabulate 3 (\r -> (reduce after (1, 0) (tabulate n (\i -> (u32.i64 (2 * i + 1), u32.i64 (i + r))))).1)

entry final (n: i64): u32 = last (scan after (1, 0) (tabulate n step) |> map (.1))
