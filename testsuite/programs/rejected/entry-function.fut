-- An entry point that takes a function.
-- ==
-- error: higher-order

entry main (f: i32 -> i32) : i32 = f 1
