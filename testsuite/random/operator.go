package random

import "fmt"

// operator is an associative operator on a type, and its neutral element.
type operator struct{ text, neutral string }

// Arguments of operator.
const (
	commuting = true
	anyOrder  = false
)

// operator picks an operator on t, which is commutative if it has to be. count is how many values it combines at most, or -1 if
// that is not known. ok is false if there is none for the type.
func (g *generator) operator(t typ, commutative bool, count int) (op operator, ok bool) {
	switch t := t.(type) {
	case scalar:
		return g.scalarOperator(t, count), true
	case array:
		op, ok := g.operator(t.elem, commutative, -1)
		return operator{"(map2 " + op.text + ")", fmt.Sprintf("(replicate %s %s)", t.size, op.neutral)}, ok
	case tuple:
		if !commutative && len(t) == 2 && g.IntN(2) == 1 {
			if op, ok := g.pairOperator(t); ok {
				return op, true
			}
		}
		if op, ok := g.leastPair(t); ok && g.IntN(3) == 0 {
			return op, true
		}
		return g.componentwise(t, t, func(i int) string { return fmt.Sprint(i) }, commutative)
	case record:
		return g.componentwise(t, t, field, commutative)
	case option:
		if !commutative && g.IntN(2) == 0 {
			return operator{"last_some", "#none"}, true
		}
		if op, ok := g.operator(t.elem, commutative, -1); ok {
			return operator{"(merge " + op.text + ")", "#none"}, true
		}
		return operator{"last_some", "#none"}, !commutative
	default:
		return operator{}, false
	}
}

// scalarOperator picks an operator on a scalar; all are commutative. Sums of floats are only made where they are exact, and alone:
// see Note [Exact floats].
func (g *generator) scalarOperator(t scalar, count int) operator {
	name := string(t)
	p := t.prim()
	switch {
	case t == boolean:
		return pick(g.choices, operator{"(&&)", "true"}, operator{"(||)", "false"}, operator{"(!=)", "false"}, operator{"(==)", "true"})
	case p.IsFloat():
		if count >= 0 && count <= sumLimit[t] && g.IntN(2) == 0 {
			return operator{"(+)", "0"}
		}
		return pick(g.choices, operator{name + ".max", "(-16)"}, operator{name + ".min", "16"})
	default:
		return pick(g.choices, operator{"(+)", "0"}, operator{name + ".max", name + ".lowest"}, operator{name + ".min", name + ".highest"},
			operator{"(*)", "1"}, operator{"(|)", "0"}, operator{"(&)", "(" + name + ".not 0)"}, operator{"(^)", "0"})
	}
}

// pairOperator makes an operator on pairs that does not commute.
func (g *generator) pairOperator(t tuple) (operator, bool) {
	if t[0] == typ(boolean) {
		op, ok := g.operator(t[1], anyOrder, -1)
		return operator{"(segmented " + op.text + ")", "(false, " + op.neutral + ")"}, ok
	}
	s, ok := t[0].(scalar)
	if !ok || !same(t[0], t[1]) || !s.prim().IsInt() {
		return operator{}, false
	}
	a, b, c, d := g.fresh("a"), g.fresh("b"), g.fresh("c"), g.fresh("d")
	return operator{fmt.Sprintf("(\\(%s, %s) (%s, %s) -> (%s * %s, %s * %s + %s))", a, b, c, d, a, c, b, c, d), "(1, 0)"}, true
}

// leastPair makes an operator that returns the lesser of two pairs.
func (*generator) leastPair(t tuple) (operator, bool) {
	if len(t) != 2 {
		return operator{}, false
	}
	for _, part := range t {
		if s, ok := part.(scalar); !ok || s == boolean || !s.prim().IsInt() {
			return operator{}, false
		}
	}
	text := fmt.Sprintf("(\\(p: %s) (q: %s) -> if p.0 < q.0 then p else if q.0 < p.0 then q else if p.1 <= q.1 then p else q)", t, t)
	return operator{text, fmt.Sprintf("(%s.highest, %s.highest)", t[0], t[1])}, true
}

// componentwise combines tuples and records component by component.
func (g *generator) componentwise(t typ, parts []typ, name func(int) string, commutative bool) (operator, bool) {
	x, y := g.fresh("x"), g.fresh("y")
	exps, neutrals := make([]string, len(parts)), make([]string, len(parts))
	for i, p := range parts {
		op, ok := g.operator(p, commutative, -1)
		if !ok {
			return operator{}, false
		}
		exps[i] = fmt.Sprintf("%s %s.%s %s.%s", op.text, x, name(i), y, name(i))
		neutrals[i] = op.neutral
	}
	collect := func(es []string) string {
		next := 0
		return g.build(t, func(typ) string { next++; return es[next-1] })
	}
	return operator{fmt.Sprintf("(\\(%s: %s) (%s: %s) -> %s)", x, t, y, t, collect(exps)), collect(neutrals)}, true
}

// Arguments of fitted.
const (
	ofArrays  = true
	ofScalars = false
)

// fitted takes the floats of a sum back to those that programs compute with. e is of type t or, if it is the result of a scan or
// histogram, an array of such.
func (op operator) fitted(t typ, e string, isArray bool) string {
	if s, ok := t.(scalar); !ok || !s.prim().IsFloat() || op.text != "(+)" {
		return e
	}
	if isArray {
		return fmt.Sprintf("(map fit_%s %s)", t, e)
	}
	return fmt.Sprintf("(fit_%s %s)", t, e)
}

// reduced makes a reduction. Its operator is op, or one that suits the number of elements and the reduction better.
func (g *generator) reduced(sc scope, t typ, op operator, depth int) string {
	soac := "reduce"
	if comm, ok := g.operator(t, commuting, -1); ok && g.IntN(2) == 1 {
		soac, op = "reduce_comm", comm
	}
	if g.IntN(3) == 0 {
		// Where the array's size is not known, op was made for any.
		return fmt.Sprintf("(%s %s %s %s)", soac, op.text, op.neutral, g.unsized(sc, t, depth))
	}
	s := g.size()
	if !g.affordable(g.sizes[s] * g.elements(t)) {
		s = "3"
	}
	if _, ok := t.(scalar); ok {
		op, _ = g.operator(t, commuting, g.sizes[s])
	}
	from := g.exp(sc, array{s, t}, depth)
	if g.IntN(2) == 0 {
		p := g.element(s)
		f := g.times(g.sizes[s], func() string { return g.exp(sc, function{p, t}, depth) })
		from = fmt.Sprintf("(map %s %s)", f, g.exp(sc, array{s, p}, depth))
	}
	return op.fitted(t, fmt.Sprintf("(%s %s %s %s)", soac, op.text, op.neutral, from), ofScalars)
}
