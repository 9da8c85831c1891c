-- What a function returns is its caller's, and so cannot be a constant.
-- ==
-- error: free variable "table"

def table = [1i32, 2, 3]
def next (_: i32) = table
def main (i: i64) = (next 1 with [i] = 0)[0]
