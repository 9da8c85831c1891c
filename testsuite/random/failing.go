package random

import "fmt"

// failing makes a result that may be a failure of the program. It is the only place of a program that may fail, and says the same
// whichever point of a map it fails for, so that all executors have to say the same.
func (g *generator) failing(sc scope, depth int) string {
	depth = max(depth, 1)
	t, s := g.scalarType(), g.size()
	switch g.IntN(5) {
	case 0:
		return fmt.Sprintf("(assert %s %s)", g.exp(sc, boolean, depth), g.exp(sc, t, depth))
	case 1:
		x := variable{g.fresh("x"), t}
		body := g.times(g.sizes[s], func() string {
			return fmt.Sprintf("(assert %s %s)", g.exp(sc.with(x), boolean, depth), x.name)
		})
		return fmt.Sprintf("(map (\\(%s: %s) -> %s) %s)", x.name, t, body, g.exp(sc, array{s, t}, depth))
	case 2:
		return fmt.Sprintf("%s[%s]", g.exp(sc, array{s, t}, depth), g.exp(sc, i64, depth))
	case 3:
		return fmt.Sprintf("(%s %s %s)", g.exp(sc, i32, depth), pick(g.choices, "/", "%"), g.exp(sc, i32, depth))
	default:
		return fmt.Sprintf("(%s :> [%s]%s)", g.unsized(sc, t, depth), s, t)
	}
}
