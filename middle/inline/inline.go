package inline

import (
	"slices"

	"skald/middle/core"
	"skald/middle/pass"
	"skald/middle/simplify"
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
	ctx  *pass.Context
	old  *core.Prog
	funs map[string]*core.Fun // those of old, by name
	// ready are the functions finished so far, by the place that their code is for.
	ready     [places]map[string]*core.Fun
	recursive map[string]bool
	growth    *growth
	// deviceFunctions are those made, by the names of the functions that they are made of; made is all, each behind those that it calls.
	deviceFunctions map[string]*core.Fun
	made            []*core.Fun
	// copied counts the statements of functions put into others.
	copied int
}

// place is what code is part of, which decides on the calls that stay in it besides those of recursive functions.
type place uint8

const (
	// onHost is the host's code: calls of what may not be inlined stay, and of what there are device functions of.
	onHost place = iota
	// inConstants is the host's code that computes the constants. These exist only after it, so that no function called from it may refer to
	// them: none stays.
	inConstants
	// inside is code of lambdas and device functions, where kernels come from: calls of device functions stay.
	inside
	places = iota
)

func run(ctx *pass.Context, p *core.Prog) *core.Prog {
	p = withLoops(p)
	var consts *core.Fun
	if p.Consts != nil {
		in := newProgram(ctx, p)
		made := simplify.Fun(in.function(p.Consts, inConstants), p.Stage)
		p = withNumbers(p, made.Body.Res)
		if len(in.made) == 0 { // It calls nothing of a program that is made again.
			consts = made
		}
	}
	in := newProgram(ctx, p)
	out := *p
	switch {
	case consts != nil:
		out.Consts = consts
	case p.Consts != nil:
		out.Consts = in.function(p.Consts, inConstants)
	}
	for _, e := range p.Entries {
		in.named(e.Fun)
	}
	keep := in.reachable(&out)
	out.Funs = nil
	for _, r := range in.made {
		if keep[r.Name] {
			out.Funs = append(out.Funs, r)
		}
	}
	for _, f := range p.Funs {
		if keep[f.Name] {
			out.Funs = append(out.Funs, in.named(f.Name))
		}
	}
	return &out
}

// withNumbers puts the constants of a program that are plain numbers, of those that it computes, in the place of references to them. What
// functions do with them is known before functions are copied.
func withNumbers(p *core.Prog, consts []core.Operand) *core.Prog {
	out := *p
	out.Funs = slices.Clone(p.Funs)
	for i, f := range out.Funs {
		g, sub := *f, core.Subst{}
		g.Globals = slices.DeleteFunc(slices.Clone(f.Globals), func(r core.GlobalRef) bool {
			x := consts[r.Index]
			if x.IsConst() {
				sub[r.Param.Var] = x
			}
			return x.IsConst()
		})
		if len(sub) == 0 {
			continue
		}
		for k, r := range g.Globals {
			g.Globals[k].Param.Type = sub.Type(r.Param.Type)
		}
		m := core.Mapper{Operand: sub.Operand}
		m.Body = func(b *core.Body) *core.Body { return m.MapBody(b) }
		g.Params, g.Ret, g.Body = m.Params(f.Params), m.Params(f.Ret), m.MapBody(f.Body)
		out.Funs[i] = &g
	}
	return &out
}

func newProgram(ctx *pass.Context, p *core.Prog) *program {
	rec := recursive(p)
	in := &program{
		ctx: ctx, old: p, funs: map[string]*core.Fun{}, recursive: rec, deviceFunctions: map[string]*core.Fun{},
	}
	for _, f := range p.Funs {
		in.funs[f.Name] = f
	}
	in.growth = newGrowth(p, in.funs, rec)
	for at := range in.ready {
		in.ready[at] = map[string]*core.Fun{}
	}
	return in
}

// reachable finds the functions that entry points and constants still call.
func (in *program) reachable(p *core.Prog) map[string]bool {
	keep := map[string]bool{}
	var visit func(f *core.Fun)
	visit = func(f *core.Fun) {
		core.Walk(f.Body, func(s *core.Stm) bool {
			if c, ok := s.Exp.(*core.Call); ok && !keep[c.Fun] {
				keep[c.Fun] = true
				visit(in.after(c.Fun))
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

// named is the function called name as the host calls it.
func (in *program) named(name string) *core.Fun { return in.as(name, onHost) }

// as is the function called name as it goes into code of a place.
func (in *program) as(name string, at place) *core.Fun {
	f := in.ready[at][name]
	if f == nil {
		f = in.function(in.funs[name], at)
		if at == inside && in.growth.candidate(in.funs[name]) {
			f = in.decide(f)
		}
		in.ready[at][name] = f
	}
	return f
}

// after is the function that is called name in the new program.
func (in *program) after(name string) *core.Fun {
	for _, r := range in.made {
		if r.Name == name {
			return r
		}
	}
	return in.named(name)
}

// inliner works on one function. Results of inlined calls are substituted.
type inliner struct {
	*program
	fun *core.Fun
	sub core.Subst
	// constants is the body being worked on, if it is that which computes the constants.
	constants *core.Body
}

func (in *program) function(f *core.Fun, at place) *core.Fun {
	g := *f
	g.Names = slices.Clip(f.Names)
	g.Globals = slices.Clone(f.Globals)
	c := &inliner{program: in, fun: &g, sub: core.Subst{}}
	if f == in.old.Consts {
		c.constants = f.Body
	}
	g.Body = c.body(f.Body, at)
	return &g
}

func (c *inliner) body(b *core.Body, at place) *core.Body {
	m := core.Mapper{Operand: c.sub.Operand}
	m.Body = func(b *core.Body) *core.Body { return c.body(b, at) }
	lambda := m
	lambda.Body = func(b *core.Body) *core.Body { return c.body(b, inside) }
	m.Lambda = func(l *core.Lambda) *core.Lambda { return lambda.LambdaParts(l) }
	out := &core.Body{}
	for _, s := range b.Stms {
		s = m.MapStm(s)
		if call, ok := s.Exp.(*core.Call); ok {
			out.Stms = append(out.Stms, c.call(s, call, at)...)
		} else {
			out.Stms = append(out.Stms, s)
		}
	}
	for _, r := range b.Res {
		out.Res = append(out.Res, c.sub.Operand(r))
	}
	return out
}

// call returns the statements that replace a call.
func (c *inliner) call(s *core.Stm, call *core.Call, at place) []*core.Stm {
	switch {
	case c.recursive[call.Fun]:
		if (at == inConstants || c.constants != nil) && c.usesConstants(call.Fun, map[string]bool{}) {
			c.ctx.LimitAt(s.Aux.Where.Place(), "a constant is computed by a recursive function that uses other constants; "+
				"give them to it as arguments")
		}
		return []*core.Stm{s}
	case at == onHost && (c.noinline(call.Fun) || slices.Contains(s.Aux.Attrs, noinline) || c.growth.multiplies(c.funs[call.Fun]) ||
		c.deviceFunction(call.Fun) != nil):
		return []*core.Stm{s}
	case at == inside && c.deviceFunction(call.Fun) != nil && !c.steered(call):
		return []*core.Stm{c.callDeviceFunction(s, call)}
	}
	if at == inside && c.growth.candidate(c.funs[call.Fun]) {
		body := c.expand(s, c.as(call.Fun, at)) // its calls are of device functions
		c.substitute(s, body.Res)
		return body.Stms
	}
	// The calls in it are expanded where they stand now, so that each statement is copied once.
	body := c.body(c.expand(s, c.funs[call.Fun]), at)
	c.substitute(s, body.Res)
	return body.Stms
}

// substitute replaces the results of a call from here on.
func (c *inliner) substitute(s *core.Stm, res []core.Operand) {
	for i, p := range s.Dst {
		c.sub[p.Var] = res[i]
	}
}

// noinline is the attribute of functions, and of single calls, that keeps calls.
const noinline = core.Attr("noinline")

func (in *program) noinline(name string) bool {
	return slices.Contains(in.funs[name].Attrs, noinline)
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

// expand returns the body of a function called, in this function.
func (c *inliner) expand(s *core.Stm, callee *core.Fun) *core.Body {
	constants := core.Subst{}
	for _, g := range callee.Globals {
		constants[g.Param.Var] = c.global(callee, g)
	}
	c.copied += core.CountStms(callee.Body)
	if c.copied > c.ctx.Statements()/2 {
		c.ctx.Leave(c.ctx.Large(s.Aux.Where.Outermost().Place(), "the last of them copies of functions called"))
	}
	return core.Expand(c.fun, callee, s, constants)
}

// callDeviceFunction is a call of the device function that has been made of the function called: it gets the constants that this refers
// to as arguments.
func (c *inliner) callDeviceFunction(s *core.Stm, call *core.Call) *core.Stm {
	callee := c.as(call.Fun, inside)
	args := slices.Clone(call.Args)
	for _, g := range callee.Globals {
		args = append(args, c.global(callee, g))
	}
	return &core.Stm{Dst: s.Dst, Exp: &core.Call{Fun: c.deviceFunction(call.Fun).Name, Args: args}, Aux: s.Aux}
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
