-- Powers of integers, by repeated squaring and with wrap-around.
-- ==
-- input { 2 10 }
-- output { 1024 }
-- input { -3 3 }
-- output { -27 }
-- input { 7 0 }
-- output { 1 }
-- input { 0 0 }
-- output { 1 }
-- input { 2 31 }
-- output { -2147483648 }
-- input { 2 32 }
-- output { 0 }

def main (x: i32) (y: i32) : i32 = x ** y
