-- A range whose first two elements are the same makes no progress.
-- ==
-- input { 3i64 }
-- error: ange
-- warning: identical|same

def main (x: i64) : []i64 = x..x...10
