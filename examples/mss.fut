-- The maximum segment sum: the largest sum of consecutive elements, of none at least.
-- ==
-- input { [1, -2, 3, 4, -1, 5, -6, 1] }
-- output { 11i32 }
-- input { empty([0]i32) }
-- output { 0i32 }

-- Of a part: the best sum anywhere, at its beginning, at its end, and the sum of all. The operator is not commutative.
type part = (i32, i32, i32, i32)

def join ((best, first, last, total): part) ((best', first', last', total'): part) : part =
  ( i32.max (i32.max best best') (last + first')
  , i32.max first (total + first')
  , i32.max last' (last + total')
  , total + total'
  )

entry main (xs: []i32) : i32 =
  let one x = let p = i32.max x 0 in (p, p, p, x)
  in (reduce join (0, 0, 0, 0) (map one xs)).0
