-- The two truth values, and operators that stop early.
-- ==
-- input { 0 }
-- output { true false }
-- input { 4 }
-- output { false true }

def main (x: i32) : (bool, bool) = (x == 0 || 8 / x == 3, x != 0 && 8 / x == 2)
