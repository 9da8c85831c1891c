package derive

import (
	"fmt"
	"slices"

	"skald/middle/core"
	"skald/middle/pass"
)

// Pass takes derivatives. After it a program has no core.Derivative and no core.WithVjp.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "derive",
	Doc:  "take derivatives: put code that computes them in the place of jvp, vjp and withvjp",
	Run:  run,
}

// Wanted reports whether there are derivatives to be taken in a program, or some by the programmer that nobody asks for.
func Wanted(p *core.Prog) bool {
	return p.Any(isWanted)
}

func isWanted(e core.Exp) bool {
	switch core.Match(e).(type) {
	case *core.Derivative, *core.WithVjp:
		return true
	default:
		return false
	}
}

// program is a program whose derivatives are being taken.
type program struct {
	ctx     *pass.Context
	deriver *Deriver
	// funs are the functions by name; old are those still to be looked at, busy those being looked at.
	funs      map[string]*core.Fun
	old, busy map[string]bool
	// added are twins.
	added []*core.Fun
}

func run(ctx *pass.Context, p *core.Prog) *core.Prog {
	if !Wanted(p) {
		return p
	}
	pr := &program{ctx: ctx, funs: map[string]*core.Fun{}, old: map[string]bool{}, busy: map[string]bool{}}
	pr.deriver = &Deriver{Fun: pr.fun, Add: pr.add, Name: pr.free}
	for _, f := range p.Funs {
		pr.funs[f.Name], pr.old[f.Name] = f, core.Any(f.Body, isWanted)
	}
	out := *p
	if p.Consts != nil {
		out.Consts = pr.derived(p.Consts)
	}
	for _, f := range p.Funs {
		pr.fun(f.Name)
	}
	out.Funs = nil
	for _, f := range p.Funs {
		out.Funs = append(out.Funs, pr.funs[f.Name])
	}
	out.Funs = append(out.Funs, pr.added...)
	for i, f := range out.Funs {
		out.Funs[i] = withoutCustoms(f)
	}
	if out.Consts != nil {
		out.Consts = withoutCustoms(out.Consts)
	}
	return &out
}

// fun is the function of that name with its derivatives taken; nil inside of a derivative that is part of itself.
func (p *program) fun(name string) *core.Fun {
	switch {
	case p.busy[name]:
		return nil
	case p.old[name]:
		p.busy[name] = true
		p.funs[name] = p.derived(p.funs[name])
		p.busy[name], p.old[name] = false, false
	}
	return p.funs[name]
}

func (p *program) add(f *core.Fun) {
	p.funs[f.Name] = f
	p.added = append(p.added, f)
}

// free is a name like base that no function has. It is taken then.
func (p *program) free(base string) string {
	name := base
	for i := 1; ; i++ {
		if _, taken := p.funs[name]; !taken {
			p.funs[name] = nil
			return name
		}
		name = fmt.Sprintf("%s_%d", base, i)
	}
}

// derived is f with its derivatives taken, from the innermost to the outermost.
func (p *program) derived(f *core.Fun) *core.Fun {
	g := *f
	g.Names = append([]string(nil), f.Names...)
	g.Globals = append([]core.GlobalRef(nil), f.Globals...)
	b := core.NewBuilder(&g, core.ScopeOf(f))
	var body func(old *core.Body) *core.Body
	body = func(old *core.Body) *core.Body {
		in := b.Nested()
		for _, s := range old.Stms {
			s = &core.Stm{Dst: s.Dst, Exp: core.MapBodies(s.Exp, body), Aux: s.Aux}
			if e, ok := s.Exp.(*core.Derivative); ok {
				p.derivative(in, s, e)
			} else {
				in.Add(s)
			}
		}
		return in.Body(old.Res...)
	}
	g.Body = body(f.Body)
	return &g
}

// withoutCustoms is f with the functions that have derivatives by the programmer, and not these.
func withoutCustoms(f *core.Fun) *core.Fun {
	if !core.Any(f.Body, isWanted) {
		return f
	}
	g := *f
	b := core.NewBuilder(&g, core.ScopeOf(f))
	var body func(old *core.Body) *core.Body
	body = func(old *core.Body) *core.Body {
		in := b.Nested()
		for _, s := range old.Stms {
			if e, ok := s.Exp.(*core.WithVjp); ok {
				one := *e
				one.Body = body(e.Body)
				in.Add(plain(in, s, &one)...)
			} else {
				in.Add(&core.Stm{Dst: s.Dst, Exp: core.MapBodies(s.Exp, body), Aux: s.Aux})
			}
		}
		return in.Body(old.Res...)
	}
	g.Body = body(f.Body)
	return &g
}

// plain returns statements that do what s, whose expression is e, does. The builder has the scope; nothing is added to it.
func plain(b *core.Builder, s *core.Stm, e *core.WithVjp) []*core.Stm {
	in := b.Nested()
	in.Where, in.Attrs, in.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
	bindParams(in, e.Params, e.Args)
	in.Add(under(e.Body.Stms, s.Aux)...)
	bindResults(in, s.Dst, e.Body.Res)
	return in.Stms()
}

// bindParams binds parameters to the values of operands.
func bindParams(b *core.Builder, ps []core.Param, args []core.Operand) {
	for i, p := range ps {
		b.Bind([]core.Param{p}, &core.Use{X: args[i]})
	}
}

// bindResults binds dst to the values of operands, of which sizes come first; the types of the others may mention those.
func bindResults(b *core.Builder, dst []core.Param, values []core.Operand) {
	for i, p := range dst {
		if p.Type.IsArray() {
			b.Bind([]core.Param{p}, &core.Reshape{Shape: p.Type.Shape, Array: values[i].Var})
		} else {
			b.Bind([]core.Param{p}, &core.Use{X: values[i]})
		}
	}
}

// under returns statements with the attributes and certificates of the statement whose body they were.
func under(stms []*core.Stm, aux core.Aux) []*core.Stm {
	out := make([]*core.Stm, len(stms))
	for i, s := range stms {
		n := *s
		n.Aux.Attrs = slices.Concat(s.Aux.Attrs, aux.Attrs)
		n.Aux.Certs = slices.Concat(s.Aux.Certs, aux.Certs)
		out[i] = &n
	}
	return out
}
