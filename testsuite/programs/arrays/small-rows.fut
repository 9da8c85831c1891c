-- Rows of elements that are smaller than a word: of whole words, of several, of parts of one, and beside others in a row.
-- ==
-- entry: words
-- input { [1i32, 2i32, 513i32] }
-- output { [[1u8, 0u8, 255u8, 3u8], [2u8, 0u8, 254u8, 4u8], [1u8, 2u8, 255u8, 3u8]] }

-- ==
-- entry: pairs
-- input { [1i32, 70000i32] }
-- output { [[1i16, -1i16, 2i16, 0i16, 7i16, 2i16], [4464i16, -4464i16, 4465i16, 1i16, 7i16, 4465i16]] }

-- ==
-- entry: parts
-- input { [1i32, 2i32] }
-- output { [[1u8, 2u8, 3u8], [2u8, 3u8, 4u8]] }

-- ==
-- entry: rows
-- input { [1i32, 2i32] }
-- output { [[[1u8, 2u8, 3u8, 4u8], [9u8, 1u8, 1u8, 9u8]], [[2u8, 3u8, 4u8, 5u8], [9u8, 2u8, 2u8, 9u8]]] }

-- ==
-- entry: bools
-- input { [1i32, 2i32] }
-- output { [[true, false, true, false, true, true, false, true], [false, true, true, false, false, true, true, true]] }


entry words (xs: []i32) : [][4]u8 = map (\x -> [u8.i32 x, u8.i32 (x >> 8), u8.i32 (-x), u8.i32 (x % 256 + 2)]) xs
entry pairs (xs: []i32) : [][6]i16 =
  map (\x -> [i16.i32 x, i16.i32 (-x), i16.i32 (x + 1), i16.i32 (x >> 16), 7, i16.i32 (x + 1)]) xs
entry parts (xs: []i32) : [][3]u8 = map (\x -> [u8.i32 x, u8.i32 (x + 1), u8.i32 (x + 2)]) xs
entry rows (xs: []i32) : [][2][4]u8 =
  map (\x -> [[u8.i32 x, u8.i32 (x + 1), u8.i32 (x + 2), u8.i32 (x + 3)], [9, u8.i32 x, u8.i32 x, 9]]) xs
entry bools (xs: []i32) : [][8]bool = map (\x -> [x == 1, x == 2, x > 0, x > 2, x < 2, true, x != 1, x != 3]) xs
