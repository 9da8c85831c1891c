-- | Ways to put functions together.

-- | Applies a function to a value. Chains read from left to right: `xs |> filter p |> length`.
def (|>) '^a '^b (x: a) (f: a -> b): b = f x

-- | Applies a function to its argument; what is on the right is the argument. A size born there cannot be mentioned by
-- the function's type, so `|>` fits where the argument's size is unknown.
def (<|) '^a '^b (f: a -> b) (x: a): b = f x

-- | First `f`, then `g`. The size of what `f` returns must be known, for `g` takes it.
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a): c = g (f x)

-- | First `f`, then `g`, written as mathematicians compose.
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a): c = g (f x)

-- | Makes a function take its first two arguments in the other order.
def flip '^a '^b '^c (f: a -> b -> c) (y: b) (x: a): c = f x y

-- | Makes a function of a pair take the pair's parts one after the other.
def curry '^a '^b '^c (f: (a, b) -> c) (x: a) (y: b): c = f (x, y)

-- | Makes a function of two arguments take them as a pair.
def uncurry '^a '^b '^c (f: a -> b -> c) (x: a, y: b): c = f x y

-- | The value given first, whatever comes second.
def const '^a '^b (x: a) (_: b): a = x

-- | The value that it is given.
def id '^a (x: a): a = x

-- | Applies a function to its own result, `n` times in all.
def iterate 'a (n: i32) (f: a -> a) (start: a): a =
  loop x = start for _i < n do f x

-- | Applies a function to its own result until the predicate holds, perhaps not once, perhaps for ever.
def iterate_until 'a (p: a -> bool) (f: a -> a) (start: a): a =
  loop x = start while !(p x) do f x

-- | Applies a function to its own result as long as the predicate holds, perhaps not once, perhaps for ever.
def iterate_while 'a (p: a -> bool) (f: a -> a) (start: a): a =
  loop x = start while p x do f x
