-- Rows that rounds of loops read and make again, of sizes that no thread's own memory holds. In each round every element takes its right
-- neighbour's place (turned), or the sum of both (added: binomial coefficients).
-- ==
-- entry: turned
-- input { [10i32, 200i32] 5i64 3i64 } output { [[13i32, 14i32, 10i32, 11i32, 12i32], [203i32, 204i32, 200i32, 201i32, 202i32]] }
-- input { [7i32] 1i64 9i64 } output { [[7i32]] }
-- input { [7i32] 2i64 0i64 } output { [[7i32, 8i32]] }
-- input { empty([0]i32) 5i64 3i64 } output { empty([0][5]i32) }

-- ==
-- entry: added
-- input { [1i32, 2i32, 3i32] 3i64 } output { [[1i32, 3i32, 3i32, 1i32], [2i32, 6i32, 6i32, 2i32], [3i32, 9i32, 9i32, 3i32]] }
-- input { [5i32] 0i64 } output { [[5i32]] }

-- ==
-- entry: many
-- input { 3000i64 130i64 7i64 } output { true }

entry turned (xs: []i32) (m: i64) (rounds: i64) : [][m]i32 =
  #[sequential_inner]
  map (\x ->
         loop row = tabulate m (\j -> x + i32.i64 j)
         for _i < rounds do tabulate m (\j -> row[(j + 1) % m]))
      xs

entry added (xs: []i32) (rounds: i64) : [][rounds + 1]i32 =
  #[sequential_inner]
  map (\x ->
         loop row = tabulate (rounds + 1) (\j -> if j == rounds then x else 0)
         for _i < rounds do
           tabulate (rounds + 1) (\j -> row[j] + (if j < rounds then row[j + 1] else 0)))
      xs

-- After as many rounds each element is as many places on.
entry many (n: i64) (m: i64) (rounds: i64) : bool =
  let rows = turned (map i32.i64 (iota n)) m rounds
  in and (flatten (tabulate_2d n m (\i j -> rows[i, j] == i32.i64 (i + (j + rounds) % m))))
