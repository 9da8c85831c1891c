-- Maps whose results are smaller than a word, over sizes that fill no vector. What lies behind a result in its last word stays.
-- ==
-- entry: bytes
-- input { empty([0]u8) }
-- output { empty([0]u8) }
-- input { [1u8] }
-- output { [5u8] }
-- input { [1u8, 2u8, 3u8] }
-- output { [5u8, 8u8, 11u8] }
-- input { [0u8, 1u8, 2u8, 3u8, 4u8, 5u8, 6u8, 7u8, 8u8, 9u8, 10u8, 11u8, 12u8, 13u8, 14u8, 15u8, 16u8] }
-- output { [2u8, 5u8, 8u8, 11u8, 14u8, 17u8, 20u8, 23u8, 26u8, 29u8, 32u8, 35u8, 38u8, 41u8, 44u8, 47u8, 50u8] }
-- input { [100u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 1u8, 2u8] }
-- output { [46u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 2u8, 5u8, 8u8] }

-- ==
-- entry: shorts
-- input { [-1i16] }
-- output { [-3i16] }
-- input { [1i16, -2i16, 3i16, -4i16, 5i16, -6i16, 7i16, -8i16, 9i16] }
-- output { [3i16, -6i16, 9i16, -12i16, 15i16, -18i16, 21i16, -24i16, 27i16] }
-- input { [1i16, -2i16, 3i16, -4i16, 5i16, -6i16, 7i16, -8i16, 9i16, -10i16, 11i16] }
-- output { [3i16, -6i16, 9i16, -12i16, 15i16, -18i16, 21i16, -24i16, 27i16, -30i16, 33i16] }

-- ==
-- entry: three
-- input { [1u8, 2u8, 3u8, 4u8, 5u8, 250u8, 7u8] }
-- output { [2u8, 4u8, 6u8, 8u8, 10u8, 244u8, 14u8] [3i16, 6i16, 9i16, 12i16, 15i16, 750i16, 21i16]
--          [1i32, 4i32, 9i32, 16i32, 25i32, 62500i32, 49i32] }

-- ==
-- entry: flags
-- input { [1f32, -1f32, 2f32, -2f32, 0f32, 5f32] }
-- output { [true, false, true, false, false, true] [1f16, 1f16, 2f16, 2f16, 0f16, 5f16] }

-- ==
-- entry: joined
-- input { [1u8, 2u8, 3u8, 4u8, 5u8] [10u8, 20u8, 30u8] }
-- output { [2u8, 3u8, 4u8, 5u8, 6u8, 9u8, 19u8, 29u8] }
-- input { [1u8] [10u8, 20u8, 30u8, 40u8, 50u8] }
-- output { [2u8, 9u8, 19u8, 29u8, 39u8, 49u8] }

-- ==
-- entry: front
-- input { [9u8, 9u8, 9u8, 9u8, 9u8, 8u8, 7u8, 6u8, 5u8] [1u8, 2u8, 3u8, 4u8, 5u8] }
-- output { [3u8, 6u8, 9u8, 12u8, 15u8, 8u8, 7u8, 6u8, 5u8] }

entry bytes (xs: []u8): []u8 = map (\x -> 3 * x + 2) xs

entry shorts (xs: []i16): []i16 = map (\x -> 3 * x) xs

entry three (xs: []u8): ([]u8, []i16, []i32) = unzip3 (map (\x -> (2 * x, 3 * i16.u8 x, i32.u8 x * i32.u8 x)) xs)

entry flags (xs: []f32): ([]bool, []f16) = unzip (map (\x -> (x > 0, f16.f32 (f32.abs x))) xs)

entry joined (xs: []u8) (ys: []u8): []u8 = map (+ 1) xs ++ map (\y -> y - 1) ys

entry front (zs: *[]u8) (xs: []u8): *[]u8 = zs with [0:length xs] = map (* 3) xs
