-- Prefixes by operators whose order makes no difference, of integers of all sizes, of sizes around those of vectors: by scans, and by loops
-- that store what they have so far. Each is compared with what it must be.
-- ==
-- entry: scans loops recurrences
-- input { [0i64, 1i64, 2i64, 7i64, 8i64, 15i64, 16i64, 17i64, 63i64, 65i64, 1000i64, 70001i64] } output { true }

def number (i: i64) = i * 7919 % 1009 - 500

def same [n] 'a (eq: a -> a -> bool) (xs: [n]a) (ys: [n]a) = and (map2 eq xs ys)

-- Neighbouring prefixes differ by the elements.
def checked [n] 'a (eq: a -> a -> bool) (op: a -> a -> a) (xs: [n]a) (ys: [n]a) : bool =
  and (tabulate n (\i -> (if i == 0 then eq ys[0] xs[0] else eq ys[i] (op ys[i - 1] xs[i]))))

entry scans (sizes: []i64) : bool =
  loop ok = true
  for n in sizes do
    let is = opaque (map number (iota n))
    let a = map i32.i64 is
    let b = map u32.i64 is
    let c = map u64.i64 is
    let d = map i8.i64 is
    let e = map u16.i64 is
    in ok
       && checked (==) (+) is (scan (+) 0 is)
       && checked (==) (*) a (scan (*) 1 a)
       && checked (==) i32.max a (scan i32.max i32.lowest a)
       && checked (==) u32.min b (scan u32.min u32.highest b)
       && checked (==) (^) c (scan (^) 0 c)
       && checked (==) (|) c (scan (|) 0 c)
       && checked (==) (&) c (scan (&) u64.highest c)
       && checked (==) (+) d (scan (+) 0 d)
       && checked (==) u16.max e (scan u16.max 0 e)

-- A loop a row, whose elements are scaled on the way.
def running [n] (first: i32) (xs: [n]i32) : *[n]i32 =
  let (_, ys) =
    loop (acc, ys) = (first, replicate n 0)
    for i < n do
      let next = acc + 2 * xs[i]
      in (next, ys with [i] = next - xs[i])
  in ys

entry loops (sizes: []i64) : bool =
  loop ok = true
  for n in sizes do
    let xss = opaque (map (\r -> map (\i -> i32.i64 (number (i + r))) (iota n)) (iota 5))
    let yss = map (running 3) xss
    in ok
       && and (map2 (\xs ys ->
                       and (tabulate n
                                     (\i ->
                                        (if i == 0 then ys[0] == 3 + xs[0] else ys[i] == ys[i - 1] + xs[i - 1] + xs[i]))))
                    xss
                    yss)

-- A loop that reads what it has stored before.
def doubled [n] (xs: [n]i32) : *[n]i32 =
  let (_, ys) =
    loop (acc, ys) = (1, copy xs)
    for i < n - 1 do
      let next = acc + ys[i]
      in (next, ys with [i + 1] = next)
  in ys

entry recurrences (sizes: []i64) : bool =
  loop ok = true
  for n in sizes do
    let xss = opaque (map (\r -> map (\i -> i32.i64 (number (i + r))) (iota n)) (iota 5))
    let yss = map doubled xss
    in ok
       && and (map2 (\xs ys ->
                       and (tabulate n
                                     (\i ->
                                        (if i == 0
                                         then ys[0] == xs[0]
                                         else (if i == 1 then ys[1] == 1 + xs[0] else ys[i] == 2 * ys[i - 1])))))
                    xss
                    yss)
