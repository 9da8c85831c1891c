-- Loops over arrays whose sizes are expressions, and a step that is a function of its own with sizes as it sees them: six quarter turns are half a turn.
-- ==
-- input { [1, 2] [[1, 2], [3, 4]] }
-- output { [2, 3, 2, 3, 2, 3] [[[4, 3], [2, 1]], [[4, 3], [2, 1]]] 15 }

def step [n] (xs: [n]i32) : [n]i32 = map (+ 1) (rotate 2 xs)

def turn [n] [m] (xss: [n][m]i32) : [m][n]i32 = reverse (transpose xss)

def chunks [n] (k: i64) (xs: [n]i32) : [k * n]i32 = flatten (replicate k xs)

def main [n] [m] (xs: [n]i32) (xss: [m][m]i32) : ([]i32, [][m][m]i32, i32) =
  let longer = loop ys = chunks 3 xs for _i < 1 do step ys
  let turned = loop zsss = replicate (n * 1) xss for i < 3 do if i < 0 then reverse zsss else map turn zsss
  let (same, sum) = loop (ys, s) = (longer, 0) for _i < 1 do (copy ys, s + i32.sum ys)
  in (same, map turn turned |> map turn |> map turn, sum)
