-- A local definition is not seen outside its module.
-- ==
-- error: nknown

module m = { local def y = 2i32 def x = y }
def main = m.y
