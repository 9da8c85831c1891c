package expand

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// place is a body of host code: of a loop, or of a branch.
type place struct {
	around *core.Builder // of the code before the statement that has the body
	loop   bool
	runs   *condition  // on which the body runs; nil if that is not known
	binds  core.VarSet // what is bound in it so far
}

// condition is a comparison, or the opposite of what a variable says.
type condition struct {
	op   prim.CmpOp
	x, y core.Operand
}

// of computes a condition.
func (c *condition) of(b *core.Builder) core.Operand { return b.Cmp(c.op, c.x, c.y) }

// inside is a body of an expression of the host, written in a place of its own.
func (x *expander) inside(e core.Exp, b *core.Body) *core.Body {
	p := &place{around: x.Builder}
	holds := func(cond core.Operand) *condition { return &condition{prim.Eq, cond, core.Bool(true)} }
	switch e := core.Match(e).(type) {
	case *core.Loop:
		p.loop = true
		for i, q := range e.Params {
			p.binds.Add(q.Var)
			if q.Var == e.While {
				p.runs = holds(e.Init[i])
			}
		}
		if e.IsFor() {
			p.binds.Add(e.Index.Var)
			p.runs = &condition{prim.Lt, core.C(prim.Zero(e.Index.Type.Elem)), e.Bound}
		}
	case *core.If:
		if p.runs = holds(e.Cond); b == e.Else {
			p.runs.op = prim.Ne
		}
	default:
	}
	x.places = append(x.places, p)
	defer func() { x.places = x.places[:len(x.places)-1] }()
	return x.nested(b, x.hostStm)
}

// bound notes what a statement of the host binds.
func (x *expander) bound(ps ...core.Param) {
	if len(x.places) == 0 {
		return
	}
	for _, p := range ps {
		x.places[len(x.places)-1].binds.Add(p.Var)
	}
}

// earliest is where code that needs some variables can run before loops of the host, rather than at a place in them, and on which
// conditions the loops and branches between do.
func (x *expander) earliest(here *core.Builder, needs *core.VarSet) (at *core.Builder, runs []*condition) {
	at = here
	var passed []*condition
	for _, p := range slices.Backward(x.places) {
		if p.runs == nil || slices.ContainsFunc(needs.List(), p.binds.Has) {
			break
		}
		passed = append(passed, p.runs)
		needs.Add(p.runs.x.Var)
		needs.Add(p.runs.y.Var)
		if p.loop {
			at, runs = p.around, slices.Clone(passed)
		}
	}
	return at, runs
}
