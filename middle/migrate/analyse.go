package migrate

import (
	"slices"

	"skald/middle/core"
)

// Note [What moves]
//
// A statement that may move is one of scalars, an element that is read, an update of one element, an array of some numbers, a check, or a
// branch or loop of scalars.
// It is a candidate if it reads an element or depends on a scalar that is on the device: the result of a kernel, or of another
// candidate. Host code needs some scalars; a candidate that computes one stays, and then the host needs what the candidate depends
// on. All others move, but those whose scalars the host has read anyway. What the host needs grows until nothing changes.
//
// A loop over scalars that reads elements always moves: it would wait in each round. So does a read that depends on what is on the
// device and the host does not have, an element at an index that was read, or a branch on what was read that reads again: the host would
// wait for the first to ask for the second. In a kernel one follows the other, and the host waits once, for the last.

// analysis is what is known of a function.
type analysis struct {
	device map[core.Var]bool // scalars that are on the device if all candidates move
	host   map[core.Var]bool // what host code needs
	moved  map[*core.Stm]bool
	// carried are parameters of loops that are taken to be on the device: Note [Scalars that loops pass on].
	carried map[core.Var]bool
	*shapes
}

// shapes is what is known of statements that does not depend on where scalars are. Each is looked at once, with those inside of it.
type shapes struct {
	frees            core.Frees
	movable, reading map[*core.Stm]bool
}

// analyse finds what moves in a function: see Note [What moves].
func analyse(f *core.Fun) *analysis { return analyseCarrying(f, nil) }

// analyseCarrying is analyse where some scalars of loops are on the device.
func analyseCarrying(f *core.Fun, carried map[core.Var]bool) *analysis {
	a := newAnalysis(carried)
	a.findDevice(f.Body)
	for _, p := range f.Ret {
		a.needType(p.Type)
	}
	for size := -1; size != len(a.host); {
		size = len(a.host)
		a.moved = map[*core.Stm]bool{}
		a.body(f.Body)
	}
	return a
}

func newAnalysis(carried map[core.Var]bool) *analysis {
	known := &shapes{movable: map[*core.Stm]bool{}, reading: map[*core.Stm]bool{}}
	return &analysis{device: map[core.Var]bool{}, host: map[core.Var]bool{}, carried: carried, shapes: known}
}

// findDevice finds the scalars that are on the device.
func (a *analysis) findDevice(b *core.Body) {
	for _, s := range b.Stms {
		_, isSeg := s.Exp.(core.Seg)
		a.findCarried(s)
		if isSeg || a.candidate(s) {
			for _, p := range s.Dst {
				if !p.Type.IsArray() && p.Type.Kind != core.KindAcc {
					a.device[p.Var] = true
				}
			}
		}
		if !isSeg {
			hostBodies(s.Exp, func(inner *core.Body) *core.Body { a.findDevice(inner); return inner })
		}
	}
}

// findCarried notes scalars that a loop passes on on the device, and those that it leaves.
func (a *analysis) findCarried(s *core.Stm) {
	if l, ok := s.Exp.(*core.Loop); ok {
		for i, p := range l.Params {
			if a.carried[p.Var] {
				a.device[p.Var], a.device[s.Dst[i].Var] = true, true
			}
		}
	}
}

// candidate reports whether a statement may move and is about what is on the device: see Note [What moves].
func (a *analysis) candidate(s *core.Stm) bool {
	if !a.canMove(s) {
		return false
	}
	if a.readsElements(s) {
		return true
	}
	for _, v := range a.frees.Stm(s) {
		if a.device[v] {
			return true
		}
	}
	return false
}

// canMove reports whether one thread of a kernel can do what a statement does.
func (a *shapes) canMove(s *core.Stm) bool {
	can, known := a.movable[s]
	if !known {
		can = a.oneThreadDoes(s)
		a.movable[s] = can
	}
	return can
}

func (a *shapes) oneThreadDoes(s *core.Stm) bool {
	switch e := core.Match(s.Exp).(type) {
	case *core.Un, *core.Bin, *core.Cmp, *core.Conv, *core.CallFunc, *core.Assert:
		return true
	case *core.Use:
		return s.Dst[0].Type.IsScalar()
	case *core.Index:
		return s.Dst[0].Type.IsScalar()
	case *core.Update:
		return oneElement(e)
	case *core.ArrayLit:
		return e.Row.IsScalar()
	default:
		return a.computes(s)
	}
}

// oneElement reports whether an update is of one element.
func oneElement(e *core.Update) bool {
	for _, d := range e.Slice {
		if !d.Fix {
			return false
		}
	}
	return true
}

// computes reports whether a branch or loop computes scalars, and does nothing else.
func (a *shapes) computes(s *core.Stm) bool {
	switch e := core.Match(s.Exp).(type) {
	case *core.If, *core.Switch:
	case *core.Loop:
		if !core.OnlyScalars(core.ParamTypes(e.Params)) {
			return false
		}
	default:
		return false
	}
	all := core.OnlyScalars(core.ParamTypes(s.Dst))
	core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
		for _, in := range b.Stms {
			all = all && a.canMove(in) && !slices.ContainsFunc(in.Dst, func(p core.Param) bool { return p.Type.IsArray() })
		}
		return b
	})
	return all
}

// readsElements reports whether a statement, or one inside of it, reads elements of arrays.
func (a *shapes) readsElements(s *core.Stm) bool {
	found, known := a.reading[s]
	if known {
		return found
	}
	_, found = s.Exp.(*core.Index)
	core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
		for _, in := range b.Stms {
			found = found || a.readsElements(in)
		}
		return b
	})
	a.reading[s] = found
	return found
}

// body decides, from the last statement to the first, what moves. The host needs its scalar results.
func (a *analysis) body(b *core.Body) {
	for _, r := range b.Res {
		a.need(r)
	}
	a.stms(b)
}

// loopBody is body for a loop, which passes on some results on the device.
func (a *analysis) loopBody(l *core.Loop) {
	for i, r := range l.Body.Res {
		if !a.carried[l.Params[i].Var] {
			a.need(r)
		}
	}
	a.stms(l.Body)
}

// stms decides for the statements of a body.
func (a *analysis) stms(b *core.Body) {
	for i := len(b.Stms) - 1; i >= 0; i-- {
		s := b.Stms[i]
		e, isSeg := s.Exp.(core.Seg)
		switch candidate := !isSeg && a.candidate(s); {
		case isSeg:
			a.kernel(s, e)
		case candidate && a.moves(s):
			a.moved[s] = true
		case candidate: // The host has its results without waiting, whoever needs it.
			for _, p := range s.Dst {
				a.host[p.Var] = true
			}
			a.hostCode(s)
		default:
			a.hostCode(s)
		}
	}
}

// moves reports whether a candidate moves.
func (a *analysis) moves(s *core.Stm) bool {
	reads := a.readsElements(s)
	if _, ok := s.Exp.(*core.Loop); reads && (ok || a.depends(s)) {
		return true
	}
	for _, p := range s.Dst {
		if a.host[p.Var] && !p.Type.IsArray() {
			return false
		}
	}
	return reads || a.depends(s)
}

// depends reports whether a statement uses a scalar that is on the device and that the host does not need.
func (a *analysis) depends(s *core.Stm) bool {
	return slices.ContainsFunc(a.frees.Stm(s), func(v core.Var) bool { return a.device[v] && !a.host[v] })
}

// need notes that the host needs an operand.
func (a *analysis) need(o core.Operand) {
	if o.Var != 0 {
		a.host[o.Var] = true
	}
}

func (a *analysis) needType(t core.Type) { core.Mapper{Operand: a.needed}.Type(t) }

func (a *analysis) needed(o core.Operand) core.Operand {
	a.need(o)
	return o
}

// hostCode notes what a statement that stays needs, and decides about those inside of it.
func (a *analysis) hostCode(s *core.Stm) {
	for _, p := range s.Dst {
		a.needType(p.Type)
	}
	for _, c := range s.Aux.Certs {
		a.need(core.V(c))
	}
	if l, ok := s.Exp.(*core.Loop); ok {
		a.loop(l)
		return
	}
	core.MapExp(s.Exp, core.Mapper{Operand: a.needed})
	hostBodies(s.Exp, func(b *core.Body) *core.Body { a.body(b); return b })
	if acc, ok := s.Exp.(*core.WithAcc); ok {
		for _, in := range acc.Inputs {
			if in.Op != nil {
				for _, v := range core.FreeInLambda(in.Op).List() {
					a.host[v] = true
				}
			}
		}
	}
}

// loop notes what a loop needs that the host runs.
func (a *analysis) loop(l *core.Loop) {
	for i, p := range l.Params {
		a.needType(p.Type)
		if !a.carried[p.Var] {
			a.need(l.Init[i])
		}
	}
	if l.IsFor() {
		a.need(l.Bound)
	} else {
		a.need(core.V(l.While))
	}
	a.loopBody(l)
}

// hostBodies maps the bodies in an expression that the host runs: operators of accumulators are code of kernels.
func hostBodies(e core.Exp, f func(*core.Body) *core.Body) core.Exp {
	acc, _ := e.(*core.WithAcc)
	return core.MapBodies(e, func(b *core.Body) *core.Body {
		if acc == nil || b == acc.Lambda.Body {
			return f(b)
		}
		return b
	})
}

// kernel notes what a segmented operation needs on the host: all sizes, and the largest of those that differ. Scalars in its body, and
// those that operators begin with, it loads.
func (a *analysis) kernel(s *core.Stm, e core.Seg) {
	for _, p := range s.Dst {
		a.needType(p.Type)
	}
	a.sizes(e)
	m := core.Mapper{Bind: func(v core.Var) core.Var { return v }}
	m.Body = func(b *core.Body) *core.Body {
		for _, in := range b.Stms {
			for _, p := range in.Dst {
				a.needType(p.Type)
			}
			if largest, ok := core.LargestSize(in); ok {
				a.need(largest)
			}
			core.MapExp(in.Exp, m)
		}
		return b
	}
	core.MapExp(e, m)
}

// sizes notes the sizes of a segmented operation.
func (a *analysis) sizes(e core.Seg) {
	space := e.SpaceOf()
	if e, ok := e.(*core.SegHist); ok {
		for _, op := range e.Ops {
			for _, n := range op.Shape {
				a.need(n)
			}
		}
	}
	a.need(space.Slots)
	for _, n := range space.Sizes {
		a.need(n)
	}
}
