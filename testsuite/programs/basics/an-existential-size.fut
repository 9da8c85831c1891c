-- An existential size.
-- ==
-- input { 7i64 }
-- output { 310i64 }

def evens (n: i64) : []i64 = map (* 2) (iota (n / 2))
def main (n: i64) : i64 = let xs = evens n let ys = evens (n + 2) in length xs * 100 + length ys + reduce (+) 0 xs
