-- Arrays that do not fill vectors: the points that are left, in kernels of words and of smaller elements, and reductions by one
-- workgroup and by several.

-- ==
-- entry: twice_f32
-- input { [3.0f32] } output { [7.0f32] }
-- input { [3.0f32, 10.0f32] } output { [7.0f32, 21.0f32] }
-- input { [3.0f32, 10.0f32, 17.0f32, 24.0f32] } output { [7.0f32, 21.0f32, 35.0f32, 49.0f32] }
-- input { [3.0f32, 10.0f32, 17.0f32, 24.0f32, 31.0f32] } output { [7.0f32, 21.0f32, 35.0f32, 49.0f32, 63.0f32] }
-- input { [3.0f32, 10.0f32, 17.0f32, 24.0f32, 31.0f32, 38.0f32, 45.0f32] } output { [7.0f32, 21.0f32, 35.0f32, 49.0f32, 63.0f32, 77.0f32, 91.0f32] }
-- input { [3.0f32, 10.0f32, 17.0f32, 24.0f32, 31.0f32, 38.0f32, 45.0f32, 2.0f32, 9.0f32] } output { [7.0f32, 21.0f32, 35.0f32, 49.0f32, 63.0f32, 77.0f32, 91.0f32, 5.0f32, 19.0f32] }
-- input { [3.0f32, 10.0f32, 17.0f32, 24.0f32, 31.0f32, 38.0f32, 45.0f32, 2.0f32, 9.0f32, 16.0f32, 23.0f32, 30.0f32, 37.0f32, 44.0f32, 1.0f32, 8.0f32, 15.0f32] } output { [7.0f32, 21.0f32, 35.0f32, 49.0f32, 63.0f32, 77.0f32, 91.0f32, 5.0f32, 19.0f32, 33.0f32, 47.0f32, 61.0f32, 75.0f32, 89.0f32, 3.0f32, 17.0f32, 31.0f32] }

entry twice_f32 (xs: []f32) : []f32 = map (\x -> 2 * x + 1) xs

-- ==
-- entry: twice_i64
-- input { [3i64] } output { [7i64] }
-- input { [3i64, 10i64] } output { [7i64, 21i64] }
-- input { [3i64, 10i64, 17i64, 24i64] } output { [7i64, 21i64, 35i64, 49i64] }
-- input { [3i64, 10i64, 17i64, 24i64, 31i64] } output { [7i64, 21i64, 35i64, 49i64, 63i64] }
-- input { [3i64, 10i64, 17i64, 24i64, 31i64, 38i64, 45i64] } output { [7i64, 21i64, 35i64, 49i64, 63i64, 77i64, 91i64] }
-- input { [3i64, 10i64, 17i64, 24i64, 31i64, 38i64, 45i64, 2i64, 9i64] } output { [7i64, 21i64, 35i64, 49i64, 63i64, 77i64, 91i64, 5i64, 19i64] }
-- input { [3i64, 10i64, 17i64, 24i64, 31i64, 38i64, 45i64, 2i64, 9i64, 16i64, 23i64, 30i64, 37i64, 44i64, 1i64, 8i64, 15i64] } output { [7i64, 21i64, 35i64, 49i64, 63i64, 77i64, 91i64, 5i64, 19i64, 33i64, 47i64, 61i64, 75i64, 89i64, 3i64, 17i64, 31i64] }

entry twice_i64 (xs: []i64) : []i64 = map (\x -> 2 * x + 1) xs

-- ==
-- entry: twice_u8
-- input { [3u8] } output { [7u8] }
-- input { [3u8, 10u8] } output { [7u8, 21u8] }
-- input { [3u8, 10u8, 17u8, 24u8] } output { [7u8, 21u8, 35u8, 49u8] }
-- input { [3u8, 10u8, 17u8, 24u8, 31u8] } output { [7u8, 21u8, 35u8, 49u8, 63u8] }
-- input { [3u8, 10u8, 17u8, 24u8, 31u8, 38u8, 45u8] } output { [7u8, 21u8, 35u8, 49u8, 63u8, 77u8, 91u8] }
-- input { [3u8, 10u8, 17u8, 24u8, 31u8, 38u8, 45u8, 2u8, 9u8] } output { [7u8, 21u8, 35u8, 49u8, 63u8, 77u8, 91u8, 5u8, 19u8] }
-- input { [3u8, 10u8, 17u8, 24u8, 31u8, 38u8, 45u8, 2u8, 9u8, 16u8, 23u8, 30u8, 37u8, 44u8, 1u8, 8u8, 15u8] } output { [7u8, 21u8, 35u8, 49u8, 63u8, 77u8, 91u8, 5u8, 19u8, 33u8, 47u8, 61u8, 75u8, 89u8, 3u8, 17u8, 31u8] }

entry twice_u8 (xs: []u8) : []u8 = map (\x -> 2 * x + 1) xs

-- ==
-- entry: twice_i16
-- input { [3i16] } output { [7i16] }
-- input { [3i16, 10i16] } output { [7i16, 21i16] }
-- input { [3i16, 10i16, 17i16, 24i16] } output { [7i16, 21i16, 35i16, 49i16] }
-- input { [3i16, 10i16, 17i16, 24i16, 31i16] } output { [7i16, 21i16, 35i16, 49i16, 63i16] }
-- input { [3i16, 10i16, 17i16, 24i16, 31i16, 38i16, 45i16] } output { [7i16, 21i16, 35i16, 49i16, 63i16, 77i16, 91i16] }
-- input { [3i16, 10i16, 17i16, 24i16, 31i16, 38i16, 45i16, 2i16, 9i16] } output { [7i16, 21i16, 35i16, 49i16, 63i16, 77i16, 91i16, 5i16, 19i16] }
-- input { [3i16, 10i16, 17i16, 24i16, 31i16, 38i16, 45i16, 2i16, 9i16, 16i16, 23i16, 30i16, 37i16, 44i16, 1i16, 8i16, 15i16] } output { [7i16, 21i16, 35i16, 49i16, 63i16, 77i16, 91i16, 5i16, 19i16, 33i16, 47i16, 61i16, 75i16, 89i16, 3i16, 17i16, 31i16] }

entry twice_i16 (xs: []i16) : []i16 = map (\x -> 2 * x + 1) xs

-- ==
-- entry: narrowed
-- input { [3i32] } output { [4u8] }
-- input { [3i32, 10i32, 17i32] } output { [4u8, 11u8, 18u8] }
-- input { [3i32, 10i32, 17i32, 24i32] } output { [4u8, 11u8, 18u8, 25u8] }
-- input { [3i32, 10i32, 17i32, 24i32, 31i32] } output { [4u8, 11u8, 18u8, 25u8, 32u8] }
-- input { [3i32, 10i32, 17i32, 24i32, 31i32, 38i32, 45i32, 2i32, 9i32, 16i32, 23i32, 30i32, 37i32, 44i32, 1i32, 8i32] } output { [4u8, 11u8, 18u8, 25u8, 32u8, 39u8, 46u8, 3u8, 10u8, 17u8, 24u8, 31u8, 38u8, 45u8, 2u8, 9u8] }
-- input { [3i32, 10i32, 17i32, 24i32, 31i32, 38i32, 45i32, 2i32, 9i32, 16i32, 23i32, 30i32, 37i32, 44i32, 1i32, 8i32, 15i32, 22i32, 29i32] } output { [4u8, 11u8, 18u8, 25u8, 32u8, 39u8, 46u8, 3u8, 10u8, 17u8, 24u8, 31u8, 38u8, 45u8, 2u8, 9u8, 16u8, 23u8, 30u8] }

entry narrowed (xs: []i32) : []u8 = map (\x -> u8.i32 x + 1) xs

-- ==
-- entry: sums
-- input { 0i64 } output { 0i32 -2147483648i32 }
-- input { 1i64 } output { 0i32 0i32 }
-- input { 3i64 } output { 3i32 2i32 }
-- input { 1023i64 } output { 47938i32 96i32 }
-- input { 1024i64 } output { 47991i32 96i32 }
-- input { 1025i64 } output { 48045i32 96i32 }
-- input { 2049i64 } output { 97842i32 96i32 }
-- input { 5000i64 } output { 238834i32 96i32 }

entry sums (n: i64) : (i32, i32) =
  let xs = map (\i -> i32.i64 (i % 97)) (iota n)
  in (i32.sum xs, i32.maximum xs)
