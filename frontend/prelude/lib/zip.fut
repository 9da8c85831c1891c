-- | Arrays of tuples from tuples of arrays, and back. The compiler represents the former as the latter, so this is
-- cheap.

-- | Pairs up elements at the same place.
def zip [n] 'a 'b (xs: [n]a) (ys: [n]b): *[n](a, b) = intrinsics.zip xs ys

-- | Another name for `zip`.
def zip2 [n] 'a 'b (xs: [n]a) (ys: [n]b): *[n](a, b) = intrinsics.zip xs ys

-- | `zip` for three arrays.
def zip3 [n] 'a 'b 'c (xs: [n]a) (ys: [n]b) (zs: [n]c): *[n](a, b, c) =
  intrinsics.map (\(x: a, (y: b, z: c)) -> (x, y, z)) (intrinsics.zip xs (intrinsics.zip ys zs))

-- | `zip` for four arrays.
def zip4 [n] 'a 'b 'c 'd (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d): *[n](a, b, c, d) =
  intrinsics.map (\((x: a, y: b), (z: c, u: d)) -> (x, y, z, u))
                 (intrinsics.zip (intrinsics.zip xs ys) (intrinsics.zip zs us))

-- | `zip` for five arrays.
def zip5 [n] 'a 'b 'c 'd 'e (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) (vs: [n]e): *[n](a, b, c, d, e) =
  intrinsics.map (\(x: a, ((y: b, z: c), (u: d, v: e))) -> (x, y, z, u, v))
                 (intrinsics.zip xs (intrinsics.zip (intrinsics.zip ys zs) (intrinsics.zip us vs)))

-- | Takes pairs apart: all first parts, all second parts.
def unzip [n] 'a 'b (xys: [n](a, b)): ([n]a, [n]b) = intrinsics.unzip xys

-- | Another name for `unzip`.
def unzip2 [n] 'a 'b (xys: [n](a, b)): ([n]a, [n]b) = intrinsics.unzip xys

-- | `unzip` for triples.
def unzip3 [n] 'a 'b 'c (ts: [n](a, b, c)): ([n]a, [n]b, [n]c) =
  let (xs, rest) = intrinsics.unzip (intrinsics.map (\(x: a, y: b, z: c) -> (x, (y, z))) ts)
  let (ys, zs) = intrinsics.unzip rest
  in (xs, ys, zs)

-- | `unzip` for tuples of four.
def unzip4 [n] 'a 'b 'c 'd (ts: [n](a, b, c, d)): ([n]a, [n]b, [n]c, [n]d) =
  let (front, back) = intrinsics.unzip (intrinsics.map (\(x: a, y: b, z: c, u: d) -> ((x, y), (z, u))) ts)
  let (xs, ys) = intrinsics.unzip front
  let (zs, us) = intrinsics.unzip back
  in (xs, ys, zs, us)

-- | `unzip` for tuples of five.
def unzip5 [n] 'a 'b 'c 'd 'e (ts: [n](a, b, c, d, e)): ([n]a, [n]b, [n]c, [n]d, [n]e) =
  let (front, back) =
    intrinsics.unzip (intrinsics.map (\(x: a, y: b, z: c, u: d, v: e) -> ((x, y), (z, (u, v)))) ts)
  let (xs, ys) = intrinsics.unzip front
  let (zs, rest) = intrinsics.unzip back
  let (us, vs) = intrinsics.unzip rest
  in (xs, ys, zs, us, vs)
