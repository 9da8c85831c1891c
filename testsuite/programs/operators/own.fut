-- Operators of a program's own have the binding of the built-in one that they begin with: +^ that of +, *. that of *, so that
-- 1 +^ 2 *. 3 is 1 +^ (2 *. 3). An operator that is defined in infix form is one like any other.
-- ==
-- entry: bindings
-- input { 1 2 3 } output { 701 60 123 }

def (+^) (x: i32) (y: i32) = x + 100 * y
def (*.) (x: i32) (y: i32) = x * y + 1
def (x: i32) <+> (y: i32) = 10 * x + y

entry bindings (x: i32) (y: i32) (z: i32) =
  (x +^ y *. z, (x +^ y) *. 0 + 59, (x <+> y) <+> z)

-- Operators of modules, and a module opened for an expression.
-- ==
-- entry: qualified
-- input { 3 4 } output { 25 5 25 }

module squares = {
  def (+) (x: i32) (y: i32) = x i32.* x i32.+ y i32.* y
  def five = 5i32
}

entry qualified (x: i32) (y: i32) = (x squares.+ y, squares.five, squares.(x + y))
