-- A string is the array of its bytes in UTF-8.
-- ==
-- entry: count
-- input { "abracadabra" } output { 5i64 }
-- input { "" } output { 0i64 }

-- ==
-- entry: upper
-- input { "Hi 2!" } output { "HI 2!" }

entry count (s: []u8) = length (filter (== 'a') s)

entry upper (s: []u8) = map (\c -> if c >= 'a' && c <= 'z' then c - 32 else c) s
