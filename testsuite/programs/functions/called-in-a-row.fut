-- Calls of one large function in a row, which kernels of GPUs do in a loop.
-- ==
-- input { [1i32, -2i32, 300i32, 2147483647i32] }
-- output { [1999438827i32, -1693656212i32, -53300662i32, -1436243511i32] [-1950219201i32, -1224059160i32, 2014243038i32, -1384535779i32] [479072117i32, 1217787752i32, 1431092674i32, -21530201i32] }

#[noinline]
def mix (x: i32) (y: i32) : (i32, i32) =
  let t0 = (x ^ (y + 0)) * 3
  let t1 = (t0 ^ (y + 7)) * 5
  let t2 = (t1 ^ (y + 14)) * 7
  let t3 = (t2 ^ (y + 21)) * 9
  let t4 = (t3 ^ (y + 28)) * 11
  let t5 = (t4 ^ (y + 35)) * 3
  let t6 = (t5 ^ (y + 42)) * 5
  let t7 = (t6 ^ (y + 49)) * 7
  let t8 = (t7 ^ (y + 56)) * 9
  let t9 = (t8 ^ (y + 63)) * 11
  let t10 = (t9 ^ (y + 70)) * 3
  let t11 = (t10 ^ (y + 77)) * 5
  let t12 = (t11 ^ (y + 84)) * 7
  let t13 = (t12 ^ (y + 91)) * 9
  let t14 = (t13 ^ (y + 98)) * 11
  let t15 = (t14 ^ (y + 105)) * 3
  let t16 = (t15 ^ (y + 112)) * 5
  let t17 = (t16 ^ (y + 119)) * 7
  let t18 = (t17 ^ (y + 126)) * 9
  let t19 = (t18 ^ (y + 133)) * 11
  let t20 = (t19 ^ (y + 140)) * 3
  let t21 = (t20 ^ (y + 147)) * 5
  let t22 = (t21 ^ (y + 154)) * 7
  let t23 = (t22 ^ (y + 161)) * 9
  let t24 = (t23 ^ (y + 168)) * 11
  let t25 = (t24 ^ (y + 175)) * 3
  let t26 = (t25 ^ (y + 182)) * 5
  let t27 = (t26 ^ (y + 189)) * 7
  let t28 = (t27 ^ (y + 196)) * 9
  let t29 = (t28 ^ (y + 203)) * 11
  let t30 = (t29 ^ (y + 210)) * 3
  let t31 = (t30 ^ (y + 217)) * 5
  let t32 = (t31 ^ (y + 224)) * 7
  let t33 = (t32 ^ (y + 231)) * 9
  let t34 = (t33 ^ (y + 238)) * 11
  let t35 = (t34 ^ (y + 245)) * 3
  in (t35, x - y)

def chain (x: i32) : i32 =
  let a = (mix x x).0
  let b = (mix a a).0
  in (mix b x).0

def both (x: i32) : i32 =
  let (a, b) = mix x 5
  let (c, d) = mix a b
  let (e, f) = mix c x
  in e ^ f + 0 * d

-- What the first call computes is needed later, too.
def kept (x: i32) : i32 =
  let (a, _) = mix x 1
  let (b, c) = mix a 2
  in a + b + c

entry main (xs: []i32) : ([]i32, []i32, []i32) =
  (map chain xs, map both xs, map kept xs)
