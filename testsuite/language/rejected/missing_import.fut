-- An import names a file.
-- ==
-- error: nowhere

import "nowhere"

def main = 1i32
