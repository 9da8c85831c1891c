-- A recursive function that never ends is stopped when too many calls are nested.
-- ==
-- entry: endless
-- input { 1i64 } error: Stack overflow

def up (n: i64) : i64 = if n == 0 then 0 else 1 + up (n + 1)

entry endless (n: i64) = up n

-- ==
-- entry: mapped
-- input { [0i64, 1i64] } error: Stack overflow

entry mapped (ns: []i64) = map up ns
