package eval

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// A region is a body that not all lanes enter which reach the statement it is in: a branch of an If, the body of a loop.
// The zero region is that of the kernel's body.
type region struct {
	in    imp.Stm
	other bool // the Else of an If
}

// classes says what the lanes of a block have in common while they run in lockstep: see Note [Lockstep]. It starts with
// all variables uniform and consecutive, and looks for reasons why they are not until there are no more.
type classes struct {
	flat    bool // a block may span workgroups
	scope   imp.Scope
	varying []bool
	// A variable that varies is consecutive when the next lane holds one more. If it is set in the body of a loop that
	// lanes leave one by one, that holds there only: in its region steps.
	scattered []bool
	steps     []region
	home      []binding

	path    []level // where the walk is
	body    int     // the number of the body that it is in
	bodies  int
	changed bool
}

// level is a region, and the number of the body that its statement is in.
type level struct {
	region
	parent int
}

// binding says where a variable is bound.
type binding struct {
	region region
	body   int
	known  bool
}

// An argument of bind.
const scatteredLanes = false

// classify looks at the code of a kernel, or of a device function, whose lanes have arguments of their own.
func classify(in *unit, flat bool) *classes {
	n := len(in.scope.Vars)
	u := &classes{
		flat: flat, scope: in.scope, varying: make([]bool, n), scattered: make([]bool, n),
		steps: make([]region, n), home: make([]binding, n),
	}
	for u.changed = true; u.changed; {
		u.changed, u.bodies = false, 0
		u.path = append(u.path[:0], level{})
		clear(u.home)
		for _, v := range in.params {
			u.bind(v, in.deviceFunction == nil, scatteredLanes)
		}
		u.stms(in.body)
	}
	return u
}

func (u *classes) here() level { return u.path[len(u.path)-1] }

// An argument of mark.
const markIt = true

func (u *classes) mark(set []bool, v imp.Var, yes bool) {
	if v != 0 && yes && !set[v] {
		set[v], u.changed = true, true
	}
}

// bind notes that v gets its first value here.
func (u *classes) bind(v imp.Var, uniform, consecutive bool) {
	if h := &u.home[v]; h.known && h.region != u.here().region {
		uniform, consecutive = false, false
	}
	u.home[v] = binding{u.here().region, u.body, true}
	u.mark(u.varying, v, !uniform)
	u.mark(u.scattered, v, !consecutive)
}

// set notes that v gets another value here.
func (u *classes) set(s *imp.Set) {
	v, consecutive := s.Var, u.consecutive(s.Exp)
	if here := u.here(); here.region != u.home[v].region {
		u.mark(u.varying, v, markIt)
		_, isWhile := here.in.(*imp.While)
		if u.steps[v] == (region{}) && isWhile && u.home[v].body == here.parent {
			u.steps[v], u.changed = here.region, true
		}
		consecutive = consecutive && u.steps[v] == here.region
	} else {
		consecutive = consecutive && u.steps[v] == region{}
	}
	u.mark(u.varying, v, !u.uniform(s.Exp))
	u.mark(u.scattered, v, !consecutive)
}

// atHome reports whether the walk is where v is bound: all lanes that need v later are active.
func (u *classes) atHome(v imp.Var) bool { return u.home[v].region == u.here().region }

// uniform reports whether all active lanes agree on e.
func (u *classes) uniform(e imp.Exp) bool {
	uniform := true
	imp.WalkExp(e, func(e imp.Exp) {
		switch e := imp.Match(e).(type) {
		case *imp.VarExp:
			uniform = uniform && !u.varying[e.Var]
		case *imp.Load:
			uniform = uniform && u.scope.Mems[e.Mem].Space != imp.Private
		case *imp.Id:
			uniform = uniform && e.Kind.Uniform() && !(u.flat && e.Kind == imp.GroupID)
		default:
		}
	})
	return uniform
}

// consecutive reports whether the values of e in all active lanes are those of numbers that follow one another, as the
// lanes' own do.
func (u *classes) consecutive(e imp.Exp) bool {
	switch e := imp.Match(e).(type) {
	case *imp.Id:
		return e.Kind == imp.ThreadID || e.Kind == imp.LocalID && !u.flat
	case *imp.VarExp:
		return u.varying[e.Var] && !u.scattered[e.Var] && u.inside(u.steps[e.Var])
	case *imp.Conv:
		return e.From.Prim() == e.To.Prim() && u.consecutive(e.X)
	case *imp.Bin:
		switch {
		case e.Type.Prim() != prim.I64:
		case e.Op == prim.Add:
			return u.consecutive(e.X) && u.uniform(e.Y) || u.uniform(e.X) && u.consecutive(e.Y)
		case e.Op == prim.Sub:
			return u.consecutive(e.X) && u.uniform(e.Y)
		}
	default:
	}
	return false
}

// inside reports whether the walk is in a region.
func (u *classes) inside(r region) bool {
	for _, l := range u.path {
		if l.region == r {
			return true
		}
	}
	return false
}

// enter walks a body; unless it is divergent, whoever reaches its statement enters it.
func (u *classes) enter(r region, divergent bool, walk func()) {
	if divergent {
		u.path = append(u.path, level{r, u.body})
		defer func() { u.path = u.path[:len(u.path)-1] }()
	}
	walk()
}

func (u *classes) stms(body []imp.Stm) {
	outer := u.body
	u.bodies++
	u.body = u.bodies
	for _, s := range body {
		u.stm(s)
	}
	u.body = outer
}

// Arguments of bind.
const (
	sameInAll = true
	differing = false
)

// stm follows one statement. What other statements than these bind is different in each lane.
func (u *classes) stm(stm imp.Stm) {
	switch s := imp.MatchStm(stm).(type) {
	case *imp.Let:
		u.bind(s.Var, u.uniform(s.Exp), u.consecutive(s.Exp))
	case *imp.UniformLoad:
		u.bind(s.Var, sameInAll, scatteredLanes)
	case *imp.Set:
		u.set(s)
	case *imp.If:
		divergent := !u.uniform(s.Cond)
		u.enter(region{s, false}, divergent, func() { u.stms(s.Then) })
		u.enter(region{s, true}, divergent, func() { u.stms(s.Else) })
	case *imp.For:
		u.enter(region{s, false}, !u.uniform(s.Bound), func() {
			u.bind(s.Var, sameInAll, scatteredLanes)
			u.stms(s.Body)
		})
	case *imp.While:
		u.enter(region{s, false}, !u.uniform(s.Cond), func() { u.stms(s.Body) })
	case *imp.AtomicUpdate:
		u.enter(region{s, false}, someLanes, func() {
			u.bind(s.Old, differing, scatteredLanes)
			u.stms(s.Body)
		})
	case *imp.SubgroupUpdate:
		u.enter(region{s, false}, someLanes, func() {
			u.bind(s.X, differing, scatteredLanes)
			u.bind(s.Y, differing, scatteredLanes)
			u.stms(s.Body)
		})
	default:
		for _, v := range imp.Binds(stm) {
			u.bind(v, differing, scatteredLanes)
		}
	}
}
