def triple (x: i32) : i32 = 3 * x
