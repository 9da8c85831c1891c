-- An import does not lead back to itself.
-- ==
-- error: self_module

import "self_module"

def main = 1i32
