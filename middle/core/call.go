package core

import "slices"

// Call calls a function of the program.
type Call struct {
	Fun  string
	Args []Operand
}

func (*Call) isControl() {}
func (e *Call) parts(m Mapper) Exp {
	args := m.operands(e.Args)
	if sameSlice(args, e.Args) {
		return e
	}
	return &Call{e.Fun, args}
}

func (*Call) binders() []Param            { return nil }
func (*Call) types(*Scope) ([]Type, bool) { return nil, false }
func (e *Call) reads() []Var              { return varsOf(e.Args) }

// consumes has all arguments: the function's parameters would say which.
func (e *Call) consumes() []Var { return varsOf(e.Args) }

// aliases pairs each array that the function returns with each argument, any of which it may hand back.
func (e *Call) aliases(dst []Param, may func(Param, Operand)) {
	for _, x := range e.Args {
		for _, p := range dst {
			if p.Type.IsArray() {
				may(p, x)
			}
		}
	}
}

func (*Call) mayFail() bool  { return true }
func (*Call) pure() bool     { return false }
func (*Call) parallel() bool { return false }

// allowed leaves to verify what depends on the function that is called.
func (*Call) allowed(place) bool { return true }

func (e *Call) print(p *printer) { p.writef("call %s (%s)", e.Fun, p.ops(e.Args)) }

func (e *Call) verify(v *verifier, s *Stm) {
	f := v.prog.Fun(e.Fun)
	if f == nil {
		v.fail("no function %s", e.Fun)
	}
	if v.misplaced(f) {
		v.foreign(e)
	}
	v.wantAll(e.Args, ParamTypes(f.Params), f.Params, "argument")
	if len(s.Dst) != len(f.Ret) {
		v.fail("%d results, not %d", len(s.Dst), len(f.Ret))
	}
	sub := Subst{}
	for i, p := range f.Params {
		sub[p.Var] = e.Args[i]
	}
	for i, p := range f.Ret {
		sub[p.Var] = V(s.Dst[i].Var)
	}
	for i, p := range f.Ret {
		if t := sub.Type(p.Type); !t.Same(s.Dst[i].Type) {
			v.fail("%s should have type %s", v.name(s.Dst[i].Var), PrintType(v.fun, t))
		}
	}
}

// misplaced reports whether calls of callee may not stand here. Before there are kernels a lambda may hold calls of recursive
// functions, which flattening puts on the host.
func (v *verifier) misplaced(callee *Fun) bool {
	switch {
	case !callee.DeviceFunction:
		return v.inKernel || v.inGroup
	case v.fun.DeviceFunction:
		return slices.Index(v.prog.Funs, callee) >= slices.Index(v.prog.Funs, v.fun)
	}
	return v.prog.Stage != StageSOACS && !v.inKernel && !v.inGroup
}

// Expand returns a body that does what s, a call of callee in function into, does. Its variables are new; constants says what stands for
// those that name constants of the program. Its statements carry the call's place and, on the outer level, its attributes and certificates.
func Expand(into, callee *Fun, s *Stm, constants Subst) *Body {
	sub := Subst{}
	for v, x := range constants {
		sub[v] = x
	}
	for i, p := range callee.Params {
		sub[p.Var] = s.Exp.(*Call).Args[i]
	}
	r := &relocator{call: s.Aux, sites: map[*Site]*Site{nil: s.Aux.Where}}
	return r.body(NewRenamer(into, callee, sub).Body(callee.Body), functionBody)
}

// relocator puts statements under a call.
type relocator struct {
	call Aux
	// sites are places in the callee, as they are seen through the call. Statements share them: the chains are long, but few.
	sites map[*Site]*Site
}

func (r *relocator) body(b *Body, outer bool) *Body {
	out := &Body{Res: b.Res, Stms: make([]*Stm, len(b.Stms))}
	for i, s := range b.Stms {
		n := &Stm{Dst: s.Dst, Aux: s.Aux}
		n.Aux.Where = r.site(s.Aux.Where)
		if outer {
			n.Aux.Attrs = append(slices.Clone(s.Aux.Attrs), r.call.Attrs...)
			n.Aux.Certs = append(slices.Clone(s.Aux.Certs), r.call.Certs...)
		}
		n.Exp = MapBodies(s.Exp, func(b *Body) *Body { return r.body(b, innerBody) })
		out.Stms[i] = n
	}
	return out
}

// site is the place s seen through the call, outside of all calls that s has been seen through.
func (r *relocator) site(s *Site) *Site {
	at, ok := r.sites[s]
	if !ok {
		at = &Site{Loc: s.Loc, Caller: r.site(s.Caller)}
		r.sites[s] = at
	}
	return at
}
