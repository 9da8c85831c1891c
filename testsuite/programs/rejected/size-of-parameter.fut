-- The size of what this function returns is its parameter, by name; it is not a size that each call makes. (See
-- soacs/flatmap-without-values.fut for how to write it.)
-- ==
-- error: scope violation

def main (ns: []i64) = flatmap' (\n -> iota n) ns
