-- An import names a file.
-- ==
-- error: nowhere.*no such file

import "nowhere"

def main = 1i32
