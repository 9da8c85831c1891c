-- What is built in has names, but is no module that can be given another one.
-- ==
-- error: intrinsics

module built_in = intrinsics
def main (x: i32) = x
