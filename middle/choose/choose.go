package choose

import (
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Pass chooses how the device of the context runs each segmented operation.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "choose",
	Doc:  "choose who takes points and segments, group sizes, vectors, tiles, and the forms of histograms",
	Run:  func(ctx *pass.Context, p *core.Prog) *core.Prog { return run(NewDevice(ctx.Facts(), p), p) },
}

func run(d *Device, p *core.Prog) *core.Prog {
	out := functions.Map(p, func(f *core.Fun) *core.Fun {
		c := &chooser{Device: d}
		c.choose = func(s *core.Stm, e core.Seg) *core.Choice { return tidy(c.choiceOf(s, e)) }
		return c.function(f)
	})
	out.Stage = core.StageChosen
	return out
}

// chooser works on one function.
type chooser struct {
	*Device
	scope *core.Scope
	most  core.UpperBounds
	// behind are the statements behind the one at hand in its body, and res is what the body returns.
	behind []*core.Stm
	res    []core.Operand
	// choose returns the choice of an operation.
	choose func(s *core.Stm, e core.Seg) *core.Choice
	// inTurn are the accumulators whose updates cannot be atomic, as types name them, and oneThread says that the operation here has some
	// that points would do at the same time: see Note [Updates of shared elements].
	inTurn    map[core.Var]bool
	oneThread bool
	// accs are the accumulators, as types name them.
	accs map[core.Var]core.AccInput
	// threads is how many threads the smallest workgroup has that runs the operations here, inside of a workgroup.
	threads int
}

func (c *chooser) function(f *core.Fun) *core.Fun {
	if f.DeviceFunction {
		return f
	}
	c.scope, c.most, c.inTurn = core.ScopeOf(f), core.UpperBoundsIn(f), map[core.Var]bool{}
	c.accs = map[core.Var]core.AccInput{}
	g := *f
	g.Body = c.body(f.Body)
	return &g
}

// body makes choices in host code, or in the code that all threads of a workgroup run together.
func (c *chooser) body(b *core.Body) *core.Body {
	out := &core.Body{Stms: make([]*core.Stm, len(b.Stms)), Res: b.Res}
	behind, res := c.behind, c.res
	for i, s := range b.Stms {
		c.behind, c.res = b.Stms[i+1:], b.Res
		n := *s
		n.Exp = c.exp(s)
		out.Stms[i] = &n
	}
	c.behind, c.res = behind, res
	return out
}

func (c *chooser) exp(s *core.Stm) core.Exp {
	switch e := core.Match(s.Exp).(type) {
	case core.Seg:
		return c.seg(s, e)
	case *core.WithAcc:
		for i, in := range e.Inputs {
			acc := e.Lambda.Params[i].Var
			c.inTurn[acc], c.accs[acc] = !c.atomicEach(in), in
		}
		return core.MapBodies(e, c.body)
	default:
		return core.MapBodies(s.Exp, c.body)
	}
}

// seg makes the choice of an operation, and those of the operations inside a workgroup. No other operation has some inside.
func (c *chooser) seg(s *core.Stm, e core.Seg) core.Exp {
	c.oneThread = c.updatesInTurn(e)
	choice := c.choose(s, e)
	switch e := e.(type) {
	case *core.SegMap:
		out := *e
		out.Choice = choice
		if e.Level == core.LevelGroup {
			c.threads = smallest(choice)
			out.Body = c.body(e.Body)
		}
		return &out
	case *core.SegRed:
		out := *e
		out.Choice = choice
		return &out
	case *core.SegScan:
		out := *e
		out.Choice = choice
		return &out
	case *core.SegHist:
		out := *e
		out.Choice = choice
		return &out
	}
	panic("choose: no known node")
}

// updatesInTurn reports whether an operation has updates that are not atomic, of elements that other points may update.
func (c *chooser) updatesInTurn(e core.Seg) bool {
	m, isMap := e.(*core.SegMap)
	found := false
	core.MapBodies(e, func(b *core.Body) *core.Body {
		core.Walk(b, func(s *core.Stm) bool {
			if _, ok := s.Exp.(*core.UpdateAcc); ok {
				acc := s.Dst[0].Type.Acc
				found = found || c.inTurn[acc] && !(isMap && OwnElements(m, acc))
			}
			return !found
		})
		return b
	})
	return found
}

// atomicEach reports whether the elements of an accumulator can be updated atomically, those of each of its arrays by themselves.
func (c *chooser) atomicEach(in core.AccInput) bool {
	if in.Op == nil {
		return true
	}
	parts := Apart(in.Op)
	for k, part := range parts {
		if !c.atomicOn(part, in.Arrays[k]) {
			return false
		}
	}
	return parts != nil
}

// atomicOn reports whether an operator can update elements of an array atomically.
func (c *chooser) atomicOn(op *core.Lambda, array core.Var) bool {
	space := c.scope.TypeOf(c.scope.TypeOf(array).Layout.Mem).Space
	return c.Atomic(op, space == core.SpaceGroup)
}

// choiceOf makes the choice of an operation.
func (c *chooser) choiceOf(s *core.Stm, e core.Seg) *core.Choice {
	switch e := e.(type) {
	case *core.SegMap:
		switch e.Level {
		case core.LevelInGroup:
			return c.membersMap(s, e)
		case core.LevelGroup:
			return c.groupMap(s, e)
		case core.LevelGrid:
		}
		return c.segMap(s, e)
	case *core.SegRed:
		if e.Level == core.LevelInGroup {
			return c.membersRed(e)
		}
		return c.segRed(s, e)
	case *core.SegScan:
		if e.Level == core.LevelInGroup {
			return c.membersScan(e)
		}
		return c.segScan(s, e)
	case *core.SegHist:
		if e.Level == core.LevelInGroup {
			return c.groupHist(e)
		}
		return c.segHist(e)
	}
	panic("choose: no known node")
}

// tidy leaves out factors and vectors of one element, and single loads in flight.
func tidy(c *core.Choice) *core.Choice {
	one := func(n *int) {
		if *n == 1 {
			*n = 0
		}
	}
	for _, forms := range append(slices.Clip(c.Merge), c.Forms) {
		for i := range forms {
			one(&forms[i].Factor)
			one(&forms[i].Vector)
			one(&forms[i].Flight)
		}
	}
	return c
}

// only is the choice of one form.
func only(f core.Form) *core.Choice { return &core.Choice{Forms: []core.Form{f}} }

// points is how the points of an operation run that are independent: a thread each, or runs of them on a processor. cost is that of a
// point.
func (c *chooser) points(cost int) core.Form {
	switch {
	case c.oneThread:
		return core.Form{Way: core.WayThread, Group: 1, Sequential: true}
	case c.Tasks > 0:
		return c.task(cost)
	}
	return core.Form{Way: core.WayThread, Group: c.GroupSize}
}

// either is a condition of which one bound suffices, and all one of which all must hold.
func either(bounds ...core.Bound) (out [][]core.Bound) {
	for _, b := range bounds {
		out = append(out, []core.Bound{b})
	}
	return out
}

func all(bounds ...core.Bound) [][]core.Bound { return [][]core.Bound{bounds} }
