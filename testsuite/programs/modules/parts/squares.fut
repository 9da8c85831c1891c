-- Imported by importing.fut.
def square (x: i32) : i32 = x * x
