package random

import (
	"fmt"
	"strings"
)

// exp makes an expression of type t, which is an operand wherever it is put.
func (g *generator) exp(sc scope, t typ, depth int) string {
	defer g.begin(t.String())()
	if g.IntN(5) == 0 || depth <= 0 || g.spent > max(mostSpent, 20*g.sizes["n"]) || len(g.spans) > mostNodes {
		return g.leaf(sc, t)
	}
	return g.compound(sc, t, depth)
}

// compound makes an expression that has parts.
func (g *generator) compound(sc scope, t typ, depth int) string {
	g.spent += g.work * min(g.elements(t), 1000)
	if g.IntN(3) == 2 {
		if e := g.general(sc, t, depth-1); e != "" {
			return e
		}
	}
	switch t := t.(type) {
	case scalar:
		return g.scalarExp(sc, t, depth-1)
	case array:
		return g.arrayExp(sc, t, depth-1)
	case function:
		return g.functionExp(sc, t, depth-1)
	case option:
		return g.optionExp(sc, t, depth-1)
	case choice:
		return g.choiceExp(sc, t, depth-1)
	case typeVar:
		return "(make_" + string(t) + " " + g.exp(sc, i32, depth-1) + ")"
	default:
		if op, ok := g.operator(t, anyOrder, -1); ok && g.IntN(3) == 0 {
			return g.reduced(sc, t, op, depth-1)
		}
		return g.build(t, func(c typ) string { return g.exp(sc, c, depth-1) })
	}
}

// leaf makes a variable or a literal.
func (g *generator) leaf(sc scope, t typ) string {
	g.spent += g.work
	if v := g.path(sc, t); v != "" && g.IntN(5) < 4 {
		return v
	}
	return g.literal(sc, t)
}

// path finds a variable, or a component of one, that has type t.
func (g *generator) path(sc scope, t typ) string {
	var found []string
	var look func(e string, have typ)
	look = func(e string, have typ) {
		if same(have, t) {
			found = append(found, e)
		}
		switch have := have.(type) {
		case tuple:
			for i, c := range have {
				look(fmt.Sprintf("%s.%d", e, i), c)
			}
		case record:
			for i, c := range have {
				look(e+"."+field(i), c)
			}
		default:
		}
	}
	for _, v := range sc {
		look(v.name, v.typ)
	}
	if len(found) == 0 {
		return ""
	}
	return pick(g.choices, found...)
}

// literal makes a small expression without variables but sizes.
func (g *generator) literal(sc scope, t typ) string {
	switch t := t.(type) {
	case scalar:
		if e := g.converted(sc, t); e != "" {
			return e
		}
		return g.scalarLiteral(t)
	case array:
		if g.IntN(3) > 0 {
			i := variable{g.fresh("ix"), i64}
			return fmt.Sprintf("(map (\\%s -> %s) (iota %s))", i.name, g.leaf(sc.with(i), t.elem), t.size)
		}
		return fmt.Sprintf("(replicate %s %s)", t.size, g.literal(sc, t.elem))
	case option:
		return fmt.Sprintf("((#none) : %s)", t)
	case choice:
		return fmt.Sprintf("((#neither) : %s)", t)
	case function:
		return g.lambda(sc, t, 0)
	case typeVar:
		return "(make_" + string(t) + " 1)"
	default:
		return g.build(t, func(c typ) string { return g.literal(sc, c) })
	}
}

// converted makes a scalar of a variable of another type, or "": a program whose leaves were constants would be one.
func (g *generator) converted(sc scope, t scalar) string {
	from := g.scalarType()
	if g.IntN(3) == 0 || same(from, t) || t == boolean && from == typ(boolean) {
		return ""
	}
	e := g.path(sc, from)
	switch {
	case e == "":
		return ""
	case t.prim().IsFloat():
		return fmt.Sprintf("(fit_%s (%s.%s %s))", t, t, from, e)
	default:
		return fmt.Sprintf("(%s.%s %s)", t, from, e)
	}
}

// build makes a tuple or record of its components.
func (g *generator) build(t typ, component func(typ) string) string {
	switch t := t.(type) {
	case tuple:
		return "(" + join(t, func(_ int, c typ) string { return component(c) }) + ")"
	case record:
		return "{" + join(t, func(i int, c typ) string { return field(i) + " = " + component(c) }) + "}"
	default:
		panic(fmt.Sprintf("random: %T", t))
	}
}

// general makes an expression of a form that has any type, or "" if the form does not suit t.
func (g *generator) general(sc scope, t typ, depth int) string {
	forms := []func(scope, typ, int) string{
		g.conditional, g.bound, g.indexed, g.folded, g.matched, g.helped, g.local, g.called, g.swapped, g.while, g.switched, g.updated,
	}
	return pick(g.choices, forms...)(sc, t, depth)
}

func (g *generator) conditional(sc scope, t typ, depth int) string {
	if hasFunctions(t) {
		return ""
	}
	return fmt.Sprintf("(if %s then %s else %s)", g.exp(sc, boolean, depth), g.exp(sc, t, depth), g.exp(sc, t, depth))
}

func (g *generator) bound(sc scope, t typ, depth int) string {
	v := variable{g.fresh("v"), g.anyType(2)}
	return fmt.Sprintf("(let %s = %s in %s)", v.name, g.exp(sc, v.typ, depth), g.exp(sc.with(v), t, depth))
}

// indexed makes an element of an array, which is known to have it.
func (g *generator) indexed(sc scope, t typ, depth int) string {
	s := g.size()
	if hasFunctions(t) || g.sizes[s] == 0 || !g.affordable(g.sizes[s]*g.elements(t)) {
		return ""
	}
	a := array{s, t}
	if g.IntN(3) == 2 && g.affordable(3*g.elements(a)) {
		a2 := array{"3", a}
		return fmt.Sprintf("%s[%s, %s]", g.exp(sc, a2, depth), g.index(sc, "3", depth), g.index(sc, s, depth))
	}
	return fmt.Sprintf("%s[%s]", g.exp(sc, a, depth), g.index(sc, s, depth))
}

// index makes an index into an array of a size that is not 0.
func (g *generator) index(sc scope, size string, depth int) string {
	if g.IntN(4) == 3 {
		return "(" + size + " - 1)"
	}
	return fmt.Sprintf("(%s %% %s)", g.exp(sc, i64, depth), size)
}

// local makes a local function and calls it, perhaps more than once.
func (g *generator) local(sc scope, t typ, depth int) string {
	p, f := variable{g.fresh("a"), g.firstOrder(1)}, g.fresh("fn")
	body := g.times(4, func() string { return g.exp(sc.with(p), t, depth) })
	use := g.exp(sc.with(variable{f, function{p.typ, t}}), t, depth)
	if g.IntN(2) == 0 {
		use = fmt.Sprintf("(%s %s)", f, g.exp(sc, p.typ, depth))
	}
	return fmt.Sprintf("(let %s (%s: %s) : %s = %s in %s)", f, p.name, p.typ, t, body, use)
}

// called makes a call by way of functions that are values.
func (g *generator) called(sc scope, t typ, depth int) string {
	switch g.IntN(4) {
	case 0:
		p := g.firstOrder(1)
		return fmt.Sprintf("(call %s %s)", g.exp(sc, function{p, t}, depth), g.exp(sc, p, depth))
	case 1:
		f := g.times(2, func() string { return g.exp(sc, function{t, t}, depth) })
		return fmt.Sprintf("(twice %s %s)", f, g.exp(sc, t, depth))
	case 2:
		p := g.firstOrder(1)
		return fmt.Sprintf("(%s |> %s)", g.exp(sc, p, depth), g.exp(sc, function{p, t}, depth))
	default:
		f := function{g.anyType(1), t}
		return fmt.Sprintf("(%s %s)", g.exp(sc, f, depth), g.exp(sc, f.param, depth))
	}
}

func (g *generator) swapped(sc scope, t typ, depth int) string {
	return fmt.Sprintf("(swap (%s, %s)).1", g.exp(sc, t, depth), g.exp(sc, g.anyType(1), depth))
}

// folded makes a loop over a range or an array.
func (g *generator) folded(sc scope, t typ, depth int) string {
	if hasFunctions(t) {
		return ""
	}
	acc := variable{g.fresh("acc"), t}
	start := g.exp(sc, t, depth)
	if g.IntN(2) == 0 {
		i := variable{g.fresh("j"), i32}
		body := g.times(3, func() string { return g.exp(sc.with(acc, i), t, depth) })
		return fmt.Sprintf("(loop (%s: %s) = %s for %s < %s do %s)", acc.name, t, start, i.name,
			pick(g.choices, "3i32", "1i32", "0i32", fmt.Sprintf("(%s %% 4)", g.exp(sc, i32, 0))), body)
	}
	s := g.size()
	elem := variable{g.fresh("e"), g.element(s)}
	in := g.exp(sc, array{s, elem.typ}, depth)
	body := g.times(g.sizes[s], func() string { return g.exp(sc.with(acc, elem), t, depth) })
	return fmt.Sprintf("(loop (%s: %s) = %s for %s in %s do %s)", acc.name, t, start, elem.name, in, body)
}

// while makes a while loop, which ends after a few steps whatever its condition says.
func (g *generator) while(sc scope, t typ, depth int) string {
	if hasFunctions(t) {
		return ""
	}
	acc, i := variable{g.fresh("acc"), t}, variable{g.fresh("k"), i64}
	start := g.exp(sc, t, depth)
	inner := sc.with(acc, i)
	return g.times(5, func() string {
		return fmt.Sprintf("(loop (%s: %s, %s) = (%s, 0i64) while %s < %s && %s do (%s, %s + 1)).0", acc.name, t, i.name, start, i.name,
			pick(g.choices, "2", "5", "("+g.exp(sc, i64, 0)+" % 7)"), g.exp(inner, boolean, depth-1), g.exp(inner, t, depth), i.name)
	})
}

// matched makes a match on a sum.
func (g *generator) matched(sc scope, t typ, depth int) string {
	if hasFunctions(t) {
		return ""
	}
	if g.IntN(2) == 0 {
		o := option{g.firstOrder(1)}
		v := variable{g.fresh("s"), o.elem}
		return fmt.Sprintf("(match %s case #none -> %s case #some %s -> %s)", g.exp(sc, o, depth), g.exp(sc, t, depth),
			v.name, g.exp(sc.with(v), t, depth))
	}
	c := choice{g.firstOrder(1), g.firstOrder(1)}
	l, r := variable{g.fresh("l"), c.left}, variable{g.fresh("r"), c.right}
	return fmt.Sprintf("(match %s case #left %s -> %s case #right %s -> %s case #both %s %s -> %s case #neither -> %s)",
		g.exp(sc, c, depth), l.name, g.exp(sc.with(l), t, depth), r.name, g.exp(sc.with(r), t, depth),
		l.name, r.name, g.exp(sc.with(l, r), t, depth), g.exp(sc, t, depth))
}

// switched makes a match on numbers.
func (g *generator) switched(sc scope, t typ, depth int) string {
	if hasFunctions(t) {
		return ""
	}
	return fmt.Sprintf("(match (%s %% 3, %s) case (0, true) -> %s case (1, _) -> %s case (_, false) -> %s case _ -> %s)",
		g.exp(sc, i32, depth), g.exp(sc, boolean, depth),
		g.exp(sc, t, depth), g.exp(sc, t, depth), g.exp(sc, t, depth), g.exp(sc, t, depth))
}

// updated makes a record with another field.
func (g *generator) updated(sc scope, t typ, depth int) string {
	r, ok := t.(record)
	if !ok {
		return ""
	}
	i := g.IntN(len(r))
	return fmt.Sprintf("(%s with %s = %s)", g.exp(sc, t, depth), field(i), g.exp(sc, r[i], depth))
}

// helped calls a helper, or is "" if none returns a t.
func (g *generator) helped(sc scope, t typ, depth int) string {
	for _, h := range g.helpers {
		if g.spent+g.work*h.cost > mostSpent {
			continue
		}
		params := h.params
		if h.param != nil {
			to := g.instance(h.result, t)
			if to == nil {
				continue
			}
			params = []typ{function{i32, to}, function{to, i32}, to}
		} else if !same(h.result, t) {
			continue
		}
		g.spent += g.work * h.cost
		args := []string{h.name, "n", "m"}
		for _, p := range params {
			args = append(args, g.exp(sc, p, depth))
		}
		return "(" + strings.Join(args, " ") + ")"
	}
	return ""
}

// instance returns what the type parameter in declared is where t is an instance of it, or nil if t is none.
func (g *generator) instance(declared, t typ) typ {
	switch d := declared.(type) {
	case typeVar:
		if hasFunctions(t) {
			return nil
		}
		return t
	case scalar:
		if same(d, t) {
			return g.firstOrder(1)
		}
	case array:
		if t, ok := t.(array); ok && t.size == d.size {
			return g.instance(d.elem, t.elem)
		}
	case option:
		if t, ok := t.(option); ok {
			return g.instance(d.elem, t.elem)
		}
	case tuple:
		if t, ok := t.(tuple); ok && len(t) == 2 && same(t[1], d[1]) {
			return g.instance(d[0], t[0])
		}
	case function:
		if t, ok := t.(function); ok && same(t.param, t.result) {
			return g.instance(d.param, t.param)
		}
	default:
	}
	return nil
}

func (g *generator) optionExp(sc scope, t option, depth int) string {
	switch g.IntN(4) {
	case 0:
		from := g.firstOrder(1)
		return fmt.Sprintf("(with_opt %s %s)", g.exp(sc, function{from, t.elem}, depth), g.exp(sc, option{from}, depth))
	case 1:
		if op, ok := g.operator(t, anyOrder, -1); ok {
			return g.reduced(sc, t, op, depth)
		}
	}
	return fmt.Sprintf("((#some %s) : %s)", g.exp(sc, t.elem, depth), t)
}

func (g *generator) choiceExp(sc scope, t choice, depth int) string {
	switch g.IntN(3) {
	case 0:
		return fmt.Sprintf("((#left %s) : %s)", g.exp(sc, t.left, depth), t)
	case 1:
		return fmt.Sprintf("((#right %s) : %s)", g.exp(sc, t.right, depth), t)
	default:
		return fmt.Sprintf("((#both %s %s) : %s)", g.exp(sc, t.left, depth), g.exp(sc, t.right, depth), t)
	}
}
