-- A lifted type parameter inside an array.
-- ==
-- error: lifted

def f 'a '^b (x: b) : []b = [x]
def main : []i32 = f 1i32
