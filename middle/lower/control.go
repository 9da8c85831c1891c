package lower

import (
	"slices"
	"strings"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// assert generates an assertion and the site that it reports.
func (c *code) assert(e *core.Assert) {
	site := imp.Site{Where: siteText(c.where)}
	var values []imp.Exp
	var text strings.Builder
	for _, part := range e.Msg {
		if !part.IsOp {
			text.WriteString(strings.ReplaceAll(part.Text, "%", "%%"))
			continue
		}
		v := c.operand(part.X)
		t := v.typ.Prim()
		if len(values) == (imp.FailureWords-imp.FailureValues)/2 {
			text.WriteString("…")
			continue
		}
		text.WriteByte('%')
		site.Types = append(site.Types, t)
		values = append(values, asPrim(v))
	}
	site.Text = text.String()
	cond := c.operand(e.Cond)
	if k, ok := cond.exp.(*imp.Const); ok && k.Value.Bool() {
		return
	}
	c.emit(&imp.Assert{Cond: cond.exp, Site: c.l.site(site), Values: values})
}

// siteText is a chain of call sites, innermost first, a line each.
func siteText(w *core.Site) string {
	var lines []string
	for ; w != nil; w = w.Caller {
		if w.Loc != "" {
			lines = append(lines, w.Loc)
		}
	}
	return strings.Join(lines, "\n")
}

// joined is a variable that several bodies give a value.
type joined struct {
	param core.Param
	v     imp.Var
}

// ifStm generates a branch. Scalars that it returns are variables that both
// sides set; narrow when both sides' values are.
func (c *code) ifStm(s *core.Stm, e *core.If) { c.ifOf(s, e, c.body) }

// ifOf is ifStm, where body generates the sides.
func (c *code) ifOf(s *core.Stm, e *core.If, body func(*core.Body) []value) {
	cond := c.operand(e.Cond)
	var thenVals, elseVals []value
	then := c.within(func() { thenVals = body(e.Then) })
	other := c.within(func() { elseVals = body(e.Else) })
	js, types := c.join(s.Dst, [][]value{thenVals, elseVals}, &other)
	c.setJoined(&then, js, types, e.Then, thenVals)
	c.setJoined(&other, js, types, e.Else, elseVals)
	c.emit(&imp.If{Cond: cond.exp, Then: then, Else: other})
}

// join declares a variable for each scalar or block of dst, whose values the
// alternatives are. A scalar takes the variable that the last alternative, whose statements last has, joins it in (Note [Chains
// of branches]); where last is nil it has one of its own.
func (c *code) join(dst []core.Param, alts [][]value, last *[]imp.Stm) ([]joined, []imp.Type) {
	js, types := make([]joined, len(dst)), make([]imp.Type, len(dst))
	for i, d := range dst {
		js[i].param = d
		switch d.Type.Kind {
		case core.KindScalar:
			t := imp.Of(d.Type.Elem)
			val := unknown(nil, t)
			if t == imp.I64 && c.narrows() {
				val = narrowest(alts, i)
			}
			types[i] = val.typ
			if v := c.takeJoined(last, alts[len(alts)-1][i], val.typ); v != 0 {
				js[i].v = v
				c.emit(&imp.Let{Var: v, Exp: zero(val.typ)})
			} else {
				js[i].v = c.letVar(c.l.fun.Base(d.Var), val.typ, zero(val.typ))
			}
			val.exp = use(js[i].v)
			c.vals[d.Var] = val
		case core.KindMem:
			js[i].v = c.joinBlock(d.Var)
		default:
		}
	}
	return js, types
}

// Note [Chains of branches]
//
// Where the second side of a branch ends in a branch, whose results it passes on, the results of both are the same variables: else the
// inner ones would be copied to the outer ones behind the inner branch. So a chain of branches sets one variable, and has nothing behind
// its last branch, and printers print it flat, however long it is.

// takeJoined takes the declaration of the variable that val is out of body, which ends in the branch that sets it, and returns the
// variable; 0 if there is no such declaration, or one of another type.
func (c *code) takeJoined(body *[]imp.Stm, val value, t imp.Type) imp.Var {
	use, ok := val.exp.(*imp.VarExp)
	if !ok || body == nil || len(*body) == 0 || val.typ != t {
		return 0
	}
	n := len(*body) - 1
	if _, ok := (*body)[n].(*imp.If); !ok {
		return 0
	}
	for i := n - 1; i >= 0; i-- {
		let, ok := (*body)[i].(*imp.Let)
		if !ok {
			return 0
		}
		if let.Var == use.Var {
			if _, zero := let.Exp.(*imp.Const); !zero {
				return 0 // a value, not the declaration of a variable that is set
			}
			*body = slices.Delete(*body, i, i+1)
			return let.Var
		}
	}
	return 0
}

// narrowest is Idx with the union of the alternatives' intervals, if all of
// them fit, and else i64.
func narrowest(alts [][]value, i int) value {
	lo, hi := alts[0][i].lo, alts[0][i].hi
	for _, a := range alts[1:] {
		lo, hi = min(lo, a[i].lo), max(hi, a[i].hi)
	}
	if fits32(lo, hi) {
		return value{typ: imp.Idx, lo: lo, hi: hi}
	}
	return unknown(nil, imp.I64)
}

func zero(t imp.Type) imp.Exp { return &imp.Const{Type: t, Value: prim.Zero(t.Prim())} }

// setJoined ends one alternative: it sets the variables to the body's results.
func (c *code) setJoined(body *[]imp.Stm, js []joined, types []imp.Type, b *core.Body, vals []value) {
	saved := c.out
	c.out = body
	defer func() { c.out = saved }()
	for i, j := range js {
		switch j.param.Type.Kind {
		case core.KindScalar:
			if v, ok := vals[i].exp.(*imp.VarExp); !ok || v.Var != j.v {
				c.set(j.v, convert(vals[i].exp, vals[i].typ, types[i]))
			}
		case core.KindMem:
			c.setJoinedBlock(j, b.Res[i].Var)
		default:
		}
	}
}

// switchStm generates a Switch as a chain of branches.
func (c *code) switchStm(s *core.Stm, e *core.Switch) {
	on := c.operand(e.On)
	bodies := e.Bodies()
	alts, outs := make([][]value, len(bodies)), make([][]imp.Stm, len(bodies))
	for i, b := range bodies {
		outs[i] = c.within(func() { alts[i] = c.body(b) })
	}
	js, types := c.join(s.Dst, alts, &outs[len(outs)-1])
	for i, b := range bodies {
		c.setJoined(&outs[i], js, types, b, alts[i])
	}
	rest := outs[len(e.Cases)]
	for i := len(e.Cases) - 1; i >= 0; i-- {
		k := constant(e.Cases[i].Value)
		cond := &imp.Cmp{Op: prim.Eq, Type: on.typ, X: on.exp, Y: convert(k.exp, k.typ, on.typ)}
		rest = []imp.Stm{&imp.If{Cond: cond, Then: outs[i], Else: rest}}
	}
	for _, s := range rest {
		c.emit(s)
	}
}

// loop generates a loop. Its parameters are variables; the next values are
// all computed before the first is set.
func (c *code) loop(s *core.Stm, e *core.Loop) {
	js := c.enterLoop(e)
	iterate := func() {
		vals := c.body(e.Body)
		c.nextValues(js, e.Body, vals)
	}
	if e.IsFor() {
		c.countedLoop(e, iterate)
	} else {
		body := c.within(iterate)
		c.emit(&imp.While{Cond: c.variable(e.While).exp, Body: body})
	}
	for i, d := range s.Dst {
		switch d.Type.Kind {
		case core.KindScalar:
			c.vals[d.Var] = c.vals[e.Params[i].Var]
		case core.KindMem:
			c.leaveLoop(d.Var, js[i])
		default:
		}
	}
}

// enterLoop declares the variables of a loop, all of whose first values are computed before.
func (c *code) enterLoop(e *core.Loop) []joined {
	js := make([]joined, len(e.Params))
	inits := make([]value, len(e.Params))
	for i, o := range e.Init {
		if e.Params[i].Type.IsScalar() {
			inits[i] = c.operand(o)
		}
	}
	for i, p := range e.Params {
		js[i] = joined{param: p, v: c.loopParam(p, e.Init[i], inits[i])}
	}
	return js
}

// loopParam declares the variable of a loop's parameter.
func (c *code) loopParam(p core.Param, init core.Operand, val value) imp.Var {
	switch p.Type.Kind {
	case core.KindScalar:
		t := imp.Of(p.Type.Elem)
		v := c.letVar(c.l.fun.Base(p.Var), t, asPrim(val))
		c.vals[p.Var] = unknown(use(v), t)
		return v
	case core.KindMem:
		return c.loopBlock(p.Var, init.Var)
	default:
	}
	return 0
}

// nextValues sets a loop's variables to the results of its body.
func (c *code) nextValues(js []joined, b *core.Body, vals []value) {
	var dst []imp.Var
	var next []imp.Exp
	for i, j := range js {
		switch j.param.Type.Kind {
		case core.KindScalar:
			dst, next = append(dst, j.v), append(next, asPrim(vals[i]))
		case core.KindMem:
			if e := c.nextBlock(js, i, b); e != nil {
				dst, next = append(dst, j.v), append(next, e)
			}
		default:
		}
	}
	if len(dst) > 1 {
		for i, e := range next {
			if v, ok := e.(*imp.VarExp); ok && v.Var == dst[i] || isConst(e) {
				continue
			}
			next[i] = use(c.letVar("next", c.scope().TypeOf(e), e))
		}
	}
	for i, v := range dst {
		if x, ok := next[i].(*imp.VarExp); !ok || x.Var != v {
			c.set(v, next[i])
		}
	}
}

func isConst(e imp.Exp) bool { _, ok := e.(*imp.Const); return ok }

// countedLoop counts e.Index. The counter is narrow where the bound is known
// to be.
func (c *code) countedLoop(e *core.Loop, iterate func()) {
	bound := c.operand(e.Bound)
	t := imp.Of(e.Index.Type.Elem)
	ix := e.Index.Var
	name := c.l.fun.Base(ix)
	if !c.narrows() && t == imp.I64 || c.narrows() && fits32(bound.lo, bound.hi) {
		limit := convert(bound.exp, bound.typ, c.integer())
		v := c.fresh(name, c.integer())
		body := c.countingBits(v, func() {
			if t == imp.I64 {
				c.vals[ix] = value{exp: use(v), typ: c.integer(), hi: max(0, bound.hi-1)}
			} else {
				c.bind(ix, unknown(convert(use(v), imp.Idx, t), t))
			}
			iterate()
		})
		c.emit(&imp.For{Var: v, Bound: limit, Body: body})
		return
	}
	limit := c.let("bound", t, asPrim(bound))
	v := c.letVar(name, t, zero(t))
	body := c.within(func() {
		c.vals[ix] = unknown(use(v), t)
		iterate()
		one := &imp.Const{Type: t, Value: prim.One(t.Prim())}
		c.set(v, &imp.Bin{Op: prim.Add, Type: t, X: use(v), Y: one})
	})
	c.emit(&imp.While{Cond: less(t, use(v), limit), Body: body})
}
