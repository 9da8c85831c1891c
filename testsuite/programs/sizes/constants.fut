-- Sizes are computed of constants that are no i64: floats, bytes, bools, strings, constructors.
-- ==
-- entry: scaled bytes bools strings constructors records literals functions
-- input { 10i64 } output { 6i32 }

def scaled_to (k: f64) (n: i64) (x: i32) : [i64.f64 (k * f64.i64 n)]i32 = replicate (i64.f64 (k * f64.i64 n)) x
def both (k: f64) (n: i64) (xs: [i64.f64 (k * f64.i64 n)]i32) (ys: [i64.f64 (k * f64.i64 n)]i32) = map2 (+) xs ys
def sum_both [n] (xs: [n]i32) (ys: [n]i32) = i32.sum (map2 (+) xs ys)

entry scaled (n: i64) = i32.sum (let k = 0.3 in both k n (scaled_to k n 1) (scaled_to k n 1))

def of_byte (k: u8) (n: i64) : [i64.u8 k + n]i32 = replicate (i64.u8 k + n) 1
entry bytes (n: i64) = sum_both (of_byte 3 (n - 10)) (of_byte 3 (n - 10))

def of_bool (k: bool) (n: i64) : [i64.bool k + n]i32 = replicate (i64.bool k + n) 1
entry bools (n: i64) = sum_both (of_bool true (n - 8)) (of_bool true (n - 8))

def of_string (s: []u8) (n: i64) : [length s + n]i32 = replicate (length s + n) 1
entry strings (n: i64) = sum_both (of_string "abc" (n - 10)) (of_string "abc" (n - 10))

type choice = #some f64 | #none
def chosen (c: choice) (n: i64) = match c case #some x -> i64.f64 (x * f64.i64 n) case #none -> n
def of_choice (c: choice) (n: i64) : [chosen c n]i32 = replicate (chosen c n) 1
entry constructors (n: i64) = sum_both (of_choice (#some 0.3) n) (of_choice (#some 0.3) n)

def of_record (r: {x: f64, y: f64}) (n: i64) : [i64.f64 (r.x + r.y) + n]i32 = replicate (i64.f64 (r.x + r.y) + n) 1
entry records (n: i64) = sum_both (of_record {x = 1.5, y = 1.5} (n - 10)) (of_record {y = 1.5, x = 1.5} (n - 10))

entry literals (n: i64) = sum_both (scaled_to [0.3, 0.4][0] n 1) (scaled_to [0.3, 0.4][0] n 1)

module type scale = { val k : f64 val make : (n: i64) -> [i64.f64 (k * f64.i64 n)]i32 }
module scale_by_parts (s: scale) = { def total (n: i64) = sum_both (s.make n) (s.make n) }
module third = { def k = 0.3f64 def make (n: i64) : [i64.f64 (k * f64.i64 n)]i32 = scaled_to k n 1 }
module total_third = scale_by_parts third
entry functions (n: i64) = total_third.total n
