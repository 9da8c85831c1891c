package random

import "fmt"

// fromRow makes a value of a row.
func (g *generator) fromRow(sc scope, t typ, longest, depth int) string {
	r := g.row(sc, t, longest, depth)
	if op, ok := g.pointOperator(sc, t, anyOrder); ok {
		switch g.IntN(6) {
		case 0, 1:
			return fmt.Sprintf("(%sat %s %s (scan %s %s %s))", op.choice, g.exp(sc, i64, 0), op.neutral, op.text, op.neutral, r)
		case 2:
			if comm, ok := g.pointOperator(sc, t, commuting); ok {
				return fmt.Sprintf("(%sat %s %s (tally (replicate 3 %s) %s %s %s))", comm.choice, g.exp(sc, i64, 0), comm.neutral, comm.neutral,
					comm.text, comm.neutral, r)
			}
		}
		return fmt.Sprintf("(%sreduce %s %s %s)", op.choice, op.text, op.neutral, r)
	}
	if t == typ(i64) {
		return fmt.Sprintf("(length %s)", r)
	}
	return fmt.Sprintf("(at %s %s %s)", g.exp(sc, i64, 0), g.literal(sc, t), r)
}

// pointOperator is an operator on a type that may be another one from point to point, and the definition of what it goes by.
type pointOperator struct {
	operator
	choice string
}

// pointOperator picks an operator on t for rows.
func (g *generator) pointOperator(sc scope, t typ, commutative bool) (op pointOperator, ok bool) {
	one, ok := g.operator(t, commutative, -1)
	if !ok || !g.oneIn(3) {
		return pointOperator{operator: one}, ok
	}
	other, ok := g.operator(t, commutative, -1)
	c, x, y := g.fresh("c"), g.fresh("a"), g.fresh("b")
	return pointOperator{
		operator{
			fmt.Sprintf("(\\(%s: %s) (%s: %s) -> if %s then %s %s %s else %s %s %s)", x, t, y, t, c, one.text, x, y, other.text, x, y),
			fmt.Sprintf("(if %s then %s else %s)", c, one.neutral, other.neutral),
		},
		fmt.Sprintf("let %s = %s in ", c, g.exp(sc, boolean, 1)),
	}, ok
}

// row makes an array whose length follows from numbers, or from what a filter keeps.
func (g *generator) row(sc scope, t typ, longest, depth int) string {
	k := variable{g.fresh("k"), i64}
	each := func() string {
		f := g.times(longest, func() string { return g.exp(sc.with(k), t, depth-1) })
		if g.oneIn(8) {
			return fmt.Sprintf("(map (\\(%s: i64) -> %s) (iota %d))", k.name, f, longest)
		}
		return fmt.Sprintf("(map (\\(%s: i64) -> %s) (iota (%s %% %d)))", k.name, f, g.exp(sc, i64, 0), longest)
	}
	if depth <= 0 {
		return each()
	}
	rest := func() string { return g.row(sc, t, longest, depth-1) }
	switch g.IntN(12) {
	case 0:
		return fmt.Sprintf("(filter %s %s)", g.predicate(sc, t, longest, depth-1), rest())
	case 1:
		f := g.times(longest, func() string { return g.exp(sc, function{t, t}, depth-1) })
		return fmt.Sprintf("(map %s %s)", f, rest())
	case 2:
		s := g.size()
		if !g.affordable(g.sizes[s] * g.elements(t)) {
			s = "3"
		}
		return fmt.Sprintf("(upto %s %s)", g.exp(sc, i64, 0), g.exp(sc, array{s, t}, depth-1))
	case 3:
		inner := g.times(longest, func() string { return g.fromRow(sc.with(k), t, 5, depth-1) })
		return fmt.Sprintf("(map (\\(%s: i64) -> %s) (iota (%s %% %d)))", k.name, inner, g.exp(sc, i64, 0), longest)
	case 4:
		return fmt.Sprintf("(if %s then %s else %s)", g.exp(sc, boolean, depth-1), rest(), rest())
	case 5, 6:
		return g.rowByLoop(sc, t, longest, depth)
	case 7:
		return g.changedRow(sc, t, rest(), depth)
	default:
		return each()
	}
}

func (g *generator) predicate(sc scope, t typ, times, depth int) string {
	return g.times(times, func() string { return g.exp(sc, function{t, boolean}, depth) })
}

// rowByLoop makes a row in a loop that goes round as often as its point says.
func (g *generator) rowByLoop(sc scope, t typ, longest, depth int) string {
	xs, i := g.fresh("xs"), variable{g.fresh("j"), i64}
	first := fmt.Sprintf("let %s = %s in ", xs, g.row(sc, t, longest, depth-1))
	var next string
	inside := sc.with(i)
	switch g.IntN(3) {
	case 0:
		next = fmt.Sprintf("filter %s %s", g.predicate(inside, t, 4*longest, depth-2), xs)
	case 1:
		f := g.times(4*longest, func() string { return g.exp(inside, function{t, t}, depth-2) })
		next = fmt.Sprintf("map %s %s", f, xs)
	default:
		next = fmt.Sprintf("%s ++ [%s]", xs, g.times(4, func() string { return g.exp(inside, t, depth-2) }))
	}
	rounds := fmt.Sprintf("%s %% 4", g.exp(sc, i64, 0))
	if g.IntN(2) == 0 {
		return fmt.Sprintf("(%sloop %s for %s < %s do %s)", first, xs, i.name, rounds, next)
	}
	return fmt.Sprintf("(%s(loop (%s, %s) = (0, %s) while %s < %s && length %s > 1 do (%s + 1, %s)).1)", first, i.name, xs, xs, i.name, rounds,
		xs, i.name, next)
}

// changedRow makes a row of another one, by updates and histograms.
func (g *generator) changedRow(sc scope, t typ, row string, depth int) string {
	switch g.IntN(4) {
	case 0:
		return fmt.Sprintf("(put %s %s %s)", g.exp(sc, i64, 0), g.exp(sc, t, depth-1), row)
	case 1:
		return fmt.Sprintf("(overlay %s)", row)
	case 2:
		if op, ok := g.operator(t, anyOrder, -1); ok {
			return fmt.Sprintf("(scan %s %s %s)", op.text, op.neutral, row)
		}
	default:
		if op, ok := g.operator(t, commuting, -1); ok {
			return fmt.Sprintf("(tally (replicate (%s %% 20) %s) %s %s %s)", g.exp(sc, i64, 0), op.neutral, op.text, op.neutral, row)
		}
	}
	return row
}
