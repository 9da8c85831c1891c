-- An assertion whose value is bound to no name is left out, in branches and behind other bindings too. One whose value is used is checked.
-- ==
-- entry: none
-- input { -1 }
-- output { -2 }
-- warning: assertion is left out

-- ==
-- entry: branches
-- input { [1, -2] }
-- output { [2, -1] }

-- ==
-- entry: used
-- input { 1 }
-- output { 2 }
-- input { -1 }
-- error: x > 0

-- ==
-- entry: inside
-- input { 1 }
-- output { 1 }
-- input { -1 }
-- error: x > 0

def positive (x: i32) : i32 = assert (x > 0) x

entry none (x: i32) : i32 =
  let _ = assert (x > 0) ()
  let () = assert (x > 1) (assert (x > 2) ())
  in x * 2

entry branches (xs: []i32) : []i32 =
  map (\x ->
         let _ = if x == 0 then () else (let y = x + 1 in match y case 0 -> assert false () case _ -> assert (y > 5) ())
         in x + 1)
      xs

entry used (x: i32) : i32 =
  let y = assert (x > 0) x
  in y + 1

-- What a function or an operator takes is used.
entry inside (x: i32) : i32 =
  let _ = positive x + 1
  in x
