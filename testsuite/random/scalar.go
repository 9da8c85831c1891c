package random

import "fmt"

// Note [Exact floats]
//
// Executors may evaluate float operations in another order, with or without an intermediate rounding, and then a comparison or an
// index makes a difference in the last bit a difference in everything. So every float of a program is a whole number from
// -16 to 16, on which the operations that are made here are exact in f16, too: sums, differences and products are at most 256
// before fit_T takes them back, and a sum of an array is at most 16 times its elements, fewer than the significand has. The exact
// values of other operations are the subject of `testsuite/arith`.

// sumLimit is how many floats of a type add up to an exact sum whatever the order.
var sumLimit = map[scalar]int{"f16": 128, "f32": 1 << 20, "f64": 1 << 40}

func (g *generator) scalarLiteral(t scalar) string {
	p := t.prim()
	switch {
	case t == boolean:
		return pick(g.choices, "false", "true")
	case p.IsFloat():
		return pick(g.choices, "0"+string(t), "1"+string(t), "2"+string(t), "7"+string(t), "16"+string(t), "(-3"+string(t)+")")
	case t == i64 && g.IntN(3) == 2:
		return pick(g.choices, "n", "m")
	case p.IsUnsigned():
		return pick(g.choices, "0"+string(t), "1"+string(t), "3"+string(t), "100"+string(t), string(t)+".highest")
	default:
		return pick(g.choices, "0"+string(t), "1"+string(t), "3"+string(t), "10"+string(t), "(-1"+string(t)+")", string(t)+".lowest",
			string(t)+".highest")
	}
}

func (g *generator) scalarExp(sc scope, t scalar, depth int) string {
	if g.IntN(3) == 2 {
		return g.aggregate(sc, t, depth)
	}
	switch {
	case t == boolean:
		return g.boolExp(sc, depth)
	case t.prim().IsFloat():
		return g.floatExp(sc, t, depth)
	default:
		return g.intExp(sc, t, depth)
	}
}

func (g *generator) boolExp(sc scope, depth int) string {
	switch g.IntN(8) {
	case 0, 1, 2:
		t := g.scalarType()
		return fmt.Sprintf("(%s %s %s)", g.exp(sc, t, depth), pick(g.choices, "<", "<=", ">", ">=", "==", "!="), g.exp(sc, t, depth))
	case 3:
		return fmt.Sprintf("(%s %s %s)", g.exp(sc, boolean, depth), pick(g.choices, "&&", "||", "==", "!="), g.exp(sc, boolean, depth))
	case 4:
		return fmt.Sprintf("(!%s)", g.exp(sc, boolean, depth))
	case 5:
		u := g.firstOrder(2)
		return fmt.Sprintf("(%s %s %s)", g.exp(sc, u, depth), pick(g.choices, "==", "!="), g.exp(sc, u, depth))
	case 6:
		t := g.scalarType()
		if t == typ(boolean) {
			t = i32
		}
		return fmt.Sprintf("(bool.%s %s)", t, g.exp(sc, t, depth))
	default:
		return fmt.Sprintf("(null %s)", g.unsized(sc, g.scalarType(), depth))
	}
}

func (g *generator) intExp(sc scope, t scalar, depth int) string {
	x := func() string { return g.exp(sc, t, depth) }
	name := string(t)
	switch g.IntN(11) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g.choices, "+", "-", "*", "&", "|", "^"), x())
	case 4:
		return fmt.Sprintf("(%s %s (%s | 1))", x(), pick(g.choices, "/", "%", "//", "%%"), x())
	case 5:
		return fmt.Sprintf("(%s %s (%s & 7))", x(), pick(g.choices, "<<", ">>", ">>>"), x())
	case 6:
		return fmt.Sprintf("(%s.%s %s %s)", name, pick(g.choices, "max", "min", "mul_hi"), x(), x())
	case 7:
		return fmt.Sprintf("(%s.%s %s)", name, pick(g.choices, "abs", "sgn", "not", "neg"), x())
	case 8:
		u := g.scalarType()
		return fmt.Sprintf("(%s.%s %s)", name, u, g.exp(sc, u, depth))
	case 9:
		return fmt.Sprintf("(%s ** (%s & 3))", x(), x())
	default:
		return fmt.Sprintf("(%s.i32 (%s.%s %s))", name, name, pick(g.choices, "popc", "clz", "ctz"), x())
	}
}

// floatExp makes a whole number of at most 16.
func (g *generator) floatExp(sc scope, t scalar, depth int) string {
	x := func() string { return g.exp(sc, t, depth) }
	name := string(t)
	if g.oneIn(10) {
		if e := g.derivative(sc, t, depth); e != "" {
			return e
		}
	}
	switch g.IntN(6) {
	case 0, 1, 2:
		return fmt.Sprintf("(fit_%s (%s %s %s))", name, x(), pick(g.choices, "+", "-", "*"), x())
	case 3:
		return fmt.Sprintf("(%s.%s %s %s)", name, pick(g.choices, "max", "min"), x(), x())
	case 4:
		return pick(g.choices,
			fmt.Sprintf("(%s.abs %s)", name, x()),
			fmt.Sprintf("(%s.neg %s)", name, x()),
			fmt.Sprintf("(%s.floor (%s / 2))", name, x()),
			fmt.Sprintf("(%s.trunc (%s / 4))", name, x()),
			fmt.Sprintf("(%s.round (%s / 2))", name, x()),
			fmt.Sprintf("(%s.ceil (%s / 8))", name, x()))
	default:
		u := g.scalarType()
		return fmt.Sprintf("(fit_%s (%s.%s %s))", name, name, u, g.exp(sc, u, depth))
	}
}

// aggregate makes a scalar of arrays.
func (g *generator) aggregate(sc scope, t scalar, depth int) string {
	switch g.IntN(8) {
	case 0:
		elem := g.scalarType()
		return fmt.Sprintf("(at %s %s %s)", g.exp(sc, i64, depth), g.exp(sc, t, 0),
			g.applied(sc, elem, t, depth))
	case 1:
		if t == i64 {
			return fmt.Sprintf("(length %s)", g.unsized(sc, g.scalarType(), depth))
		}
		if t == boolean {
			s := g.size()
			e := g.element(s)
			p := g.times(g.sizes[s], func() string { return g.exp(sc, function{e, boolean}, depth) })
			return fmt.Sprintf("(%s %s %s)", pick(g.choices, "any", "all"), p, g.exp(sc, array{s, e}, depth))
		}
	case 2:
		s := g.size()
		from := g.element(s)
		a := variable{g.fresh("a"), t}
		e := variable{g.fresh("e"), from}
		body := g.times(g.sizes[s], func() string { return g.exp(sc.with(a, e), t, depth) })
		return fmt.Sprintf("(foldl (\\(%s: %s) (%s: %s) -> %s) %s %s)", a.name, t, e.name, from, body, g.exp(sc, t, depth),
			g.exp(sc, array{s, from}, depth))
	case 3:
		return fmt.Sprintf("(or_else %s %s)", g.exp(sc, option{t}, depth), g.exp(sc, t, depth))
	}
	op, _ := g.operator(t, anyOrder, -1)
	return g.reduced(sc, t, op, depth)
}
