package inline

import (
	"slices"

	"skald/middle/core"
	"skald/middle/pass"
)

// Pass is the inliner.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "inline",
	Doc:  "replace calls by the functions' bodies and drop functions that are not used",
	Run:  run,
}

// program holds the functions finished so far, whose bodies are ready to be
// copied into others.
type program struct {
	ctx *pass.Context
	old *core.Prog
	// done are functions as they stay; full those as they go into lambdas,
	// where no call may remain.
	done, full map[string]*core.Fun
	recursive  map[string]bool
}

func run(ctx *pass.Context, p *core.Prog) *core.Prog {
	p = withLoops(p)
	in := &program{ctx, p, map[string]*core.Fun{}, map[string]*core.Fun{}, recursive(p)}
	out := *p
	if p.Consts != nil {
		out.Consts = in.function(p.Consts, false)
	}
	for _, e := range p.Entries {
		in.named(e.Fun)
	}
	keep := in.reachable(&out)
	out.Funs = nil
	for _, f := range p.Funs {
		if keep[f.Name] {
			out.Funs = append(out.Funs, in.named(f.Name))
		}
	}
	return &out
}

// reachable finds the functions that entry points and constants still call.
func (in *program) reachable(p *core.Prog) map[string]bool {
	keep := map[string]bool{}
	var visit func(f *core.Fun)
	visit = func(f *core.Fun) {
		core.Walk(f.Body, func(s *core.Stm) bool {
			if c, ok := s.Exp.(*core.Call); ok && !keep[c.Fun] {
				keep[c.Fun] = true
				visit(in.named(c.Fun))
			}
			return true
		})
	}
	for _, e := range p.Entries {
		keep[e.Fun] = true
		visit(in.named(e.Fun))
	}
	if p.Consts != nil {
		visit(p.Consts)
	}
	return keep
}

func (in *program) named(name string) *core.Fun {
	if f := in.done[name]; f != nil {
		return f
	}
	f := in.function(in.old.Fun(name), false)
	in.done[name] = f
	return f
}

// inside is the function called name as it goes into a lambda.
func (in *program) inside(name string) *core.Fun {
	if f := in.full[name]; f != nil {
		return f
	}
	f := in.function(in.old.Fun(name), true)
	in.full[name] = f
	return f
}

// recursive finds the functions that call themselves, directly or through
// others. Their calls remain.
func recursive(p *core.Prog) map[string]bool {
	calls := map[string][]string{}
	for _, f := range p.Funs {
		core.Walk(f.Body, func(s *core.Stm) bool {
			if c, ok := s.Exp.(*core.Call); ok {
				calls[f.Name] = append(calls[f.Name], c.Fun)
			}
			return true
		})
	}
	rec := map[string]bool{}
	for _, f := range p.Funs {
		seen := map[string]bool{}
		todo := slices.Clone(calls[f.Name])
		for len(todo) > 0 {
			g := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !seen[g] {
				seen[g] = true
				todo = append(todo, calls[g]...)
			}
		}
		rec[f.Name] = seen[f.Name]
	}
	return rec
}

// inliner works on one function. Results of inlined calls are substituted.
type inliner struct {
	*program
	fun *core.Fun
	sub core.Subst
	// constants is the body being worked on, if it is that which computes the constants. They exist only after it, so that no
	// function called from it may refer to them: all that can be are inlined.
	constants *core.Body
}

func (in *program) function(f *core.Fun, inSOAC bool) *core.Fun {
	g := *f
	g.Names = slices.Clone(f.Names)
	g.Globals = slices.Clone(f.Globals)
	c := &inliner{program: in, fun: &g, sub: core.Subst{}}
	if f == in.old.Consts {
		c.constants = f.Body
	}
	g.Body = c.body(f.Body, inSOAC)
	return &g
}

func (c *inliner) body(b *core.Body, inSOAC bool) *core.Body {
	m := core.Mapper{Operand: c.sub.Operand}
	m.Body = func(b *core.Body) *core.Body { return c.body(b, inSOAC) }
	inner := m
	inner.Body = func(b *core.Body) *core.Body { return c.body(b, true) }
	m.Lambda = func(l *core.Lambda) *core.Lambda { return inner.LambdaParts(l) }
	out := &core.Body{}
	for _, s := range b.Stms {
		s = m.MapStm(s)
		call, ok := s.Exp.(*core.Call)
		switch {
		case !ok || !inSOAC && c.constants == nil && c.noinline(call.Fun):
			out.Stms = append(out.Stms, s)
		case c.recursive[call.Fun]:
			if c.constants != nil && c.usesConstants(call.Fun, map[string]bool{}) {
				c.ctx.LimitAt(s.Aux.Where.Place(), "a constant is computed by a recursive function that uses other constants; "+
					"give them to it as arguments")
			}
			out.Stms = append(out.Stms, s)
		case inSOAC:
			out.Stms = append(out.Stms, c.call(s, c.inside(call.Fun), call)...)
		default:
			out.Stms = append(out.Stms, c.call(s, c.named(call.Fun), call)...)
		}
	}
	for _, r := range b.Res {
		out.Res = append(out.Res, c.sub.Operand(r))
	}
	return out
}

func (in *program) noinline(name string) bool {
	return slices.Contains(in.old.Fun(name).Attrs, "noinline")
}

// usesConstants reports whether a function refers to constants of the program, or calls one that does.
func (in *program) usesConstants(name string, seen map[string]bool) bool {
	f := in.named(name)
	seen[name] = true
	uses := len(f.Globals) > 0
	core.Walk(f.Body, func(s *core.Stm) bool {
		if call, ok := s.Exp.(*core.Call); ok && !seen[call.Fun] {
			uses = uses || in.usesConstants(call.Fun, seen)
		}
		return !uses
	})
	return uses
}

// call gives the statements that replace a call; its results are substituted
// from here on.
func (c *inliner) call(s *core.Stm, callee *core.Fun, call *core.Call) []*core.Stm {
	sub := core.Subst{}
	for i, p := range callee.Params {
		sub[p.Var] = call.Args[i]
	}
	for _, g := range callee.Globals {
		sub[g.Param.Var] = c.global(callee, g)
	}
	body := core.NewRenamer(c.fun, callee, sub).Body(callee.Body)
	for i, p := range s.Dst {
		c.sub[p.Var] = body.Res[i]
	}
	return relocate(body, s.Aux, true).Stms
}

// global makes a constant of the program that the callee uses available in the
// caller. The function that computes the constants has computed it before.
func (c *inliner) global(callee *core.Fun, g core.GlobalRef) core.Operand {
	if c.constants != nil {
		return c.sub.Operand(c.constants.Res[g.Index])
	}
	for _, h := range c.fun.Globals {
		if h.Index == g.Index {
			return core.V(h.Param.Var)
		}
	}
	sizes := core.Subst{}
	for _, size := range g.Param.Type.Shape {
		for _, h := range callee.Globals {
			if size.IsVar(h.Param.Var) {
				sizes[h.Param.Var] = c.global(callee, h)
			}
		}
	}
	p := core.Param{Var: c.fun.Fresh(callee.Base(g.Param.Var)), Type: sizes.Type(g.Param.Type)}
	c.fun.Globals = append(c.fun.Globals, core.GlobalRef{Param: p, Index: g.Index})
	return core.V(p.Var)
}

// relocate puts statements under a call: its place, its attributes and, on the
// outer level, its certificates.
func relocate(b *core.Body, aux core.Aux, outer bool) *core.Body {
	out := &core.Body{Res: b.Res, Stms: make([]*core.Stm, len(b.Stms))}
	for i, s := range b.Stms {
		n := &core.Stm{Dst: s.Dst, Aux: s.Aux}
		n.Aux.Where = s.Aux.Where.Under(aux.Where)
		if outer {
			n.Aux.Attrs = append(slices.Clone(s.Aux.Attrs), aux.Attrs...)
			n.Aux.Certs = append(slices.Clone(s.Aux.Certs), aux.Certs...)
		}
		n.Exp = core.MapBodies(s.Exp, func(b *core.Body) *core.Body { return relocate(b, aux, false) })
		out.Stms[i] = n
	}
	return out
}
