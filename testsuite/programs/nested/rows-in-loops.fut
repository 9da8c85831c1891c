-- Rows that a thread reads again and again while it makes them.
-- ==
-- entry: rows
-- input { true [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] }
-- output { [[8f32, 24f32, 48f32], [32f32, 72f32, 120f32]] [[1f32, 3f32, 6f32], [4f32, 9f32, 15f32]] }
-- input { false [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] }
-- output { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] [[1f32, 3f32, 6f32], [4f32, 9f32, 15f32]] }
-- input { true empty([2][0]f32) }
-- output { empty([2][0]f32) empty([2][0]f32) }

-- Each row's prefix sums, of which all elements are doubled as often as there are elements, or the row; and its prefix sums.
entry rows [n] [m] (twice: bool) (xss: [n][m]f32): ([n][m]f32, [n][m]f32) =
  let sums (xs: [m]f32): *[m]f32 = loop row = copy xs for j < m - 1 do row with [j + 1] = row[j + 1] + row[j]
  in #[sequential_inner]
     unzip (map (\xs ->
                   ( if twice
                     then loop row = sums xs for _k < m do
                            loop row for j < m do row with [j] = row[j] + row[j]
                     else copy xs
                   , sums xs
                   ))
                xss)
