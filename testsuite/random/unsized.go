package random

import "fmt"

// unsized makes an array of t whose size no type says: it comes out of a filter, a slice, a branch, a loop that appends, and the
// like. Within a map these make rows of different sizes.
func (g *generator) unsized(sc scope, t typ, depth int) string {
	defer g.begin("[]" + t.String())()
	sized := func() string {
		s := g.size()
		if !g.affordable(g.sizes[s] * g.elements(t)) {
			s = "3"
		}
		return g.exp(sc, array{s, t}, depth)
	}
	if depth <= 0 || g.IntN(5) == 0 {
		return "(prefix " + g.exp(sc, i64, 0) + " " + sized() + ")"
	}
	depth--
	rest := func() string { return g.unsized(sc, t, depth) }
	predicate := func() string {
		return g.times(g.sizes["n"], func() string { return g.exp(sc, function{t, boolean}, depth) })
	}
	k := variable{g.fresh("k"), i64}
	switch g.IntN(15) {
	case 0, 1, 2:
		return fmt.Sprintf("(filter %s %s)", predicate(), pick(g.choices, sized, rest)())
	case 3:
		if g.IntN(3) == 0 {
			return fmt.Sprintf("(partition2 %s %s %s).%d", predicate(), predicate(), sized(), g.IntN(3))
		}
		return fmt.Sprintf("(partition %s %s).%d", predicate(), pick(g.choices, sized, rest)(), g.IntN(2))
	case 4:
		return fmt.Sprintf("(%s ++ %s)", rest(), rest())
	case 5:
		i := g.fresh("j")
		return fmt.Sprintf("(loop %s = %s for %s < 2i32 do %s ++ [%s])", k.name, rest(), i, k.name,
			g.exp(sc.with(variable{i, i32}), t, depth))
	case 6:
		return fmt.Sprintf("(if %s then %s else %s)", g.exp(sc, boolean, depth), rest(), rest())
	case 7:
		from := g.element("n")
		f := g.times(g.sizes["n"], func() string { return g.exp(sc, function{from, t}, depth) })
		return fmt.Sprintf("(map %s %s)", f, g.unsized(sc, from, depth))
	case 8:
		f := g.times(9, func() string { return g.exp(sc.with(k), t, depth) })
		return fmt.Sprintf("(map (\\(%s: i64) -> %s) (few %s))", k.name, f, g.exp(sc, i64, depth))
	case 9:
		return fmt.Sprintf("(%s %s %s)", pick(g.choices, "suffix", "prefix"), g.exp(sc, i64, depth), sized())
	case 10:
		return fmt.Sprintf("(window %s %s %s)", g.exp(sc, i64, depth), g.exp(sc, i64, depth), sized())
	case 11:
		switch g.IntN(3) {
		case 1:
			return fmt.Sprintf("(strided %s %s %s)", g.exp(sc, i64, depth), g.exp(sc, i64, depth), sized())
		case 2:
			return fmt.Sprintf("(stepped %s %s %s %s)", g.exp(sc, i64, depth), g.exp(sc, i64, depth), g.exp(sc, i64, depth), sized())
		}
		return fmt.Sprintf("(evens %s)", sized())
	case 12:
		if op, ok := g.operator(t, anyOrder, -1); ok {
			return fmt.Sprintf("(scan %s %s %s)", op.text, op.neutral, rest())
		}
		return sized()
	case 13:
		return g.lifted(sc, t, depth)
	default:
		return g.flattened(sc, t, depth)
	}
}

// flattened makes an array of the elements of rows, which may differ in size.
func (g *generator) flattened(sc scope, t typ, depth int) string {
	s := g.size()
	if !g.affordable(3 * g.sizes[s] * g.elements(t)) {
		s = "3"
	}
	if g.IntN(2) == 0 {
		return fmt.Sprintf("(flatten %s)", g.exp(sc, array{s, array{"3", t}}, depth))
	}
	e := variable{g.fresh("e"), g.scalarType()}
	row := g.times(g.sizes[s], func() string { return g.unsized(sc.with(e), t, depth-1) })
	return fmt.Sprintf("(flatmap' (\\(%s: %s) -> %s) %s).3", e.name, e.typ, row, g.exp(sc, array{s, e.typ}, depth))
}

// lifted makes an array by way of values whose sizes no type says.
func (g *generator) lifted(sc scope, t typ, depth int) string {
	k, o := variable{g.fresh("k"), i32}, g.fresh("o")
	rest := func() string { return g.unsized(sc, t, depth-1) }
	switch g.IntN(5) {
	case 0:
		return fmt.Sprintf("(call (\\(%s: i32) -> %s) %s)", k.name, g.unsized(sc.with(k), t, depth-1), g.exp(sc, i32, depth))
	case 1:
		return fmt.Sprintf("(match lifted_map evens (#many %s) case #many %s -> %s case #few %s -> [%s])",
			rest(), o, o, k.name, g.exp(sc.with(k), t, depth))
	case 2:
		return fmt.Sprintf("(box.unpack (box.grow %s (twice (box.grow %s) (box.pack %s))))", g.exp(sc, t, depth), g.exp(sc, t, depth), rest())
	case 3:
		return fmt.Sprintf("(repeat %s (\\(%s: () -> []%s) -> %s () ++ [%s]) (\\() -> %s))", pick(g.choices, "0", "1", "3"), o, t, o,
			g.exp(sc, t, depth), rest())
	default:
		if g.IntN(2) == 0 {
			return fmt.Sprintf("(run_step (#const (\\() -> %s)) %s)", rest(), g.exp(sc, i32, depth))
		}
		return fmt.Sprintf("(run_step (#make (\\(%s: i32) -> %s)) %s)", k.name, g.unsized(sc.with(k), t, depth-1), g.exp(sc, i32, depth))
	}
}

// applied makes a map over an array of unknown size.
func (g *generator) applied(sc scope, from, to typ, depth int) string {
	f := g.times(g.sizes["n"], func() string { return g.exp(sc, function{from, to}, depth) })
	return fmt.Sprintf("(map %s %s)", f, g.unsized(sc, from, depth))
}

// ragged makes an array of values each of which comes from a row of its own length: a reduction, an element, or the number of elements. No
// branch hides the lengths.
func (g *generator) ragged(sc scope, t array, depth int) string {
	longest := pick(g.choices, 5, 40, 200)
	if !g.affordable(g.sizes[t.size] * longest * g.elements(t.elem)) {
		longest = 5
	}
	if !g.affordable(g.sizes[t.size] * longest * g.elements(t.elem)) {
		return ""
	}
	e := variable{g.fresh("e"), i64}
	body := g.times(g.sizes[t.size], func() string { return g.fromRow(sc.with(e), t.elem, longest, depth) })
	return fmt.Sprintf("(map (\\(%s: i64) -> %s) %s)", e.name, body, g.exp(sc, array{t.size, i64}, depth))
}
