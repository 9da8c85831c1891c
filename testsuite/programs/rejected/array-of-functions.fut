-- Functions are not elements of arrays.
-- ==
-- error: function

def main (x: i32) = [\y -> y + x]
