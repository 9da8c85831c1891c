-- An attribute that says how many elements threads of workgroups take, on a map that no workgroup runs.
-- ==
-- input { [1, 2, 3] }
-- output { [2, 3, 4] }
-- warning: No workgroup runs what #\[seq_factor\(4\)\] is on

def main [n] (xs: [n]i32) : [n]i32 = #[seq_factor(4)] map (+ 1) xs
