-- Functions that stay functions because the program says so, in kernels and on the host: of scalars, with checks, of arrays (which are put
-- into kernels), and calls that say it.

def quotient (x: i32) (y: i32) : i32 = x / y

#[noinline]
def both (x: i32) (y: f32) : (f32, i32) = (y * f32.i32 x, x + 1)

#[noinline]
def total [n] (xs: [n]i32) : i32 = i32.sum xs

-- ==
-- entry: mapped
-- input { 3 [1, 7, 9] } output { [3, 0, 0] }
-- input { 3 [1, 0, 9] } error: ivision by zero
entry mapped (y: i32) (xs: []i32) : []i32 = map (\x -> #[noinline] quotient y x) xs

-- ==
-- entry: reduced
-- input { 2 [4, 6, 9] } output { 9 }
-- input { 0 [4, 6, 9] } error: ivision by zero
entry reduced (y: i32) (xs: []i32) : i32 = i32.sum (map (\x -> #[noinline] quotient x y) xs)

-- ==
-- entry: pairs
-- input { [1, 2, 3] } output { [0.5f32, 1f32, 1.5f32] 9 }
entry pairs (xs: []i32) : ([]f32, i32) =
  let (ys, zs) = unzip (map (\x -> both x 0.5) xs) in (ys, i32.sum zs)

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [3, 7] 10 }
entry rows (xss: [][]i32) : ([]i32, i32) = (map total xss, total (flatten xss))
