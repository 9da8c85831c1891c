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

// Note [Checks that all threads agree on]
//
// Where the condition of an assertion is computed from the same numbers in all threads, and no thread can have left since the workgroup
// waited last, all of them fail or none does: they leave at once, and need not find out whether another one has failed. What a thread
// computes behind an assertion that it may fail alone does not count: tint does not know that those which are left agree. Nor do variables
// that are set.

// Agreed finds the assertions of a kernel that all threads of a workgroup agree on: see Note [Checks that all threads agree on].
func Agreed(k *Kernel) map[*Assert]bool {
	a := &agreement{asserts: map[*Assert]bool{}, vars: map[Var]bool{}, set: map[Var]bool{}}
	for _, p := range k.Params {
		a.vars[p] = true
	}
	Any(k.Body, func(s Stm) bool {
		if e, ok := s.(*Set); ok {
			a.set[e.Var] = true
		}
		return false
	})
	a.stms(k.Body)
	return a.asserts
}

// agreement collects what all threads agree on.
type agreement struct {
	asserts   map[*Assert]bool
	vars, set map[Var]bool
}

func (a *agreement) exp(e Exp) bool {
	ok := true
	WalkExp(e, func(e Exp) {
		switch e := Match(e).(type) {
		case *VarExp:
			ok = ok && a.vars[e.Var] && !a.set[e.Var]
		case *Load:
			ok = false
		case *Id:
			ok = ok && e.Kind.Uniform()
		default:
		}
	})
	return ok
}

// stms goes through statements that all threads reach that are left.
func (a *agreement) stms(body []Stm) {
	alone := false // a thread may have left
	for _, s := range body {
		if Any([]Stm{s}, Collective) {
			if e, ok := s.(*For); ok {
				a.vars[e.Var] = a.exp(e.Bound)
			}
			for _, b := range Bodies(s) {
				a.stms(b)
			}
			alone = false
			continue
		}
		switch e := MatchStm(s).(type) {
		case *Let:
			a.vars[e.Var] = !alone && a.exp(e.Exp)
		case *Assert:
			if !alone && a.exp(e.Cond) {
				a.asserts[e] = true
			} else {
				alone = true
			}
		default:
			alone = alone || Any([]Stm{s}, MayFail)
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
