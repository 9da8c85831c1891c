package imp

import (
	"slices"

	"skald/middle/pass"
)

// WalkExp calls f on e and on every expression in it, outside first.
func WalkExp(e Exp, f func(Exp)) {
	if e == nil {
		return
	}
	f(e)
	switch e := Match(e).(type) { // Most nodes are such: their operands need no list.
	case *Bin:
		WalkExp(e.X, f)
		WalkExp(e.Y, f)
	case *Cmp:
		WalkExp(e.X, f)
		WalkExp(e.Y, f)
	case *Conv:
		WalkExp(e.X, f)
	case *Load:
		WalkExp(e.Index, f)
	default:
		for _, x := range e.children() {
			WalkExp(x, f)
		}
	}
}

// WalkExps is WalkExp for the expressions that stand directly in s.
func WalkExps(s Stm, f func(Exp)) {
	switch s := MatchStm(s).(type) { // Most statements are such: their expression needs no list.
	case *Let:
		WalkExp(s.Exp, f)
	case *Set:
		WalkExp(s.Exp, f)
	case *If:
		WalkExp(s.Cond, f)
	case *Store:
		WalkExp(s.Index, f)
		WalkExp(s.Value, f)
	default:
		for _, e := range s.exps() {
			WalkExp(e, f)
		}
	}
}

// Children lists the expressions directly in e.
func Children(e Exp) []Exp { return e.children() }

// EachAccess calls f on the array of each access in body, as often as there are.
func EachAccess(body []Stm, f func(Mem)) {
	Walk(body, func(s Stm) bool {
		switch s := MatchStm(s).(type) {
		case *Store:
			f(s.Mem)
		case *LoadVec:
			f(s.Mem)
		case *StoreVec:
			f(s.Mem)
		case *Atomic:
			f(s.Mem)
		case *AtomicUpdate:
			f(s.Mem)
		case *SubgroupUpdate:
			f(s.Mem)
		default:
		}
		WalkExps(s, func(e Exp) {
			if l, ok := e.(*Load); ok {
				f(l.Mem)
			}
		})
		return true
	})
}

// Exps lists the expressions that stand directly in s, not those of the
// statements inside it.
func Exps(s Stm) []Exp { return s.exps() }

// Needed are those of some statements, of which only what binds one variable can be, that expressions depend on.
func Needed(stms []Stm, by []Exp) []Stm {
	uses := map[Var]bool{}
	note := func(e Exp) {
		WalkExp(e, func(e Exp) {
			if v, ok := e.(*VarExp); ok {
				uses[v.Var] = true
			}
		})
	}
	for _, e := range by {
		note(e)
	}
	var out []Stm
	for _, s := range slices.Backward(stms) {
		if let, ok := s.(*Let); ok && uses[let.Var] {
			note(let.Exp)
			out = append(out, s)
		}
	}
	slices.Reverse(out)
	return out
}

// Bodies lists the statement sequences directly inside s.
func Bodies(s Stm) [][]Stm { return s.bodies() }

// Binds lists the variables that s binds, in its bodies or behind it; zeros are none.
func Binds(s Stm) []Var { return s.binds() }

// eachBound calls f on each variable that s binds.
func eachBound(s Stm, f func(Var)) {
	if let, ok := s.(*Let); ok { // Most statements that bind are such: they need no list.
		f(let.Var)
		return
	}
	for _, v := range s.binds() {
		f(v)
	}
}

// BindsAfter lists the variables that s binds for the statements after it; zeros are none. A statement with bodies binds in these alone.
func BindsAfter(s Stm) []Var {
	if hasBodies(s) {
		return nil
	}
	return s.binds()
}

// hasBodies reports whether there are statements inside s.
func hasBodies(s Stm) bool {
	switch MatchStm(s).(type) {
	case *Let, *Set: // Most statements are such.
		return false
	case *If, *For, *While:
		return true
	default:
		return len(s.bodies()) > 0
	}
}

// mapBodies returns s with what f makes of the bodies directly in it. Most statements have none, and are the same.
func mapBodies(s Stm, f func([]Stm) []Stm) Stm {
	if !hasBodies(s) {
		return s
	}
	return s.parts(Mapper{Body: f})
}

// Walk calls f on each statement of body and of the bodies in it, outside
// first. When f returns false it does not look inside that statement.
func Walk(body []Stm, f func(Stm) bool) {
	for _, s := range body {
		if !f(s) {
			continue
		}
		first, second, others := inside(s)
		Walk(first, f)
		Walk(second, f)
		for _, b := range others {
			Walk(b, f)
		}
	}
}

// inside returns the bodies of s. Most statements with bodies have one or two, which need no list.
func inside(s Stm) (first, second []Stm, others [][]Stm) {
	switch in := MatchStm(s).(type) {
	case *Let, *Set:
		return nil, nil, nil
	case *If:
		return in.Then, in.Else, nil
	case *For:
		return in.Body, nil, nil
	case *While:
		return in.Body, nil, nil
	default:
		return nil, nil, s.bodies()
	}
}

// Extent is how many statements a body has, and how many levels of them.
func Extent(body []Stm) (statements, levels int) {
	for _, s := range body {
		inside := 0
		for _, b := range Bodies(s) {
			n, deep := Extent(b)
			statements, inside = statements+n, max(inside, deep)
		}
		statements, levels = statements+1, max(levels, inside+1)
	}
	return statements, levels
}

// Any reports whether a statement of body, at any depth, satisfies f.
func Any(body []Stm, f func(Stm) bool) bool {
	in := func(b []Stm) bool { return Any(b, f) }
	return slices.ContainsFunc(body, func(s Stm) bool {
		if f(s) {
			return true
		}
		first, second, others := inside(s)
		return in(first) || in(second) || slices.ContainsFunc(others, in)
	})
}

// MayLoop reports whether s is a loop, or calls a device function, which may have one.
func MayLoop(s Stm) bool {
	switch MatchStm(s).(type) {
	case *For, *While, *Invoke:
		return true
	default:
		return false
	}
}

// Collective reports whether s is a CollectiveStm.
func Collective(s Stm) bool {
	_, ok := s.(CollectiveStm)
	return ok
}

// Runs visits a body that all threads of a workgroup reach together, in order: plain gets each longest run of statements
// that hold nothing Collective, and collective each one that does.
func Runs(body []Stm, plain func([]Stm), collective func(Stm)) {
	for first := 0; first < len(body); {
		end := first
		for end < len(body) && !Any(body[end:end+1], Collective) {
			end++
		}
		if end > first {
			plain(body[first:end])
			first = end
			continue
		}
		collective(body[first])
		first++
	}
}

// MayFail reports whether s itself, without the statements in it, may fail.
func MayFail(s Stm) bool {
	switch s := MatchStm(s).(type) {
	case *Assert:
		return true
	case *Invoke:
		return s.DeviceFunction.Fails
	default:
	}
	return false
}

// HasAssert reports whether k may fail.
func (k *Kernel) HasAssert() bool { return Any(k.Body, MayFail) }

// HasCollective reports whether k has barriers or subgroup operations.
func (k *Kernel) HasCollective() bool { return Any(k.Body, Collective) }

// mapKernels is p with copies of its kernels, each of which f has changed, several at once.
func mapKernels(p *Prog, f func(k *Kernel)) *Prog {
	out := *p
	out.Kernels = pass.Each(p.Kernels, func(k *Kernel) *Kernel {
		n := *k
		f(&n)
		return &n
	})
	return &out
}

// mapFunctions notes in made what a copy of each device function of a program is that f has changed. Those that a function calls come
// before it.
func mapFunctions(p *Prog, made map[*DeviceFunction]*DeviceFunction, f func(f *DeviceFunction)) {
	for _, k := range p.Kernels {
		for _, old := range DeviceFunctions(k.Body) {
			if made[old] == nil {
				n := *old
				f(&n)
				made[old] = &n
			}
		}
	}
}

// calls reports whether a statement calls a device function.
func calls(s Stm) bool {
	_, ok := s.(*Invoke)
	return ok
}
