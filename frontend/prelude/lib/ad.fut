-- | Derivatives, found by the compiler from the program.
--
-- A differentiable function from some numbers to some numbers has at each point a best linear approximation: a matrix
-- with a row for each number of the result and a column for each number of the argument. Nothing here makes the whole
-- matrix. The forward functions multiply it by a vector of the argument's shape, a direction in which the argument
-- moves; the reverse ones multiply a vector of the result's shape, how much each part of the result matters, by it. The
-- number of directions needed decides which is cheaper. Numbers may be anywhere inside the values, in arrays, tuples
-- and records. Functions may be nested for higher derivatives. Which constructor a value of a sum type has, and which
-- branch is taken, counts as constant.

-- | The value of `f` at `x`, and its derivative there in the direction `dx`.
def jvp2 'a 'b (f: a -> b) (x: a) (dx: a): (b, b) = intrinsics.jvp2 f x dx

-- | The value of `f` at `x`, and how sensitive to each part of `x` is the result, its parts weighed by `dy`.
def vjp2 'a 'b (f: a -> b) (x: a) (dy: b): (b, a) = intrinsics.vjp2 f x dy

-- | `jvp2` for several directions at once; the value is computed once.
def jmp2 'a 'b [n] (f: a -> b) (x: a) (dxs: [n]a): (b, [n]b) = intrinsics.jmp2 f x dxs

-- | `vjp2` for several weights at once; the value is computed once.
def mjp2 'a 'b [n] (f: a -> b) (x: a) (dys: [n]b): (b, [n]a) = intrinsics.mjp2 f x dys

-- | The derivative of `f` at `x` in the direction `dx`.
def jvp 'a 'b (f: a -> b) (x: a) (dx: a): b =
  let (_, dy) = intrinsics.jvp2 f x dx in dy

-- | The sensitivity of `f`, its result weighed by `dy`, to each part of `x`.
def vjp 'a 'b (f: a -> b) (x: a) (dy: b): a =
  let (_, dx) = intrinsics.vjp2 f x dy in dx

-- | `jvp` for several directions at once.
def jmp 'a 'b [n] (f: a -> b) (x: a) (dxs: [n]a): [n]b =
  let (_, dys) = intrinsics.jmp2 f x dxs in dys

-- | `vjp` for several weights at once.
def mjp 'a 'b [n] (f: a -> b) (x: a) (dys: [n]b): [n]a =
  let (_, dxs) = intrinsics.mjp2 f x dys in dxs

-- | `f x`, with a derivative of the programmer's own: in reverse mode `f'` is given the result and the sensitivity to
-- it, in this order, and returns the sensitivity to `x`. Variables that `f` uses besides its argument count as
-- constant.
def with_vjp 'a 'b (f: a -> b) (f': (res: b) -> (adj: b) -> a) (x: a): b = intrinsics.with_vjp f f' x

-- | `with_vjp` for functions that keep something for their derivative: `f` returns it in front of the result proper,
-- and `f'` is given it in front of the sensitivity.
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (f': (c, b) -> a) (x: a): b =
  let (_, y) = intrinsics.with_vjp f (\(kept: c, _: b) (_: c, adj: b) -> f' (kept, adj)) x
  in y
