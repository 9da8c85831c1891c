-- Imported by importing.fut.
def double (x: i32) : i32 = x + x
