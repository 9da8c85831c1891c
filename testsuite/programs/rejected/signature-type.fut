-- What a module defines has the type that its signature asks for.
-- ==
-- error: a

module m : { val a : f32 } = { def a = 1i32 }

def main = m.a
