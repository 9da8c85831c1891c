-- Two sizes that need not be equal.
-- ==
-- error: zip

def main [n][m] (a: [n]i32) (b: [m]i32) = zip a b
