-- Entry points, definitions and parameters with names that mean something in our own code, in C, in WGSL and to servers.
-- ==
-- entry: constants constants_2 init free malloc main_0 kernel exp fmaxf float workgroup fn var array vec3 params call store restore clear rename
-- input { 3i64 }
-- output { 4i64 }

def table = opaque (iota 5)
def log = opaque 1i64
def printf (i: i64) = i + log

entry constants (i: i64) = table[i] + printf 0
entry constants_2 (i: i64) = table[i] + 1
entry init (i: i64) = i + 1
entry free (i: i64) = i + 1
entry malloc (i: i64) = last (map (+ log) (iota (i + 1)))
entry main_0 (i: i64) = i + 1
entry kernel (i: i64) = 1 + reduce (+) 0i64 (replicate i 1)
entry exp (float: i64) = float + 1
entry fmaxf (int: i64) = i64.sum (map (\register -> register * int / int) (replicate int 1)) + 1
entry float (double: i64) = double + 1
entry workgroup (i: i64) = i + 1
entry fn (i: i64) = i + 1

entry var (struct: i64) =
  i64.sum (map (\union -> let ptr = union % 2 let enum = ptr + 1 in enum + (struct - 3)) (replicate struct 0)) + 1

entry array (i: i64) = i + 1
entry vec3 (i: i64) = i + 1
entry params (i: i64) = i + 1
entry call (i: i64) = i + 1
entry store (i: i64) = i + 1
entry restore (i: i64) = i + 1
entry clear (i: i64) = i + 1
entry rename (i: i64) = i + 1
