-- Operators and neutral elements that depend on the point, in reductions, scans and histograms over as many elements at each point and
-- over rows of different lengths.
-- ==
-- entry: products
-- input { 0i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [1i64, 1i64, 1i64, 1i64, 1i64] }
-- input { 1i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [1i64, 1i64, 1i64, 1i64, 1i64] }
-- input { 300i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [2i64, 6i64, 459i64, 100i64, 328674i64] }
-- input { 2000i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [6i64, 6i64, 755i64, 66i64, 371408i64] }
-- input { 9i64 empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: products_of_rows
-- input { [7i64, 11i64, 1019i64, 103i64, 1000003i64] [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [2i64, 1i64, 681i64, 62i64, 1i64] }
-- input { [3i64, 7i64, 19i64] [3i64, 0i64, 1i64] }
-- output { [1i64, 1i64, 1i64] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: affine
-- input { 0i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [1i64, 1i64, 1i64, 1i64, 1i64] }
-- input { 1i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [2i64, 2i64, 2i64, 2i64, 2i64] }
-- input { 300i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [8i64, 7i64, 965i64, 111i64, 833178i64] }
-- input { 2000i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [7i64, 16i64, 1685i64, 81i64, 919187i64] }

-- ==
-- entry: affine_of_rows
-- input { [7i64, 11i64, 1019i64, 103i64, 1000003i64] [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [8i64, 1i64, 1381i64, 112i64, 2i64] }
-- input { [3i64, 7i64, 19i64] [3i64, 0i64, 1i64] }
-- output { [2i64, 1i64, 2i64] }

-- ==
-- entry: scans
-- input { 0i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [0i64, 0i64, 0i64, 0i64, 0i64] }
-- input { 1i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [1i64, 1i64, 1i64, 1i64, 1i64] }
-- input { 300i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [898i64, 1730i64, 150867i64, 15728i64, 140852326i64] }
-- input { 2000i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [5999i64, 11585i64, 1026827i64, 102478i64, 995448198i64] }

-- ==
-- entry: scans_of_rows
-- input { [7i64, 11i64, 1019i64, 103i64, 1000003i64] [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [898i64, 0i64, 794i64, 51746i64, 1i64] }
-- input { [3i64, 7i64, 19i64] [3i64, 0i64, 1i64] }
-- output { [4i64, 0i64, 1i64] }

-- ==
-- entry: posts
-- input { 0i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [0i64, 0i64, 0i64, 0i64, 0i64] }
-- input { 1i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- input { 300i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [140839i64, 277367i64, 176119433i64, 4032417i64, 140874655652472i64] }
-- input { 2000i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [6040996i64, 11698237i64, 2075234438i64, 113088776i64, 996454560151733i64] }

-- ==
-- entry: bins
-- input { 0i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [[1i64, 1i64, 1i64], [1i64, 1i64, 1i64], [1i64, 1i64, 1i64], [1i64, 1i64, 1i64], [1i64, 1i64, 1i64]] }
-- input { 1i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [[1i64, 1i64, 1i64], [1i64, 1i64, 1i64], [1i64, 1i64, 1i64], [1i64, 1i64, 1i64], [1i64, 1i64, 1i64]] }
-- input { 300i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [[5i64, 3i64, 3i64], [1i64, 1i64, 3i64], [102i64, 775i64, 460i64], [62i64, 49i64, 82i64], [983956i64, 221874i64, 119702i64]] }
-- input { 2000i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [[5i64, 2i64, 4i64], [7i64, 8i64, 2i64], [305i64, 614i64, 275i64], [97i64, 67i64, 66i64], [820394i64, 755792i64, 159771i64]] }

-- ==
-- entry: bins_of_rows
-- input { [7i64, 11i64, 1019i64, 103i64, 1000003i64] [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [[5i64, 3i64, 3i64], [1i64, 1i64, 1i64], [17i64, 2i64, 5i64], [15i64, 55i64, 32i64], [1i64, 1i64, 1i64]] }
-- input { [3i64, 7i64, 19i64] [3i64, 0i64, 1i64] }
-- output { [[1i64, 2i64, 2i64], [1i64, 1i64, 1i64], [1i64, 1i64, 1i64]] }

-- ==
-- entry: rows_of_bins
-- input { [7i64, 11i64, 1019i64, 103i64, 1000003i64] [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [484i64, 0i64, 174i64, 17261i64, 1i64] }
-- input { [3i64, 7i64, 19i64] [3i64, 0i64, 1i64] }
-- output { [3i64, 0i64, 1i64] }

-- ==
-- entry: least
-- input { [[3i64, 1i64, 2i64, 1i64], [5i64, 6i64, 7i64, 5i64]] }
-- output { [1i64, 0i64] }

-- ==
-- entry: least_of
-- input { 1i64 [3i64, 4i64, 50i64] }
-- output { [0i64, 0i64, 0i64] }
-- input { 300i64 [3i64, 4i64, 50i64] }
-- output { [277i64, 33i64, 152i64] }
-- input { 2000i64 [3i64, 4i64, 50i64] }
-- output { [277i64, 33i64, 917i64] }

-- ==
-- entry: least_of_rows
-- input { [7i64, 11i64, 1019i64, 103i64, 1000003i64] [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [33i64, 0i64, 0i64, 93i64, 0i64] }
-- input { [3i64, 7i64, 19i64] [3i64, 0i64, 1i64] }
-- output { [0i64, 0i64, 0i64] }

-- ==
-- entry: starts
-- input { [7i64, 11i64, 1019i64, 103i64, 1000003i64] [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [299i64, 11i64, 1019i64, 999i64, 1000003i64] }
-- input { [3i64, 7i64, 19i64] [3i64, 0i64, 1i64] }
-- output { [3i64, 7i64, 19i64] }

-- ==
-- entry: starts_of_all
-- input { 0i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- input { 1i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- input { 300i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [299i64, 299i64, 1019i64, 299i64, 1000003i64] }
-- input { 2000i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [1999i64, 1999i64, 1999i64, 1999i64, 1000003i64] }

-- ==
-- entry: running
-- input { [7i64, 11i64, 1019i64, 103i64, 1000003i64] [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [44878i64, 0i64, 5095i64, 504856i64, 1000003i64] }
-- input { [3i64, 7i64, 19i64] [3i64, 0i64, 1i64] }
-- output { [9i64, 0i64, 19i64] }

-- ==
-- entry: running_of_all
-- input { 0i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [0i64, 0i64, 0i64, 0i64, 0i64] }
-- input { 1i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- input { 300i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [44878i64, 44916i64, 305700i64, 50206i64, 300000900i64] }
-- input { 2000i64 [7i64, 11i64, 1019i64, 103i64, 1000003i64] }
-- output { [1999028i64, 1999066i64, 2518690i64, 2004356i64, 2000006000i64] }

-- ==
-- entry: largest
-- input { [7f32, -11f32, f32.nan, 101f32, 3f32] [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [299f32, -11f32, 4f32, 999f32, 3f32] }

-- ==
-- entry: automata
-- input { 0i64 [[1i64, 2i64, 0i64, 2i64, 1i64, 1i64], [0i64, 0i64, 0i64, 1i64, 1i64, 1i64]] }
-- output { [0i64, 0i64] }
-- input { 7i64 [[1i64, 2i64, 0i64, 2i64, 1i64, 1i64], [0i64, 0i64, 0i64, 1i64, 1i64, 1i64]] }
-- output { [2i64, 0i64] }
-- input { 1001i64 [[1i64, 2i64, 0i64, 2i64, 1i64, 1i64], [0i64, 0i64, 0i64, 1i64, 1i64, 1i64]] }
-- output { [2i64, 0i64] }

-- ==
-- entry: automata_of_rows
-- input { [1001i64, 2i64] [[1i64, 2i64, 0i64, 2i64, 1i64, 1i64], [0i64, 0i64, 0i64, 1i64, 1i64, 1i64]] }
-- output { [2i64, 1i64] }
-- input { [0i64, 1i64] [[1i64, 2i64, 0i64, 2i64, 1i64, 1i64], [0i64, 0i64, 0i64, 1i64, 1i64, 1i64]] }
-- output { [0i64, 0i64] }

-- Products modulo a number of the point.
entry products [n] (m: i64) (ps: [n]i64) : [n]i64 =
  map (\p -> reduce (\a b -> a * b % p) 1 (map (\i -> (i * i + 1) % p) (iota m))) ps

entry products_of_rows [n] (ps: [n]i64) (ns: [n]i64) : [n]i64 =
  map2 (\p m -> reduce (\a b -> a * b % p) 1 (map (\i -> (i * i + 1) % p) (iota m))) ps ns

-- Two values, and an operator that does not commute: x * y + 1, modulo a number of the point.
def compose (p: i64) (a: i64, b: i64) (c: i64, d: i64) = (a * c % p, (b * c + d) % p)

entry affine [n] (m: i64) (ps: [n]i64) : [n]i64 =
  map (\p -> let (a, b) = reduce (compose p) (1, 0) (map (\i -> ((i * i + 1) % p, 1)) (iota m)) in a + b) ps

entry affine_of_rows [n] (ps: [n]i64) (ns: [n]i64) : [n]i64 =
  map2 (\p m -> let (a, b) = reduce (compose p) (1, 0) (map (\i -> ((i * i + 1) % p, 1)) (iota m)) in a + b) ps ns

-- Scans, and what follows them. Dawn refuses workgroups with barriers behind a check: where there are as many elements at each point,
-- nothing is checked.
entry scans [n] (m: i64) (ps: [n]i64) : [n]i64 =
  map (\p -> i64.sum (scan (\a b -> #[unsafe] (a * b % p)) 1 (map (\i -> #[unsafe] ((i * i + 1) % p)) (iota m)))) ps

entry scans_of_rows [n] (ps: [n]i64) (ns: [n]i64) : [n]i64 =
  map2 (\p m -> i64.sum (scan (\a b -> a * b % p) 1 (map (\i -> (i * i + 1) % p) (iota m)))) ps ns

entry posts [n] (m: i64) (ps: [n]i64) : [n]i64 =
  map (\p ->
         let ys = scan (\a b -> #[unsafe] (a * b % p)) 1 (map (\i -> #[unsafe] ((i * i + 1) % p)) (iota m))
         in i64.sum (map2 (\i y -> y * (i + p)) (iota m) ys))
      ps

-- Histograms: as many bins at each point, over as many elements or rows, and rows of bins.
entry bins [n] (m: i64) (ps: [n]i64) : [n][3]i64 =
  map (\p -> reduce_by_index (replicate 3 1) (\a b -> a * b % p) 1 (map (% 4) (iota m)) (map (\i -> (i * i + 1) % p) (iota m))) ps

entry bins_of_rows [n] (ps: [n]i64) (ns: [n]i64) : [n][3]i64 =
  map2 (\p m -> reduce_by_index (replicate 3 1) (\a b -> a * b % p) 1 (map (% 4) (iota m)) (map (\i -> (i * i + 1) % p) (iota m))) ps ns

entry rows_of_bins [n] (ps: [n]i64) (ns: [n]i64) : [n]i64 =
  map2 (\p m ->
          i64.sum (reduce_by_index (replicate m 1)
                                   (\a b -> a * b % p)
                                   1
                                   (map (\i -> i / 3 - 1) (iota m))
                                   (map (\i -> (i * i + 1) % p) (iota m))))
       ps
       ns

-- An operator that reads the row of its point: the index of the least element.
entry least [n] [m] (xss: [n][m]i64) : [n]i64 =
  map (\xs -> reduce_comm (\i j -> if xs[i] < xs[j] || (xs[i] == xs[j] && i < j) then i else j) 0 (iota m)) xss

entry least_of [n] (m: i64) (ks: [n]i64) : [n]i64 =
  map (\k ->
         let xs = map (\i -> (i * 7919 + k) % 1009) (iota m)
         in reduce_comm (\i j -> if xs[i] < xs[j] || (xs[i] == xs[j] && i < j) then i else j) 0 (iota m))
      ks

entry least_of_rows [n] (ks: [n]i64) (ns: [n]i64) : [n]i64 =
  map2 (\k m ->
          let xs = map (\i -> (i * 7919 + k) % 1009) (iota m)
          in reduce (\i j -> if xs[i] < xs[j] || (xs[i] == xs[j] && i < j) then i else j) 0 (iota m))
       ks
       ns

-- Neutral elements of the point, of operators for which it makes no difference how often something counts.
entry starts [n] (ps: [n]i64) (ns: [n]i64) : [n]i64 = map2 (\p m -> reduce i64.max p (iota m)) ps ns

entry starts_of_all [n] (m: i64) (ps: [n]i64) : [n]i64 = map (\p -> reduce i64.max p (iota m)) ps

entry running [n] (ps: [n]i64) (ns: [n]i64) : [n]i64 = map2 (\p m -> i64.sum (scan i64.max p (iota m))) ps ns

entry running_of_all [n] (m: i64) (ps: [n]i64) : [n]i64 = map (\p -> i64.sum (scan i64.max p (iota m))) ps

entry largest [n] (ps: [n]f32) (ns: [n]i64) : [n]f32 = map2 (\p m -> reduce f32.max p (map f32.i64 (iota m))) ps ns

-- Each point has an automaton of three states, which reads a word of zeros and ones: functions of states are composed, whose table
-- is the point's.
type function = (i64, i64, i64)

def apply ((a, b, c): function) (s: i64) = if s == 0 then a else if s == 1 then b else c

def step (table: [6]i64) (x: i64) : function = (table[x * 3], table[x * 3 + 1], table[x * 3 + 2])

-- What is composed is the letter itself where it is one alone, and otherwise what the letters do.
def run (table: [6]i64) (m: i64) : i64 =
  let op (x: i64, f: function) (y: i64, g: function) =
    let f = if x >= 0 then step table x else f
    let g = if y >= 0 then step table y else g
    in (-1, (apply g f.0, apply g f.1, apply g f.2))
  let (x, f) = reduce op (-1, (0, 1, 2)) (map (\i -> (i * i % 2, (0, 0, 0))) (iota m))
  in apply (if x >= 0 then step table x else f) 0

entry automata [n] (m: i64) (tables: [n][6]i64) : [n]i64 = map (\t -> run t m) tables

entry automata_of_rows [n] (ns: [n]i64) (tables: [n][6]i64) : [n]i64 = map2 (\t m -> run t m) tables ns
