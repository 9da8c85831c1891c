package inline

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Tail calls]
//
// A function all of whose calls of itself are the last thing that they do is a loop: its parameters are the loop's, and a call is the next
// iteration. So it is not recursive any more, and can be inlined into kernels. Besides the parameters that calls change, the loop carries
// whether to go on, and the results, which are zero until it ends.

// withLoops is p with loops in place of such functions.
func withLoops(p *core.Prog) *core.Prog {
	out := *p
	out.Funs = slices.Clone(p.Funs)
	for i, f := range out.Funs {
		if t, ok := findTail(f); ok {
			out.Funs[i] = t.loop()
		}
	}
	return &out
}

// tail is a function that is made a loop.
type tail struct {
	fun *core.Fun
	// changes tells which parameters calls give other values.
	changes []bool
	// last and inside count calls that are at the end, and others.
	last, inside int

	// params are the loop's: whether to go on, the function's parameters that change, and its results.
	params []core.Param
}

// findTail reports whether f can be a loop.
func findTail(f *core.Fun) (*tail, bool) {
	t := &tail{fun: f, changes: make([]bool, len(f.Params))}
	t.count(f.Body)
	if t.last == 0 || t.inside > 0 {
		return nil, false
	}
	// What stays the same must not have sizes that change.
	for i, p := range f.Params {
		if !t.changes[i] && t.mentionsChanging(p.Type) {
			return nil, false
		}
	}
	for _, r := range f.Ret {
		if t.mentionsChanging(r.Type) {
			return nil, false
		}
	}
	return t, true
}

func (t *tail) mentionsChanging(typ core.Type) bool {
	for i, p := range t.fun.Params {
		if t.changes[i] && core.FreeInType(typ).Has(p.Var) {
			return true
		}
	}
	return false
}

// count looks for calls in a body whose results are the function's.
func (t *tail) count(b *core.Body) {
	if call, ok := t.call(b); ok {
		t.last++
		for k, x := range call.Args {
			t.changes[k] = t.changes[k] || !x.IsVar(t.fun.Params[k].Var)
		}
		b = &core.Body{Stms: b.Stms[:len(b.Stms)-1]}
	} else if e := lastBranch(b); e != nil {
		core.MapBodies(e, func(b *core.Body) *core.Body { t.count(b); return b })
		b = &core.Body{Stms: b.Stms[:len(b.Stms)-1]}
	}
	core.Walk(b, func(s *core.Stm) bool {
		if c, ok := s.Exp.(*core.Call); ok && c.Fun == t.fun.Name {
			t.inside++
		}
		return true
	})
}

// lastExp is the expression of the last statement of a body if its results are those of the body, else nil.
func lastExp(b *core.Body) core.Exp {
	if len(b.Stms) == 0 {
		return nil
	}
	s := b.Stms[len(b.Stms)-1]
	if !slices.Equal(b.Res, core.Vars(core.ParamVars(s.Dst))) {
		return nil
	}
	return s.Exp
}

// call returns the call that ends a body, if there is one.
func (t *tail) call(b *core.Body) (*core.Call, bool) {
	c, ok := lastExp(b).(*core.Call)
	return c, ok && c.Fun == t.fun.Name
}

// lastBranch returns the If or Switch that ends a body, or nil.
func lastBranch(b *core.Body) core.Exp {
	last := lastExp(b)
	switch core.Match(last).(type) {
	case *core.If, *core.Switch:
		return last
	default:
		return nil
	}
}

// loop makes the function.
func (t *tail) loop() *core.Fun {
	f := *t.fun
	f.Names = slices.Clip(f.Names)
	b := core.NewBuilder(&f, core.ScopeOf(t.fun))
	f.Params = slices.Clone(f.Params)
	first := core.Subst{}
	goOn := b.Param("again", core.BoolType)
	t.params = []core.Param{goOn}
	init := []core.Operand{core.Bool(true)}
	for i, p := range f.Params {
		if t.changes[i] {
			fresh := f.Fresh(f.Base(p.Var))
			first[p.Var] = core.V(fresh)
			t.params = append(t.params, p)
			init = append(init, core.V(fresh))
		}
	}
	for i, p := range f.Params {
		f.Params[i] = core.Param{Var: first.Operand(core.V(p.Var)).Var, Type: first.Type(p.Type), Unique: p.Unique}
	}
	b.Scope.BindAll(f.Params)
	none := core.Subst{}
	for _, r := range f.Ret {
		none[r.Var] = core.Int(0)
		init = append(init, zero(b, none.Type(r.Type)))
	}
	t.params = append(t.params, core.FreshParams(&f, f.Ret)...)
	out := b.WhileLoop(t.params, init, goOn.Var, func(b *core.Builder, _ []core.Operand) []core.Operand {
		return t.body(b, t.fun.Body)
	})
	f.Body = b.Body(out[len(out)-len(f.Ret):]...)
	return &f
}

func zero(b *core.Builder, typ core.Type) core.Operand {
	z := core.C(prim.Zero(typ.Elem))
	if !typ.IsArray() {
		return z
	}
	return b.Let("blank", &core.Replicate{Shape: typ.Shape, X: z})
}

// body adds the code of a body whose results are the function's, and returns the next values of the loop's parameters.
func (t *tail) body(b *core.Builder, body *core.Body) []core.Operand {
	n := len(body.Stms) - 1
	own := t.params[1 : len(t.params)-len(t.fun.Ret)]
	if call, ok := t.call(body); ok {
		b.Add(body.Stms[:n]...)
		next := []core.Operand{core.Bool(true)}
		if certs := body.Stms[n].Aux.Certs; len(certs) > 0 {
			b.WithCerts(certs, func() { next[0] = b.Let("again", &core.Use{X: next[0]}) })
		}
		for i, x := range call.Args {
			if t.changes[i] {
				next = append(next, x)
			}
		}
		return append(next, core.Vars(core.ParamVars(t.params[1+len(own):]))...)
	}
	if e := lastBranch(body); e != nil && t.has(e) {
		b.Add(body.Stms[:n]...)
		dst := core.FreshParams(b.Fun, t.params)
		for i := range dst {
			dst[i].Unique = false
		}
		exp := core.MapBodies(e, func(body *core.Body) *core.Body {
			return b.Build(func(b *core.Builder) []core.Operand { return t.body(b, body) })
		})
		b.Scope.BindAll(dst)
		b.Add(&core.Stm{Dst: dst, Exp: exp, Aux: body.Stms[n].Aux})
		return core.Vars(core.ParamVars(dst))
	}
	b.Add(body.Stms...)
	next := []core.Operand{core.Bool(false)}
	for _, p := range own {
		if p.Unique && p.Type.IsArray() {
			// The end of the function may have consumed it.
			next = append(next, zero(b, p.Type))
		} else {
			next = append(next, core.V(p.Var))
		}
	}
	return append(next, body.Res...)
}

// has reports whether a branch at the end has a call at an end.
func (t *tail) has(e core.Exp) bool {
	found := false
	core.MapBodies(e, func(b *core.Body) *core.Body {
		_, call := t.call(b)
		inner := lastBranch(b)
		found = found || call || inner != nil && t.has(inner)
		return b
	})
	return found
}
