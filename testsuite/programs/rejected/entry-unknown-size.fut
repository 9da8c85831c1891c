-- A size parameter of an entry point must be the size of an argument.
-- ==
-- error: constructive

entry main [n] (xs: [n + 1]i32) = xs[0] + i32.i64 n
