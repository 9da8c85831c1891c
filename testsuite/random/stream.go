package random

import "fmt"

// streamed makes a histogram or a scatter whose function writes to an accumulator, as often as it likes.
func (g *generator) streamed(sc scope, t array, depth int) string {
	s := g.size()
	if !g.affordable(g.sizes[s] * g.elements(t.elem)) {
		s = "3"
	}
	acc, x := g.fresh("acc"), variable{g.fresh("e"), i64}
	to := fmt.Sprintf("(copy %s)", g.exp(sc, t, depth))
	over := g.exp(sc, array{s, i64}, depth)
	function := func(value func(scope) string) string {
		body := g.times(2*g.sizes[s], func() string { return g.writes(sc.with(x), acc, t, value, depth-1) })
		return fmt.Sprintf("(\\(%s: *intrinsics.acc (%s)) (%s: i64) -> %s)", acc, t, x.name, body)
	}
	if g.IntN(3) == 0 {
		// Points that meet write what is equal.
		v := g.fresh("v")
		f := function(func(scope) string { return v })
		return fmt.Sprintf("(let %s = %s in intrinsics.scatter_stream %s %s %s)", v, g.exp(sc, t.elem, depth), to, f, over)
	}
	op, ok := g.operator(t.elem, commuting, 3*g.sizes[s]+1)
	if !ok {
		return ""
	}
	f := function(func(inner scope) string { return g.exp(inner, t.elem, depth-1) })
	return op.fitted(t.elem, fmt.Sprintf("(intrinsics.hist_stream %s %s %s %s %s)", to, op.text, op.neutral, f, over), ofArrays)
}

// writes makes what the function of a stream does with its accumulator; some of the places may be outside.
func (g *generator) writes(sc scope, acc string, t array, value func(scope) string, depth int) string {
	place := func() string { return fmt.Sprintf("(%s %% (%s + 1))", g.exp(sc, i64, depth), t.size) }
	switch g.IntN(5) {
	case 1:
		return fmt.Sprintf("let %s = intrinsics.acc_write %s %s %s in intrinsics.acc_write %s %s %s", acc, acc, place(), value(sc), acc,
			place(), value(sc))
	case 2:
		return fmt.Sprintf("if %s then intrinsics.acc_write %s %s %s else %s", g.exp(sc, boolean, depth), acc, place(), value(sc), acc)
	case 3:
		j := variable{g.fresh("j"), i64}
		return fmt.Sprintf("loop %s for %s < 3 do intrinsics.acc_write %s (%s + %s) %s", acc, j.name, acc, place(), j.name, value(sc.with(j)))
	default:
		return fmt.Sprintf("intrinsics.acc_write %s %s %s", acc, place(), value(sc))
	}
}

// attributed puts an attribute before an application, which asks for another version of it and does not change what it returns.
func (g *generator) attributed(e string) string {
	if !g.oneIn(8) {
		return e
	}
	return "(#[" + pick(g.choices, "sequential", "sequential_inner", "sequential_outer", "flattening(no_outer)", "flattening(no_intra)",
		"flattening(only_intra)", "flattening(only_inner)", "opaque", "unroll") + "] " + e + ")"
}
