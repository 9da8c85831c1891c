package internalise

import (
	"slices"

	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/derive"
)

// Note [Derivatives by the programmer]
//
// `with_vjp f f' x` becomes a call of a function that does what `f x` does. Its parameters are what f and f' use from outside, x among it.
// A second function does what f' does; its parameters are those of the first, then the first's results and their adjoints. Package derive
// is told that it returns the adjoints of x; nothing else calls it.

// withVJP translates the application of a function with a derivative by the programmer: see Note [Derivatives by the programmer].
func (s *scope) withVJP(e *types.Builtin) []core.Operand {
	xs := s.exp(e.Args[2])
	s.at(e.At)
	f, g := e.Args[0].(*types.Lambda), e.Args[1].(*types.Lambda)
	args := make([]core.Operand, len(xs))
	for i, x := range xs {
		args[i] = s.b.Let("x", &core.Use{X: x})
	}
	body := s.build(func(in *scope) []core.Operand { return in.applied(f, args) })
	results := s.resultParams(body)
	ys := results[len(results)-len(body.Res):]
	dys := make([]core.Param, len(ys))
	for i, y := range ys {
		dys[i] = s.b.Param("dy", y.Type)
	}
	back := s.build(func(in *scope) []core.Operand {
		return in.ensureAll(in.applied(g, paramOperands(ys), paramOperands(dys)), in.typesOf(args))
	})

	own := slices.Concat(results, dys)
	params := s.freeIn(own, args, body, back)
	c := derive.Custom{Inert: inert(f.Ret.Type), Args: make([]int, len(args))}
	for i, x := range args {
		c.Args[i] = slices.IndexFunc(params, func(p core.Param) bool { return p.Var == x.Var })
	}
	body.Res = append(s.bornSizes(results[:len(results)-len(ys)], ys, body), body.Res...)
	name := s.closed(s.deriver.Name("custom"), params, results, body)
	c.Derivative = s.closed(s.deriver.Name("custom_vjp"), slices.Concat(params, own), s.paramsLike(args), back)
	s.deriver.Customs[name] = c
	s.b.Bind(results, &core.Call{Fun: name, Args: paramOperands(params)})
	return paramOperands(ys)
}

func paramOperands(ps []core.Param) []core.Operand { return core.Vars(core.ParamVars(ps)) }

// applied adds the code of a function for arguments, each the components of a parameter.
func (s *scope) applied(lam *types.Lambda, args ...[]core.Operand) []core.Operand {
	in := s.nest()
	for i, p := range lam.Params {
		in.bindSizes(p.Sizes, p.Pat.Base().Type, args[i])
		in.bind(p.Pat, args[i])
	}
	return in.exp(lam.Body)
}

// paramsLike makes parameters of the types of xs.
func (s *scope) paramsLike(xs []core.Operand) []core.Param {
	out := make([]core.Param, len(xs))
	for i, x := range xs {
		out[i] = s.b.Param("r", s.b.TypeOf(x))
	}
	return out
}

// resultParams makes variables for the results of body: first the sizes that are born in it, then the components.
// See Note [Derivatives by the programmer].
func (s *scope) resultParams(body *core.Body) []core.Param {
	bound := map[core.Var]bool{}
	for _, stm := range body.Stms {
		for _, p := range stm.Dst {
			bound[p.Var] = true
		}
	}
	sizes := core.Subst{}
	var out []core.Param
	for _, x := range body.Res {
		for _, n := range s.b.TypeOf(x).Shape {
			if _, seen := sizes[n.Var]; bound[n.Var] && !seen {
				p := s.b.Param("n", core.I64)
				sizes[n.Var] = core.V(p.Var)
				out = append(out, p)
			}
		}
	}
	for _, x := range body.Res {
		out = append(out, s.b.Param("r", sizes.Type(s.b.TypeOf(x))))
	}
	return out
}

// bornSizes returns the values of sizes, which ys have where body's results have sizes of its own.
func (s *scope) bornSizes(sizes, ys []core.Param, body *core.Body) []core.Operand {
	out := make([]core.Operand, len(sizes))
	for i, size := range sizes {
		for j, y := range ys {
			if d := slices.IndexFunc(y.Type.Shape, func(n core.Operand) bool { return n.IsVar(size.Var) }); d >= 0 {
				out[i] = s.b.TypeOf(body.Res[j]).Shape[d]
			}
		}
	}
	return out
}

// freeIn lists args and what bodies use from outside, but for own, and the sizes in its types: scalars first, as others mention them.
func (s *scope) freeIn(own []core.Param, args []core.Operand, bodies ...*core.Body) []core.Param {
	var free core.VarSet
	add := func(vs *core.VarSet) {
		for _, v := range vs.List() {
			if !slices.ContainsFunc(own, func(p core.Param) bool { return p.Var == v }) {
				free.Add(v)
			}
		}
	}
	for _, x := range args {
		free.Add(x.Var)
	}
	for _, b := range bodies {
		add(core.FreeInBody(b))
	}
	for _, p := range own {
		add(core.FreeInType(p.Type))
	}
	for _, v := range free.List() {
		add(core.FreeInType(s.b.Scope.TypeOf(v)))
	}
	var scalars, arrays []core.Param
	for _, v := range free.List() {
		switch p := (core.Param{Var: v, Type: s.b.Scope.TypeOf(v)}); p.Type.Kind {
		case core.KindScalar:
			scalars = append(scalars, p)
		case core.KindCert:
		default:
			arrays = append(arrays, p)
		}
	}
	return append(scalars, arrays...)
}

// closed adds a function of the given name to the program, whose body uses nothing but params. It returns the name.
func (s *scope) closed(name string, params, ret []core.Param, body *core.Body) string {
	f := &core.Fun{Name: name}
	sub := core.Subst{}
	for _, p := range slices.Concat(params, ret) {
		if _, seen := sub[p.Var]; !seen {
			sub[p.Var] = core.V(f.Fresh(s.b.Fun.Base(p.Var)))
		}
	}
	outside := core.FreeInBody(body)
	r := core.NewRenamer(f, s.b.Fun, sub)
	renamed := func(ps []core.Param) []core.Param {
		out := make([]core.Param, len(ps))
		for i, p := range ps {
			out[i] = core.Param{Var: r.Operand(core.V(p.Var)).Var, Type: r.Type(p.Type)}
		}
		return out
	}
	f.Params, f.Ret = renamed(params), renamed(ret)
	// Certificates from outside hold for the call.
	f.Body = r.Body(withoutCerts(body, func(v core.Var) bool { return s.b.Scope.TypeOf(v).Kind == core.KindCert && outside.Has(v) }))
	s.prog.Funs = append(s.prog.Funs, f)
	return name
}

// withoutCerts is a body without references to the certificates that drop tells.
func withoutCerts(b *core.Body, drop func(core.Var) bool) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		n := *s
		n.Aux.Certs = slices.DeleteFunc(slices.Clone(s.Aux.Certs), drop)
		n.Exp = core.MapBodies(s.Exp, func(b *core.Body) *core.Body { return withoutCerts(b, drop) })
		out.Stms = append(out.Stms, &n)
	}
	return out
}
