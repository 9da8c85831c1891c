-- A match of many integers, which kernels find by halves: signed and unsigned, out of order, at the ends of their types.
-- ==
-- entry: main
-- input {
--   [-2147483648i32, -61i32, 2147483647i32, -25i32, 58i32, 29i32, 9i32, -49i32, -21i32, 27i32, -20i32, -38i32]
--   [9223372036854775808u64, 18446744073709551615u64, 9223372036854775807u64, 9223372036854775809u64, 5u64, 51u64, 5u64, 40u64, 9u64, 46u64, 44u64, 19u64]
--   [247u8, 82u8, 24u8, 41u8, 207u8, 16u8, 121u8, 176u8, 128u8, 233u8, 215u8, 74u8]
-- }
-- output {
--   [75i32, 77i32, 79i32, 27i32, 77i32, 77i32, 44i32, 77i32, 77i32, 77i32, 73i32, 77i32]
--   [48i32, 32i32, 18i32, 77i32, 65i32, 77i32, 65i32, 9i32, 2i32, 77i32, 36i32, 81i32]
--   [77i32, 77i32, 77i32, 77i32, 77i32, 77i32, 77i32, 77i32, 77i32, 77i32, 16i32, 77i32]
-- }

def signed (x: i32): i32 = match x
  case 19i32 -> 0 case -28i32 -> 1 case 34i32 -> 4 case -15i32 -> 9 case 41i32 -> 16 case 28i32 -> 25 case 47i32 -> 36
  case 57i32 -> 49 case 23i32 -> 64 case 7i32 -> 81 case -57i32 -> 3 case 53i32 -> 24 case -1i32 -> 47 case 39i32 -> 72
  case -29i32 -> 2 case 51i32 -> 31 case -54i32 -> 62 case -40i32 -> 95 case -46i32 -> 33 case -13i32 -> 70 case 0i32 -> 12
  case 45i32 -> 53 case -12i32 -> 96 case 9i32 -> 44 case -47i32 -> 91 case 13i32 -> 43 case 38i32 -> 94 case -59i32 -> 50
  case -33i32 -> 8 case -8i32 -> 65 case -25i32 -> 27 case -37i32 -> 88 case -11i32 -> 54 case 42i32 -> 22 case -51i32 -> 89
  case -43i32 -> 61 case 59i32 -> 35 case 44i32 -> 11 case -4i32 -> 86 case -44i32 -> 66 case 20i32 -> 48 case -60i32 -> 32
  case 18i32 -> 18 case -34i32 -> 6 case 31i32 -> 93 case -39i32 -> 85 case 14i32 -> 79 case -23i32 -> 75 case -20i32 -> 73
  case -35i32 -> 73 case -2147483648i32 -> 75 case 2147483647i32 -> 79 case _ -> 77

def unsigned (x: u64): i32 = match x
  case 34u64 -> 0 case 56u64 -> 1 case 43u64 -> 4 case 40u64 -> 9 case 13u64 -> 16 case 11u64 -> 25 case 44u64 -> 36
  case 12u64 -> 49 case 24u64 -> 64 case 19u64 -> 81 case 1u64 -> 3 case 23u64 -> 24 case 26u64 -> 47 case 10u64 -> 72
  case 9u64 -> 2 case 16u64 -> 31 case 4u64 -> 62 case 21u64 -> 95 case 50u64 -> 33 case 38u64 -> 70 case 37u64 -> 12
  case 0u64 -> 53 case 42u64 -> 96 case 57u64 -> 44 case 41u64 -> 91 case 22u64 -> 43 case 35u64 -> 94 case 30u64 -> 50
  case 20u64 -> 8 case 5u64 -> 65 case 15u64 -> 27 case 29u64 -> 88 case 59u64 -> 54 case 32u64 -> 22 case 49u64 -> 89
  case 8u64 -> 61 case 58u64 -> 35 case 54u64 -> 11 case 52u64 -> 86 case 48u64 -> 66 case 9223372036854775808u64 -> 48
  case 18446744073709551615u64 -> 32 case 9223372036854775807u64 -> 18 case _ -> 77

def bytes (x: u8): i32 = match x
  case 214u8 -> 0 case 93u8 -> 1 case 96u8 -> 4 case 148u8 -> 9 case 215u8 -> 16 case 2u8 -> 25 case 115u8 -> 36 case 11u8 -> 49
  case 181u8 -> 64 case 46u8 -> 81 case 159u8 -> 3 case 244u8 -> 24 case 50u8 -> 47 case 30u8 -> 72 case 193u8 -> 2
  case 62u8 -> 31 case 237u8 -> 62 case 209u8 -> 95 case 118u8 -> 33 case 88u8 -> 70 case 131u8 -> 12 case 90u8 -> 53
  case 228u8 -> 96 case 134u8 -> 44 case 64u8 -> 91 case 198u8 -> 43 case 239u8 -> 94 case 27u8 -> 50 case 150u8 -> 8
  case 191u8 -> 65 case 199u8 -> 27 case 204u8 -> 88 case 94u8 -> 54 case 220u8 -> 22 case 75u8 -> 89 case 9u8 -> 61
  case 110u8 -> 35 case 23u8 -> 11 case 53u8 -> 86 case 87u8 -> 66 case 235u8 -> 48 case 156u8 -> 32 case 92u8 -> 18
  case 37u8 -> 6 case 216u8 -> 93 case _ -> 77

entry main (xs: []i32) (ys: []u64) (zs: []u8) = (map signed xs, map unsigned ys, map bytes zs)
