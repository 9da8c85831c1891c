-- An argument that lacks what the functor needs.
-- ==
-- error: k

module f (P: { val k: i32 }) = { def j = P.k }
module g = f { def l = 1i32 }
def main = g.j
