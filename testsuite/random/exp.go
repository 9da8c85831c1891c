package random

import (
	"fmt"
	"strings"
)

// exp makes an expression of type t, which is an operand wherever it stands.
func (g *generator) exp(sc scope, t typ, depth int) string {
	if v := g.path(sc, t); v != "" && (depth <= 0 || g.IntN(4) == 0) {
		return v
	}
	if depth <= 0 {
		return g.literal(sc, t)
	}
	if g.IntN(3) == 0 {
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
	case typeVar:
		return "(make_" + string(t) + " " + g.exp(sc, i32, depth-1) + ")"
	default:
		return g.build(t, func(c typ) string { return g.exp(sc, c, depth-1) })
	}
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
	return pick(g, found...)
}

// literal makes a small expression without variables but sizes.
func (g *generator) literal(sc scope, t typ) string {
	switch t := t.(type) {
	case scalar:
		switch t {
		case i32:
			return pick(g, "0", "1", "2", "3", "10", "(-1)")
		case i64:
			return pick(g, "0i64", "1i64", "5i64", "n", "m")
		default:
			return pick(g, "true", "false")
		}
	case array:
		return fmt.Sprintf("(replicate %s %s)", t.size, g.literal(sc, t.elem))
	case option:
		return fmt.Sprintf("((#none) : %s)", t)
	case function:
		return g.lambda(sc, t, 0)
	case typeVar:
		return "(make_" + string(t) + " 1)"
	default:
		return g.build(t, func(c typ) string { return g.literal(sc, c) })
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

// general makes an expression of a form that gives any type, or "" if the form does not suit t.
func (g *generator) general(sc scope, t typ, depth int) string {
	switch g.IntN(9) {
	case 0:
		v := variable{g.fresh("v"), g.anyType(2)}
		return fmt.Sprintf("(let %s = %s in %s)", v.name, g.exp(sc, v.typ, depth), g.exp(sc.with(v), t, depth))
	case 1:
		if hasFunctions(t) {
			return ""
		}
		return fmt.Sprintf("(if %s then %s else %s)", g.exp(sc, boolean, depth), g.exp(sc, t, depth), g.exp(sc, t, depth))
	case 2:
		f := function{g.anyType(1), t}
		return fmt.Sprintf("(%s %s)", g.exp(sc, f, depth), g.exp(sc, f.param, depth))
	case 3:
		p := g.firstOrder(1)
		return fmt.Sprintf("(call %s %s)", g.exp(sc, function{p, t}, depth), g.exp(sc, p, depth))
	case 4:
		return fmt.Sprintf("(twice %s %s)", g.exp(sc, function{t, t}, depth), g.exp(sc, t, depth))
	case 5:
		u := g.anyType(1)
		return fmt.Sprintf("(swap (%s, %s)).1", g.exp(sc, t, depth), g.exp(sc, u, depth))
	case 6:
		return g.fold(sc, t, depth)
	case 7:
		return g.matched(sc, t, depth)
	default:
		return g.helped(sc, t, depth)
	}
}

// fold makes a loop.
func (g *generator) fold(sc scope, t typ, depth int) string {
	if hasFunctions(t) {
		return ""
	}
	acc, i := variable{g.fresh("acc"), t}, variable{g.fresh("j"), i32}
	if g.IntN(2) == 0 {
		body := g.exp(sc.with(acc, i), t, depth)
		return fmt.Sprintf("(loop (%s: %s) = %s for %s < 3i32 do %s)", acc.name, t, g.exp(sc, t, depth), i.name, body)
	}
	elem := variable{g.fresh("e"), g.firstOrder(1)}
	in := g.exp(sc, array{g.size(), elem.typ}, depth)
	body := g.exp(sc.with(acc, elem), t, depth)
	return fmt.Sprintf("(loop (%s: %s) = %s for %s in %s do %s)", acc.name, t, g.exp(sc, t, depth), elem.name, in, body)
}

// matched makes a match on an option.
func (g *generator) matched(sc scope, t typ, depth int) string {
	if hasFunctions(t) {
		return ""
	}
	o := option{g.firstOrder(1)}
	v := variable{g.fresh("s"), o.elem}
	return fmt.Sprintf("(match %s case #none -> %s case #some %s -> %s)", g.exp(sc, o, depth), g.exp(sc, t, depth),
		v.name, g.exp(sc.with(v), t, depth))
}

// helped calls a helper, or "" if none gives a t.
func (g *generator) helped(sc scope, t typ, depth int) string {
	for _, h := range g.helpers {
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
		args := []string{h.name, "n", "m"}
		for _, p := range params {
			args = append(args, g.exp(sc, p, depth))
		}
		return "(" + strings.Join(args, " ") + ")"
	}
	return ""
}

// instance gives what the type parameter in declared stands for where t is an instance of it, or nil if t is none.
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
		if t, ok := t.(tuple); ok && same(t[1], d[1]) {
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

func (g *generator) scalarExp(sc scope, t scalar, depth int) string {
	switch t {
	case i32:
		return g.intExp(sc, depth)
	case i64:
		switch g.IntN(3) {
		case 0:
			return fmt.Sprintf("(length %s)", g.ints(sc, depth))
		case 1:
			return fmt.Sprintf("(i64.i32 %s)", g.exp(sc, i32, depth))
		default:
			return fmt.Sprintf("(i64.max %s %s)", g.exp(sc, i64, depth), g.exp(sc, i64, depth))
		}
	default:
		switch g.IntN(3) {
		case 0:
			return fmt.Sprintf("(%s < %s)", g.exp(sc, i32, depth), g.exp(sc, i32, depth))
		case 1:
			return fmt.Sprintf("(%s && !%s)", g.exp(sc, boolean, depth), g.exp(sc, boolean, depth))
		default:
			u := g.firstOrder(1)
			return fmt.Sprintf("(%s == %s)", g.exp(sc, u, depth), g.exp(sc, u, depth))
		}
	}
}

func (g *generator) intExp(sc scope, depth int) string {
	switch g.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", g.exp(sc, i32, depth), pick(g, "+", "-", "*"), g.exp(sc, i32, depth))
	case 2:
		return fmt.Sprintf("(i32.sum (map clamp %s))", g.ints(sc, depth))
	case 3:
		a := array{g.size(), i32}
		return fmt.Sprintf("%s[%s %% %s]", g.exp(sc, a, depth), g.exp(sc, i64, depth), a.size)
	case 4:
		return fmt.Sprintf("(reduce i32.%s 0 (map clamp %s))", pick(g, "max", "min"), g.ints(sc, depth))
	case 5:
		return fmt.Sprintf("(or_else %s %s)", g.exp(sc, option{i32}, depth), g.exp(sc, i32, depth))
	case 6:
		return fmt.Sprintf("(clamp %s)", g.exp(sc, i32, depth))
	default:
		k, x, y := variable{g.fresh("k"), i32}, g.fresh("x"), g.fresh("y")
		return fmt.Sprintf("(let (%s, %s) = both (\\(%s: i32) -> filter (> %s) %s) %s %s in i32.i64 (length %s) - i32.i64 (length %s))",
			x, y, k.name, k.name, g.ints(sc.with(k), 0), g.exp(sc, i32, depth), g.exp(sc, i32, depth), x, y)
	}
}

// ints makes an array of i32 of any size.
func (g *generator) ints(sc scope, depth int) string {
	if depth <= 0 {
		return g.exp(sc, array{g.size(), i32}, 0)
	}
	switch g.IntN(12) {
	case 6, 7, 8:
		return g.lifted(sc, depth-1)
	case 0:
		return fmt.Sprintf("(filter %s %s)", g.exp(sc, function{i32, boolean}, depth-1), g.ints(sc, depth-1))
	case 1:
		return fmt.Sprintf("(%s ++ %s)", g.ints(sc, depth-1), g.ints(sc, depth-1))
	case 2:
		grown, i := g.fresh("grown"), g.fresh("j")
		return fmt.Sprintf("(loop %s = %s for %s < 2i32 do %s ++ [%s])", grown, g.ints(sc, depth-1), i, grown,
			g.exp(sc.with(variable{i, i32}), i32, depth-1))
	case 3:
		return fmt.Sprintf("(if %s then %s else %s)", g.exp(sc, boolean, depth-1), g.ints(sc, depth-1), g.ints(sc, depth-1))
	case 4:
		return fmt.Sprintf("(call positive %s)", g.ints(sc, depth-1))
	default:
		return g.exp(sc, array{g.size(), i32}, depth)
	}
}

// lifted makes an array of i32 by way of values whose sizes no type says.
func (g *generator) lifted(sc scope, depth int) string {
	k, o := variable{g.fresh("k"), i32}, g.fresh("o")
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("(call (\\(%s: i32) -> filter (> %s) %s) %s)", k.name, k.name, g.ints(sc.with(k), depth), g.exp(sc, i32, depth))
	case 1:
		return fmt.Sprintf("(match lifted_map positive (#many %s) case #many %s -> %s case #few %s -> [%s])",
			g.ints(sc, depth), o, o, k.name, g.exp(sc.with(k), i32, depth))
	case 2:
		return fmt.Sprintf("(box.unpack (box.grow %s (twice (box.grow 1) (box.pack %s))))", g.exp(sc, i32, depth), g.ints(sc, depth))
	case 3:
		return fmt.Sprintf("(repeat %s (\\(%s: () -> []i32) -> %s () ++ [%s]) (\\() -> %s))", pick(g, "0", "1", "3"), o, o,
			g.exp(sc, i32, depth), g.ints(sc, depth))
	case 4:
		return fmt.Sprintf("(call (\\(%s: i32) -> positive (replicate 3 %s)) %s)", k.name, k.name, g.exp(sc, i32, depth))
	default:
		return fmt.Sprintf("(run_step %s %s)", pick(g,
			"(#const (\\() -> "+g.ints(sc, depth)+"))",
			fmt.Sprintf("(#make (\\(%s: i32) -> filter (< %s) %s))", k.name, k.name, g.ints(sc.with(k), depth))),
			g.exp(sc, i32, depth))
	}
}

func (g *generator) arrayExp(sc scope, t array, depth int) string {
	switch g.IntN(9) {
	case 0, 1:
		from := g.firstOrder(1)
		return fmt.Sprintf("(map %s %s)", g.exp(sc, function{from, t.elem}, depth), g.exp(sc, array{t.size, from}, depth))
	case 2:
		p, q := variable{g.fresh("p"), g.firstOrder(1)}, variable{g.fresh("q"), g.firstOrder(1)}
		return fmt.Sprintf("(map2 (\\(%s: %s) (%s: %s) -> %s) %s %s)", p.name, p.typ, q.name, q.typ,
			g.exp(sc.with(p, q), t.elem, depth), g.exp(sc, array{t.size, p.typ}, depth), g.exp(sc, array{t.size, q.typ}, depth))
	case 3:
		return fmt.Sprintf("(replicate %s %s)", t.size, g.exp(sc, t.elem, depth))
	case 4:
		if t.size == "3" {
			return fmt.Sprintf("[%s, %s, %s]", g.exp(sc, t.elem, depth), g.exp(sc, t.elem, depth), g.exp(sc, t.elem, depth))
		}
		return fmt.Sprintf("(reverse %s)", g.exp(sc, t, depth))
	case 5:
		if inner, ok := t.elem.(array); ok {
			return fmt.Sprintf("(transpose %s)", g.exp(sc, array{inner.size, array{t.size, inner.elem}}, depth))
		}
		return fmt.Sprintf("(copy %s with [%s %% %s] = %s)", g.exp(sc, t, depth), g.exp(sc, i64, depth), t.size,
			g.exp(sc, t.elem, depth))
	case 6:
		i := variable{g.fresh("j"), i64}
		return fmt.Sprintf("(table (\\(%s: i64) -> %s) : %s)", i.name, g.exp(sc.with(i), t.elem, depth), t)
	case 7:
		u := g.firstOrder(1)
		return fmt.Sprintf("(unzip (zip %s %s)).0", g.exp(sc, t, depth), g.exp(sc, array{t.size, u}, depth))
	default:
		if t.elem == typ(i32) {
			return pick(g,
				fmt.Sprintf("(scan (+) 0 (map clamp %s))", g.exp(sc, t, depth)),
				fmt.Sprintf("(bump %s %s (copy %s))", g.exp(sc, i64, depth), g.exp(sc, i32, depth), g.exp(sc, t, depth)),
				fmt.Sprintf("(hist i32.max 0 %s (map i64.i32 %s) %s)", t.size, g.exp(sc, array{"n", i32}, depth),
					g.exp(sc, array{"n", i32}, depth)),
				fmt.Sprintf("(scatter (copy %s) (map i64.i32 [0, 2, -1]) %s)", g.exp(sc, t, depth), g.exp(sc, array{"3", i32}, depth)))
		}
		return fmt.Sprintf("(rotate %s %s)", g.exp(sc, i64, depth), g.exp(sc, t, depth))
	}
}

// lambda makes a lambda, whose parameter may be a pattern.
func (g *generator) lambda(sc scope, t function, depth int) string {
	if parts, ok := t.param.(tuple); ok && g.IntN(2) == 0 {
		names := make([]string, len(parts))
		for i, p := range parts {
			v := variable{g.fresh("c"), p}
			names[i], sc = v.name, sc.with(v)
		}
		return fmt.Sprintf("(\\((%s): %s) -> %s)", strings.Join(names, ", "), t.param, g.exp(sc, t.result, depth))
	}
	v := variable{g.fresh("a"), t.param}
	return fmt.Sprintf("(\\(%s: %s) -> %s)", v.name, t.param, g.exp(sc.with(v), t.result, depth))
}

func (g *generator) functionExp(sc scope, t function, depth int) string {
	switch g.IntN(6) {
	case 0:
		mid := g.firstOrder(1)
		return fmt.Sprintf("(compose %s %s)", g.exp(sc, function{t.param, mid}, depth), g.exp(sc, function{mid, t.result}, depth))
	case 1:
		if same(t.param, i32) && same(t.result, i32) {
			return pick(g, "clamp", "(+ "+g.exp(sc, i32, depth)+")", "("+g.exp(sc, i32, depth)+" -)",
				"(adder "+g.exp(sc, i32, depth)+")")
		}
		if same(t.param, t.result) {
			return fmt.Sprintf("(twice %s)", g.exp(sc, t, depth))
		}
		return g.lambda(sc, t, depth)
	case 2:
		u := g.anyType(1)
		return fmt.Sprintf("(flip %s %s)", g.exp(sc, function{t.param, function{u, t.result}}, depth), g.exp(sc, u, depth))
	default:
		return g.lambda(sc, t, depth)
	}
}

func (g *generator) optionExp(sc scope, t option, depth int) string {
	switch g.IntN(3) {
	case 0:
		from := g.firstOrder(1)
		return fmt.Sprintf("(with_opt %s %s)", g.exp(sc, function{from, t.elem}, depth), g.exp(sc, option{from}, depth))
	default:
		return fmt.Sprintf("((#some %s) : %s)", g.exp(sc, t.elem, depth), t)
	}
}
