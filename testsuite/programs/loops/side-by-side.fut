-- Loops in each point: one that reads five arrays (of 9, 8, 3 and 0 elements, so that some of its iterations are left over where four are done
-- together), two that count alike and compute the same powers, and one of numbers alone. The products of i, i + 1, i + 2, i + 3 and 2, for i up to n, have
-- the sum 2 n (n + 1) (n + 2) (n + 3) (n + 4) / 5; the powers of 2 up to that of m have the sum 2^(m + 1) - 2.
-- ==
-- entry: products
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] [2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64] [3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64] [4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64] [2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64] 3i64 }
-- output { [61776i64, 61785i64, 61794i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64] [2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] [3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64] [4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64] [2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64] 2i64 }
-- output { [38016i64, 38024i64] }
-- input { [1i64, 2i64, 3i64] [2i64, 3i64, 4i64] [3i64, 4i64, 5i64] [4i64, 5i64, 6i64] [2i64, 2i64, 2i64] 2i64 }
-- output { [1008i64, 1011i64] }
-- input { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) 1i64 }
-- output { [0i64] }

entry products [n] (xs: [n]i64) (ys: [n]i64) (zs: [n]i64) (us: [n]i64) (vs: [n]i64) (k: i64) : [k]i64 =
  #[sequential_inner] map (\j -> i64.sum (map5 (\x y z u v -> x * y * z * u * v + j) xs ys zs us vs)) (iota k)

-- ==
-- entry: powers
-- input { [1, 4, 10, 0] }
-- output { [2i64, 30i64, 2046i64, 0i64] [6i64, 90i64, 6138i64, 0i64] [55i64, 55i64, 55i64, 55i64] }

entry powers [n] (ms: [n]i32) : ([n]i64, [n]i64, [n]i64) =
  let point (m: i32) =
    let (_, s) = loop (p, s) = (1i64, 0i64) for _i < m do (let p = p ** 1 * 2 in (p, s + p))
    let (t, _) = loop (t, p) = (0i64, 1i64) for _i < m do (let p = p ** 1 * 2 in (t + 3 * p, p))
    let n = loop n = 0i64 for i < 11i64 do n + i
    in (s, t, n)
  in unzip3 (map point ms)
