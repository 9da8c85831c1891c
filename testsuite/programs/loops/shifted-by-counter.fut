-- Constants shifted by the counter of a loop, further than they have bits.
-- ==
-- input { [5i32, -7i32, 2147483647i32, 123456i32] [5i64, -7i64, 9223372036854775807i64, 123456789012i64] }
-- output { [474012i32, 1845311791i32, -1374156097i32, 1607666388i32] [-4i64, 7242106696238898455i64, 8413900540021652043i64, 4011956100774i64] [0u32, 2102493056u32, 4249976704u32, 4062118400u32] [1313i16, 30145i16, -12699i16, 29940i16] }
entry main (xs: []i32) (ys: []i64) : ([]i32, []i64, []u32, []i16) =
  ( map (\x -> loop a = 0 for i < 40 do if (x & (1 << i)) == (1 << i) then a * 3 + i else a ^ (5 << i)) xs
  , map (\y -> loop a = 0i64 for i < 70i64 do if (y & (1 << i)) != 0 then a * 3 + i else a + (3 << i)) ys
  , map (\x -> loop a = 0u32 for i < 33i64 do a * 7 ^ (u32.i32 x & (0x80 << u32.i64 i))) xs
  , map (\x -> loop a = 0i16 for i < 300 do a * 7 ^ (i16.i32 x & (3 << i16.i32 i)) + i16.i8 (1 << i8.i32 i)) xs
  )
