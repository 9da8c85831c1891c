package imp

// Note [Uniform control flow]
//
// A barrier or subgroup operation that only some threads of a workgroup reach
// is undefined, and tint refuses code in which it cannot see that all do. So
// we ask for what tint sees: a value is uniform when it comes from constants,
// kernel parameters and workgroup-wide numbers, or from a UniformLoad; other loads are
// never uniform, nor is a variable that is set where control flow is not. Conditions and bounds
// around a collective statement must be uniform.
//
// An Assert does not count as divergence: how the threads that failed leave
// is the back end's affair.

// uniformity finds the variables of a kernel that differ between threads.
type uniformity struct {
	varying []bool
	changed bool
}

// Arguments of stms.
const (
	diverging = true
	together  = false
)

// varyingVars is a fixed point: it starts with all variables uniform.
func varyingVars(k *Kernel) []bool {
	u := &uniformity{varying: make([]bool, len(k.Vars))}
	for u.changed = true; u.changed; {
		u.changed = false
		u.stms(k.Body, together)
	}
	return u.varying
}

// An argument of set.
const varies = true

func (u *uniformity) set(v Var, varying bool) {
	if v != 0 && varying && !u.varying[v] {
		u.varying[v], u.changed = true, true
	}
}

func (u *uniformity) exp(e Exp) bool {
	varying := false
	WalkExp(e, func(e Exp) {
		switch e := Match(e).(type) {
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

// stm follows one statement. What other statements than these bind may differ between threads.
func (u *uniformity) stm(s Stm, divergent bool) {
	switch e := MatchStm(s).(type) {
	case *Let:
		u.set(e.Var, divergent || u.exp(e.Exp))
	case *UniformLoad:
		u.set(e.Var, divergent)
	case *Set:
		u.set(e.Var, divergent || u.exp(e.Exp))
	case *If:
		divergent = divergent || u.exp(e.Cond)
		u.stms(e.Then, divergent)
		u.stms(e.Else, divergent)
	case *For:
		divergent = divergent || u.exp(e.Bound)
		u.set(e.Var, divergent)
		u.stms(e.Body, divergent)
	case *While:
		u.stms(e.Body, divergent || u.exp(e.Cond))
	default:
		for _, v := range s.binds() {
			u.set(v, varies)
		}
		for _, b := range s.bodies() {
			u.stms(b, diverging)
		}
	}
}

// An argument of check.
const inAll = false

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
			switch s := MatchStm(s).(type) {
			case *UniformLoad:
				if u.exp(s.Index) {
					v.fail("a uniform load whose index differs between threads")
				}
			case *If:
				inner = inner || u.exp(s.Cond)
			case *For:
				inner = inner || u.exp(s.Bound)
			case *While:
				inner = inner || u.exp(s.Cond)
			default:
			}
			for _, b := range Bodies(s) {
				check(b, inner)
			}
		}
	}
	check(k.Body, inAll)
}
