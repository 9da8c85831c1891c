-- A loop over the elements of an array: Horner's rule.
-- ==
-- input { [1, 2, 3] 10 }
-- output { 123 }
-- input { empty([0]i32) 10 }
-- output { 0 }
-- input { [7] 10 }
-- output { 7 }

def main [n] (cs: [n]i32) (x: i32) : i32 = loop s = 0 for c in cs do s * x + c
