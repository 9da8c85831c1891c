-- How often each byte occurs.
-- ==
-- input { [1u8, 0u8, 1u8, 255u8, 1u8] }
-- output { [1i32, 3i32] }

-- The histogram of the bytes of a file: 256 counts.
entry histogram [n] (bytes: [n]u8) : [256]i32 =
  reduce_by_index (replicate 256 0) (+) 0 (map i64.u8 bytes) (replicate n 1)

-- The first two counts, for the test above.
entry main [n] (bytes: [n]u8) : []i32 =
  take 2 (histogram bytes)
