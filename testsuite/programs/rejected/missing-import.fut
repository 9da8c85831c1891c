-- An import of a file that does not exist.
-- ==
-- error: not-there

import "not-there"
def main = 1i32
