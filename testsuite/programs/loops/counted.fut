-- Parameters of loops that grow by a constant, and the checks and branches that look at them.
-- ==
-- entry: rounds
-- input { [1i32, 2i32, 3i32] }
-- output { [204i32, 408i32, 612i32] }

-- The kind of a round is told by a number that is counted beside the loop.
entry rounds (xs: []i32) : []i32 =
  let keys = map (\i -> i32.i64 i * 2) (iota 30)
  let round (acc, kind: i32, at: i32) x =
    let k = if kind == 3 then 0 else if kind > 2 && kind < 12 then keys[at] else 1
    in (acc + k * x, kind + 1, at + 3)
  in map (\x -> let s = loop s = (x, 0, 0) for _i < 4i32 do round s x
                let s = loop (a, k, at) = (s.0, s.1, s.2 - 10) for _i < 8i32 do round (a, k, at) x
                in s.0)
         xs

-- ==
-- entry: wraps
-- input { [0i32, 1i32, 100i32, 300i32, -5i32] }
-- output { [4295295864i64, 8590328327i64, -3774077437655657834i64, 1996616349325160989i64, 4295295864i64] }
entry wraps (ns: []i32) =
  map (\n -> let (a, b, c, d, s) =
               loop (a, b, c, d, s) = (120i8, 3u8, 5i16, 1u64, 0i64) for i < n do
                 let s = s * 3 + i64.i8 a + i64.u8 b - i64.i16 c + i64.u64 d + (if a > 100 then 7 else 0) + i64.i32 i
                 in (a + 1, b - 1, c + 1, d + 1, s)
             in i64.i8 a ^ (i64.u8 b << 8) ^ (i64.i16 c << 16) ^ (i64.u64 d << 32) ^ s) ns

-- ==
-- entry: outside
-- input { [1i32, 2i32, 3i32] 3i32 }
-- output { 6i32 }
-- input { [1i32, 2i32, 3i32] 4i32 } error: out of bounds

-- A step that leaves the array is found, where the loop has a bound of its own.
entry outside (xs: []i32) (n: i32) : i32 =
  (loop (s, at) = (0, 0) for _i < n do (s + xs[at], at + 1)).0
