package internalise

import (
	"slices"

	"skald/frontend/types"
	"skald/middle/core"
)

// Derivatives in core
//
// A function that is differentiated is translated in place, as the body of a core.Derivative, which stays until package derive takes the
// derivative of what simplification and fusion have made of it. Derivatives by the programmer are a core.WithVjp, by which package derive
// goes wherever the function is differentiated.
//
// The tag of a sum has no derivative. Where a tangent or adjoint is a sum, it is made by the constructor that made the value.

// inert lists the numbers of the components of t that have no derivatives.
func inert(t types.Type) []int {
	var out []int
	for i, c := range components(t) {
		if c.inert {
			out = append(out, i)
		}
	}
	return out
}

// inPlace is a function translated for some arguments, and what a statement that runs it binds: sizes that are born there, then results.
type inPlace struct {
	params         []core.Param
	body           *core.Body
	sizes, results []core.Param
}

// inPlace translates a function for the arguments xs.
func (s *scope) inPlace(fun types.Exp, xs []core.Operand) inPlace {
	var f inPlace
	for _, x := range xs {
		f.params = append(f.params, s.b.Param("x", s.b.TypeOf(x)))
	}
	f.body = s.build(func(in *scope) []core.Operand { return in.applied(fun.(*types.Lambda), paramOperands(f.params)) })
	f.sizes, f.results = s.resultParams(f.params, f.body)
	f.body.Res = append(s.bornSizes(f, f.body.Res), f.body.Res...)
	return f
}

// bound is what a statement that runs f binds.
func (f inPlace) bound() []core.Param { return slices.Concat(f.sizes, f.results) }

// derivative translates jvp and vjp, and with many, jmp and mjp, which take an array of seeds.
func (s *scope) derivative(e *types.Builtin, reverse, many bool) []core.Operand {
	seeds, xs := s.exp(e.Args[2]), s.exp(e.Args[1])
	lam := e.Args[0].(*types.Lambda)
	f := s.inPlace(lam, xs)
	d := &core.Derivative{
		Reverse: reverse, Params: f.params, Args: xs, Body: f.body, Seeds: seeds,
		InertArgs: inert(lam.Params[0].Pat.Base().Type), InertResults: inert(lam.Ret.Type),
	}
	base, of := "dy", f.results
	if reverse {
		base, of = "dx", f.params
	}
	if many {
		d.Many = s.outerSize(seeds)
		d.Seeds = core.Vars(s.withOuter(d.Many, seeds))
	}
	var derivatives []core.Param
	for _, p := range of {
		t := p.Type
		if many {
			t = core.ArrayOf(t, d.Many)
		}
		derivatives = append(derivatives, s.b.Param(base, t))
	}
	s.b.Bind(append(f.bound(), derivatives...), d)
	return paramOperands(append(f.results, derivatives...))
}

// withVjp translates the application of a function with a derivative by the programmer.
func (s *scope) withVjp(e *types.Builtin) []core.Operand {
	xs := s.exp(e.Args[2])
	lam := e.Args[0].(*types.Lambda)
	f := s.inPlace(lam, xs)
	// Back has variables of its own for the results.
	sub := core.Subst{}
	copies := func(ps []core.Param) []core.Param {
		out := make([]core.Param, len(ps))
		for i, p := range ps {
			out[i] = s.b.Param(s.b.Fun.Base(p.Var), sub.Type(p.Type))
			sub[p.Var] = core.V(out[i].Var)
		}
		return out
	}
	sizes, ys := copies(f.sizes), copies(f.results)
	dys := make([]core.Param, len(ys))
	for i, y := range ys {
		dys[i] = s.b.Param("dy", y.Type)
	}
	ret := core.ParamTypes(f.params)
	back := &core.Lambda{Params: slices.Concat(sizes, ys, dys), Ret: ret, Body: s.build(func(in *scope) []core.Operand {
		return in.ensureAll(in.applied(e.Args[1].(*types.Lambda), paramOperands(ys), paramOperands(dys)), ret)
	})}
	s.b.Bind(f.bound(), &core.WithVjp{
		Params: f.params, Args: xs, Body: f.body, Back: back, Sizes: len(sizes), InertResults: inert(lam.Ret.Type),
	})
	return paramOperands(f.results)
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

// resultParams makes variables for the results of body, which may use params: the sizes that only body knows, and the components.
func (s *scope) resultParams(params []core.Param, body *core.Body) (sizes, results []core.Param) {
	bound := map[core.Var]bool{}
	for _, p := range params {
		bound[p.Var] = true
	}
	for _, stm := range body.Stms {
		for _, p := range stm.Dst {
			bound[p.Var] = true
		}
	}
	named := core.Subst{}
	for _, x := range body.Res {
		for _, n := range s.b.TypeOf(x).Shape {
			if _, seen := named[n.Var]; bound[n.Var] && !seen {
				p := s.b.Param("n", core.I64)
				named[n.Var] = core.V(p.Var)
				sizes = append(sizes, p)
			}
		}
	}
	for _, x := range body.Res {
		results = append(results, s.b.Param("r", named.Type(s.b.TypeOf(x))))
	}
	return sizes, results
}

// bornSizes returns the values of f's sizes, which its results have where those of its body, xs, have sizes of their own.
func (s *scope) bornSizes(f inPlace, xs []core.Operand) []core.Operand {
	out := make([]core.Operand, len(f.sizes))
	for i, size := range f.sizes {
		for j, y := range f.results {
			if d := slices.IndexFunc(y.Type.Shape, func(n core.Operand) bool { return n.IsVar(size.Var) }); d >= 0 {
				out[i] = s.b.TypeOf(xs[j]).Shape[d]
			}
		}
	}
	return out
}
