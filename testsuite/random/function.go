package random

import (
	"fmt"
	"strings"
)

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
		if e := g.section(sc, t, depth); e != "" {
			return e
		}
	case 2:
		u := g.anyType(1)
		return fmt.Sprintf("(flip %s %s)", g.exp(sc, function{t.param, function{u, t.result}}, depth), g.exp(sc, u, depth))
	}
	return g.lambda(sc, t, depth)
}

// section makes an operator with one of its operands, or another function that is not a lambda, or "".
func (g *generator) section(sc scope, t function, depth int) string {
	if same(t.param, i32) && same(t.result, i32) && g.IntN(3) == 0 {
		return "(adder " + g.exp(sc, i32, depth) + ")"
	}
	if !same(t.param, t.result) {
		return ""
	}
	if s, ok := t.param.(scalar); ok && s.prim().IsInt() {
		// `(- x)` is a negative number.
		return pick(g.choices, "("+pick(g.choices, "+", "*", "^", "&")+" "+g.exp(sc, s, depth)+")",
			"("+g.exp(sc, s, depth)+" "+pick(g.choices, "-", "+", "|")+")")
	}
	return fmt.Sprintf("(twice %s)", g.exp(sc, t, depth))
}
