-- Remainders with the sign of the dividend, by constants and by numbers: not all devices have them of negative numbers.
-- ==
-- entry: by_four
-- input { [-9, -8, -5, -4, -3, -1, 0, 1, 3, 4, 7, -2147483648, 2147483647] }
-- output { [-1, 0, -1, 0, -3, -1, 0, 1, 3, 0, 3, 0, 3] }
entry by_four (xs: []i32) : []i32 = map (%% 4) xs

-- ==
-- entry: by_three
-- input { [-9, -8, -5, -4, -3, -1, 0, 1, 3, 4, 7, -2147483648, 2147483647] }
-- output { [0, -2, -2, -1, 0, -1, 0, 1, 0, 1, 1, -2, 1] }
entry by_three (xs: []i32) : []i32 = map (%% 3) xs

-- ==
-- entry: by_number
-- input { [-9, -8, -5, -4, -3, -1, 0, 1, 3, 4, 7, -2147483648, 2147483647] 4 }
-- output { [-1, 0, -1, 0, -3, -1, 0, 1, 3, 0, 3, 0, 3] }
entry by_number (xs: []i32) (m: i32) : []i32 = map (%% m) xs

-- ==
-- entry: of_bytes
-- input { [-9i8, -8i8, -5i8, -4i8, -3i8, -1i8, 0i8, 1i8, 3i8, 4i8, 7i8, -128i8, 127i8] }
-- output { [-1i8, 0i8, -1i8, 0i8, -3i8, -1i8, 0i8, 1i8, 3i8, 0i8, 3i8, 0i8, 3i8] }
entry of_bytes (xs: []i8) : []i8 = map (%% 4) xs

-- Of numbers that are places.
-- ==
-- entry: of_places
-- input { [0, 10, 20, 30, 40] 11i64 }
-- output { [98, 99, 0, 96, 97, 98, 99, 0, 10, 20, 30] }
entry of_places (xs: [5]i32) (n: i64) : []i32 =
  tabulate n (\i -> let j = (i - 7) %% 5 in if j < 0 then 100 + i32.i64 j else xs[j])
