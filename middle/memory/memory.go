package memory

import (
	"slices"

	"skald/frontend/source"
	"skald/middle/core"
	"skald/middle/pass"
)

// Pass places arrays in memory.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "memory",
	Doc:  "give every array a block of memory and a layout",
	Run:  run,
}

func run(ctx *pass.Context, p *core.Prog) *core.Prog {
	out := *p
	out.Stage = core.StageMemory
	var consts []constant
	if p.Consts != nil {
		out.Consts = function(ctx, p, p.Consts, nil)
		consts = constants(p.Consts, out.Consts)
	}
	out.Funs = pass.Each(p.Funs, func(f *core.Fun) *core.Fun { return function(ctx, p, f, consts) })
	return &out
}

// constant says where a constant of the program, and the block that holds it,
// are among the results of Prog.Consts; mem is -1 for scalars.
type constant struct{ value, mem int }

func constants(before, after *core.Fun) []constant {
	at := func(v core.Var) int {
		return slices.IndexFunc(after.Ret, func(p core.Param) bool { return p.Var == v })
	}
	cs := make([]constant, len(before.Ret))
	for i, p := range before.Ret {
		cs[i] = constant{value: at(p.Var), mem: -1}
		if l := after.Ret[cs[i].value].Type.Layout; l != nil {
			cs[i].mem = at(l.Mem)
		}
	}
	return cs
}

// placer works on one function. Its builder's scope holds the types with
// layouts of what has been placed.
type placer struct {
	*core.Builder // of the code at the current place
	ctx           *pass.Context
	prog          *core.Prog
	homes         *homes
	kernel        *kernel // what the code is in; nil on the host
	// targets are places where arrays should be made, when they are made
	// fresh: those of the results that they flow into.
	targets map[core.Var]*core.Layout
}

func function(ctx *pass.Context, prog *core.Prog, f *core.Fun, consts []constant) *core.Fun {
	g := *f
	g.Names = slices.Clip(f.Names)
	p := &placer{
		Builder: core.NewBuilder(&g, nil), ctx: ctx, prog: prog, homes: homesOf(f), targets: map[core.Var]*core.Layout{},
	}
	if f.DeviceFunction {
		p.kernel = &kernel{operator: true} // its arrays are in private memory, too
	}
	g.Globals = nil
	for _, r := range f.Globals {
		p.global(&g, r, consts)
	}
	g.Params = p.withMemory(f.Params)
	p.Scope.BindAll(g.Params)
	g.Ret = p.withMemory(f.Ret)
	g.Body = p.denseBody(f.Body, f.Ret)
	return &g
}

func (p *placer) global(g *core.Fun, r core.GlobalRef, consts []constant) {
	c := consts[r.Index]
	if c.mem >= 0 {
		placed := p.withMemory([]core.Param{r.Param})
		g.Globals = append(g.Globals, core.GlobalRef{Param: placed[0], Index: c.mem})
		r.Param = placed[1]
	}
	r.Index = c.value
	g.Globals = append(g.Globals, r)
	p.Scope.BindAll([]core.Param{g.Globals[len(g.Globals)-1].Param})
}

// withMemory puts before each array parameter one for its block, in which the
// array lies densely.
func (p *placer) withMemory(ps []core.Param) []core.Param {
	var out []core.Param
	for _, q := range ps {
		if q.Type.IsArray() {
			m := core.Param{Var: p.Fun.Fresh(p.Fun.Base(q.Var) + "_mem"), Type: core.MemType(q.Type.Elem, core.SpaceDevice)}
			q.Type.Layout = core.RowMajor(m.Var, q.Type.Shape)
			out = append(out, m)
		}
		out = append(out, q)
	}
	return out
}

// nested runs f with a builder for a body of its own.
func (p *placer) nested(f func() []core.Operand) *core.Body {
	outer := p.Builder
	p.Builder = outer.Nested()
	res := f()
	b := p.Body(res...)
	p.Builder = outer
	return b
}

// denseBody places a body whose array results must lie densely; each is
// preceded by its block. ret are the results as they were declared.
func (p *placer) denseBody(b *core.Body, ret []core.Param) *core.Body {
	return p.nested(func() []core.Operand {
		p.stms(b)
		return p.denseAll(b.Res, ret)
	})
}

func (p *placer) denseAll(os []core.Operand, ps []core.Param) []core.Operand {
	var res []core.Operand
	for i, r := range os {
		if ps[i].Type.IsArray() {
			r = core.V(p.dense(r.Var))
			res = append(res, core.V(p.layout(r.Var).Mem))
		}
		res = append(res, r)
	}
	return res
}

func (p *placer) layout(v core.Var) *core.Layout { return p.Scope.TypeOf(v).Layout }

// dense returns an array that lies row-major at the start of its block: the
// array itself, or a copy.
func (p *placer) dense(v core.Var) core.Var {
	t := p.Scope.TypeOf(v)
	if t.Layout.IsRowMajor(t.Shape) && t.Layout.Offset.Equal(core.Poly{}) {
		return v
	}
	return p.copyTo(v, p.fresh(p.Fun.Base(v), t))
}

// copyTo copies an array to a place.
func (p *placer) copyTo(v core.Var, l *core.Layout) core.Var {
	t := p.Scope.TypeOf(v)
	t.Layout = l
	dst := p.Param(p.Fun.Base(v), t)
	p.Bind([]core.Param{dst}, &core.Copy{Array: v})
	return dst.Var
}

// stms places the statements of a body in order.
func (p *placer) stms(b *core.Body) {
	p.aim(b)
	for _, s := range b.Stms {
		where, attrs, certs := p.Where, p.Attrs, p.Certs
		p.Where, p.Attrs, p.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
		p.stm(s)
		p.Where, p.Attrs, p.Certs = where, attrs, certs
	}
}

// aim passes targets from results to what flows into them, last statement
// first, and makes the places that rows are copied to the rows' targets: see Note [Rows made in place].
func (p *placer) aim(b *core.Body) {
	for m, s := range slices.Backward(b.Stms) {
		switch e := core.Match(s.Exp).(type) {
		case *core.Use:
			p.retarget(e.X.Var, s.Dst[0].Var)
		case *core.Update:
			p.retarget(e.Array, s.Dst[0].Var)
			p.rowInPlace(b, m)
		case *core.Loop:
			for i, x := range e.Init {
				if e.Params[i].Unique {
					p.retarget(x.Var, s.Dst[i].Var)
				}
			}
		default:
		}
	}
}

func (p *placer) retarget(v, from core.Var) {
	if l := p.targets[from]; l != nil && v != 0 {
		delete(p.targets, from)
		p.targets[v] = l
	}
}

// place binds an array to a layout.
func place(q core.Param, l *core.Layout) core.Param {
	q.Type.Layout = l
	return q
}

// make binds an array that a statement fills to fresh memory, or its target.
func (p *placer) make(q core.Param) core.Param {
	if !q.Type.IsArray() {
		return q
	}
	if l := p.targets[q.Var]; l != nil {
		delete(p.targets, q.Var)
		return place(q, l)
	}
	return place(q, p.fresh(p.Fun.Base(q.Var), q.Type))
}

func (p *placer) makeAll(ps []core.Param) []core.Param {
	out := make([]core.Param, len(ps))
	for i, q := range ps {
		out[i] = p.make(q)
	}
	return out
}

func (p *placer) bug(format string, args ...any) { p.ctx.Bug(source.Span{}, format, args...) }
