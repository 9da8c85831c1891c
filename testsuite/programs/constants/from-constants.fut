-- Constants computed from others, through functions that mention them by name and by functions that must not be inlined.
-- ==
-- input { 1i64 }
-- output { 22 [4, 5, 6] [16, 18, 20] 18 }

def table = [1i32, 2, 3]
#[noinline]
def beyond (n: i32) : i32 = n + table[2]
def dot (xs: []i32) (ys: []i32) : i32 = reduce (+) 0 (map2 (*) xs ys)
def rows : [2][3]i32 = [table, map beyond table]
def offsets = map (\row -> dot row table - 10) rows
def doubled = map (\i -> offsets[0] + 4 + beyond (2 * i)) table
def main (i: i64) : (i32, []i32, []i32, i32) = (offsets[i], copy rows[1], map (+ 3) doubled, beyond doubled[1])
