-- Constants computed once, arrays among them.
-- ==
-- input { 2i64 }
-- output { 9 30 }

def squares : [5]i32 = map (\i -> i32.i64 ((i + 1) ** 2)) (iota 5)
def sum = i32.sum squares - 25
def main (i: i64) : (i32, i32) = (squares[i], sum)
