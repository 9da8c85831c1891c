package imp

// Note [Uniform control flow]
//
// A barrier or subgroup operation that only some threads of a workgroup reach
// is undefined, and tint refuses code in which it cannot see that all do. So
// we ask for what tint sees: a value is uniform when it comes from constants,
// kernel parameters and workgroup-wide numbers; loads are never uniform, nor is
// a variable that is set where control flow is not. Conditions and bounds
// around a collective statement must be uniform.
//
// An Assert does not count as divergence: how the threads that failed leave
// is the back end's affair.

// uniformity finds the variables of a kernel that differ between threads.
type uniformity struct {
	varying []bool
	changed bool
}

// varyingVars is a fixed point: it starts with all variables uniform.
func varyingVars(k *Kernel) []bool {
	u := &uniformity{varying: make([]bool, len(k.Vars))}
	for u.changed = true; u.changed; {
		u.changed = false
		u.stms(k.Body, false)
	}
	return u.varying
}

func (u *uniformity) set(v Var, varying bool) {
	if v != 0 && varying && !u.varying[v] {
		u.varying[v], u.changed = true, true
	}
}

func (u *uniformity) exp(e Exp) bool {
	varying := false
	WalkExp(e, func(e Exp) {
		switch e := e.(type) {
		case *VarExp:
			varying = varying || u.varying[e.Var]
		case *Load:
			varying = true
		case *Id:
			varying = varying || !e.Kind.Uniform()
		default:
		}
	})
	return varying
}

func (u *uniformity) stms(body []Stm, divergent bool) {
	for _, s := range body {
		u.stm(s, divergent)
	}
}

func (u *uniformity) stm(s Stm, divergent bool) {
	switch s := s.(type) {
	case *Let:
		u.set(s.Var, divergent || u.exp(s.Exp))
	case *Set:
		u.set(s.Var, divergent || u.exp(s.Exp))
	case *If:
		divergent = divergent || u.exp(s.Cond)
		u.stms(s.Then, divergent)
		u.stms(s.Else, divergent)
	case *For:
		divergent = divergent || u.exp(s.Bound)
		u.set(s.Var, divergent)
		u.stms(s.Body, divergent)
	case *While:
		u.stms(s.Body, divergent || u.exp(s.Cond))
	case *LoadVec:
		for _, v := range s.Vars {
			u.set(v, true)
		}
	case *Atomic:
		u.set(s.Old, true)
	case *AtomicUpdate:
		u.set(s.Old, true)
		u.stms(s.Body, true)
	case *Subgroup:
		u.set(s.Dst, true)
	case *Invoke:
		for _, v := range s.Dst {
			u.set(v, true)
		}
	default: // binds nothing in a kernel
	}
}

// checkUniform reports the collective statements that only some threads reach.
func (v *verifier) checkUniform(k *Kernel) {
	u := &uniformity{varying: varyingVars(k)}
	var check func(body []Stm, divergent bool)
	check = func(body []Stm, divergent bool) {
		for _, s := range body {
			if divergent && Collective(s) {
				v.fail("%T in divergent control flow", s)
			}
			inner := divergent
			switch s := s.(type) {
			case *If, *For, *While:
				inner = inner || u.exp(Exps(s)[0])
			default:
			}
			for _, b := range Bodies(s) {
				check(b, inner)
			}
		}
	}
	check(k.Body, false)
}
