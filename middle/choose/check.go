package choose

import (
	"fmt"
	"slices"

	"skald/middle/core"
	"skald/middle/tile"
)

// Check reports the first choice of a program that the device cannot have, or that is missing; nil says that there is none. What does not
// depend on the device, core.Verify checks.
func Check(d *Device, p *core.Prog) error {
	funs := p.Funs
	if p.Consts != nil {
		funs = append([]*core.Fun{p.Consts}, funs...)
	}
	for _, f := range funs {
		c := &checker{chooser: chooser{Device: d}}
		c.chooser.choose = c.check
		c.function(f)
		if c.err != nil {
			return fmt.Errorf("function %s: %w", f.Name, c.err)
		}
	}
	return nil
}

// checker visits the operations of one function as the pass does.
type checker struct {
	chooser
	err error
}

// check notes what is wrong with the choice of an operation, and returns it.
func (c *checker) check(s *core.Stm, e core.Seg) *core.Choice {
	choice := core.ChoiceOf(e)
	if c.err != nil {
		return choice
	}
	if choice == nil {
		c.err = fmt.Errorf("no choice says how the device runs a segmented operation with %d results", len(s.Dst))
		return nil
	}
	for _, f := range choice.Forms {
		if why := c.refuses(s, e, f); why != "" {
			c.err = fmt.Errorf("the device cannot run the form `%s`: %s", f, why)
			return choice
		}
	}
	for i, forms := range choice.Merge {
		for _, f := range forms {
			if why := c.refusesMerge(e, i, f); why != "" {
				c.err = fmt.Errorf("the device cannot combine results by the form `%s`: %s", f, why)
				return choice
			}
		}
	}
	return choice
}

// refuses says why the device cannot run an operation in a form; "" says that it can.
func (c *checker) refuses(s *core.Stm, e core.Seg, f core.Form) string {
	if why := c.refusesForm(f); why != "" {
		return why
	}
	if _, mapped := e.(*core.SegMap); f.Room > 0 && !mapped {
		return "only what workgroups run as a whole has room for arrays"
	} else if f.Way == core.WayThread && f.Side > 1 && !mapped {
		return "only maps have blocks of points"
	}
	switch e := e.(type) {
	case *core.SegMap:
		return c.refusesMap(s, e, f)
	case *core.SegRed:
		switch {
		case f.Vector > 1 && !c.loads(e.Space, e.Body, nil):
			return noVectors
		case f.Factor > 1:
			return noFactor
		}
		return c.refusesOperators(operatorsOf(e.Ops), f)
	case *core.SegScan:
		o := operatorsOf(e.Ops)
		o.commutative = false
		switch {
		case f.Factor > 1 && !c.tileFits(o, f):
			return noTile
		case f.Vector > 1 && !c.loads(e.Space, scanCode(e), arraysOf(s.Dst)):
			return noVectors
		case f.Way == core.WayLookBack && !c.looksBack(f, e, o):
			return "workgroups may not wait for each other, or its code may fail while others wait"
		}
		return c.refusesOperators(o, f)
	case *core.SegHist:
		if f.Factor > 1 {
			return noFactor
		}
		return c.refusesHist(e, f)
	}
	return ""
}

// tileFits reports whether workgroup memory holds a tile of values: see Note [Elements of a thread] of package lower.
func (c *checker) tileFits(o operators, f core.Form) bool {
	return c.sharedBytes(o.types)*f.Group*f.Factor <= c.WideBytes
}

const (
	noTile   = "a tile of its threads' elements does not fit workgroup memory"
	noFactor = "only scans, and what workgroups share inside of them, have a factor"
)

const noVectors = "no elements of neighbouring points lie so that they can be loaded together"

// loads reports whether a thread can load elements of neighbouring points together, or store results there.
func (c *checker) loads(space core.Space, body *core.Body, out []core.Param) bool {
	dense := slices.ContainsFunc(out, func(d core.Param) bool { return Dense(d.Type, space) })
	return c.Vectors && straightWith(body, packs(space, out)) && (dense || len(VectorArrays(space, body, c.scope.TypeOf)) > 0)
}

// refusesForm is what is wrong with a form, whatever runs in it.
func (c *checker) refusesForm(f core.Form) string {
	switch {
	case f.Group > max(c.GroupSize, c.WideGroup):
		return fmt.Sprintf("workgroups have %d threads at most", max(c.GroupSize, c.WideGroup))
	case f.Tasks > 0 && c.Tasks == 0:
		return "it has no tasks: it is no processor with compiled code"
	case f.Vector&(f.Vector-1) != 0:
		return "vectors have a power of two elements"
	case f.Way == core.WaySubgroup && c.SubgroupSize < 2:
		return "it has no subgroup operations"
	}
	return ""
}

// refusesMap is what is wrong with a form of a map.
func (c *checker) refusesMap(s *core.Stm, e *core.SegMap, f core.Form) string {
	if c.oneThread && len(e.Space.Sizes) > 0 && e.Level != core.LevelGroup && !f.Sequential {
		return "its points update elements that it cannot update atomically"
	}
	switch f.Way { //nolint:exhaustive // the others need nothing
	case core.WayWorkgroup:
		if f.Room > max(0, c.WideBytes) {
			return fmt.Sprintf("workgroup memory has %d bytes", c.WideBytes)
		}
		if in := c.inside(e); f.Factor > 1 && in.tileBytes*f.Group*f.Factor > c.WideBytes {
			return noTile
		}
	case core.WayTranspose:
		src, ok := MapCopies(s, e, c.scope.TypeOf)
		if !ok || !c.transposes(f, s.Dst[0].Type, src) {
			return "this is no copy whose ends lie along different dimensions, or a tile does not fit its memory"
		}
	case core.WayTile:
		if e.Tiling == nil || f.Shape > len(e.Tiling.Shapes) {
			return "there is no such shape"
		}
		p, shape := tile.PlanOf(e, c.scope.TypeOf), e.Tiling.Shapes[f.Shape-1]
		if p == nil || shape.Threads() != f.Group || shape.Depth%f.Unroll != 0 || !c.fits(p, shape) {
			return "a tile does not fit it"
		}
		width := f.Vector == tile.VectorWidth && (f.Square <= 1 || f.Square == tile.VectorWidth)
		if f.Vector > 1 && !(width && tilesHaveVectors(p, e, f, c.scope.TypeOf)) {
			return noVectors
		}
	case core.WayChainUpdates:
		h, ok := c.histOf(s, e)
		if !ok || f.Samples == 0 {
			return "it is no histogram whose bins may be contended"
		}
		return c.refusesHist(h, f)
	case core.WayReaders:
		if len(e.Space.Sizes) > 0 || !c.recomputable(s, e) {
			return "those who read its results cannot compute them"
		}
	case core.WayThread:
		if f.Vector > 1 && !c.loads(e.Space, e.Body, s.Dst) {
			return noVectors
		}
		if f.Side > 1 && !c.blocks(f, s, e) {
			return "its points read nothing across"
		}
	}
	return ""
}

// refusesOperators is what is wrong with a form of a reduction or scan.
func (c *checker) refusesOperators(o operators, f core.Form) string {
	size := f.Group
	if f.Way == core.WayMembers {
		size = c.threads
	}
	together := f.Way == core.WayWorkgroup || f.Way == core.WayGrid || f.Way == core.WayShares || f.Way == core.WayLookBack
	switch {
	case (f.Shuffles || f.Way == core.WaySubgroup) && !c.joins(o, size):
		return "its subgroups cannot join such values by shuffles"
	case f.Prefixes && !c.scansSubgroups(o, size):
		return "its subgroups cannot scan such values by shuffles"
	case together && f.Group > 1 && c.sharedBytes(o.types)*f.Group > c.SharedBytes:
		return fmt.Sprintf("workgroup memory has %d bytes, and each thread needs %d", c.SharedBytes, c.sharedBytes(o.types))
	}
	return ""
}

// refusesHist is what is wrong with a form of a histogram.
func (c *checker) refusesHist(e *core.SegHist, f core.Form) string {
	const notAtomic = "it cannot update such elements atomically"
	v := max(1, f.Vector) * max(1, f.Flight)
	switch f.Way { //nolint:exhaustive // the others need nothing
	case core.WayTable:
		switch {
		case !c.allAtomic(e, InGlobal) || !c.allAtomic(e, InShared):
			return notAtomic
		case f.Capacity*c.sharedBytes(histTypes(e)) > c.tableBytes():
			return fmt.Sprintf("tables may have %d bytes", c.tableBytes())
		}
	case core.WayCounters:
		switch {
		case !CountsOnes(e):
			return "the histogram does not count"
		case f.Capacity*2 > c.tableBytes():
			return fmt.Sprintf("tables may have %d bytes", c.tableBytes())
		case f.Flight > 1 && v*f.Group >= counterHalf:
			return "threads would add too much at once to a counter of 16 bits"
		}
	case core.WayChain, core.WayChainCopies, core.WayChainSpread, core.WayChainUpdates:
		return c.refusesChain(e, f)
	case core.WayJoin:
		switch {
		case f.Tries > 0 && (!f.Shuffles || !c.leads(e)):
			return "its subgroups cannot join such values by shuffles"
		case f.Tries == 0 && !c.meets(e):
			return "its subgroups cannot update such elements together"
		case f.Capacity*c.binBytes(e, f) > c.tableBytes():
			return fmt.Sprintf("tables may have %d bytes", c.tableBytes())
		}
	case core.WayPrivate:
		switch {
		case f.Group&(f.Group-1) != 0 && f.Group%PrivateSide != 0:
			return fmt.Sprintf("a workgroup whose bins are private has a power of two threads, or a multiple of %d", PrivateSide)
		case privateBytes(c.sharedBytes(valueTypes(e)), f) > c.tableBytes():
			return fmt.Sprintf("the bins of a workgroup's threads may have %d bytes", c.tableBytes())
		}
	case core.WaySpread, core.WayThread, core.WayTask:
		if !f.Sequential && !c.allAtomic(e, InGlobal) {
			return notAtomic
		}
	case core.WayMembers:
		atomic := !slices.ContainsFunc(e.Ops, func(op core.HistOp) bool { return !c.atomicOn(op.Lambda, op.Dests[0]) })
		if !f.Sequential && !atomic {
			return notAtomic
		}
	}
	if f.Vector > 1 && !c.loads(e.Space, e.Body, nil) {
		return noVectors
	}
	return ""
}

// refusesChain is what is wrong with a form of a histogram by chains.
func (c *checker) refusesChain(e *core.SegHist, f core.Form) string {
	switch bytes := c.chainBytes(e, f) + c.binBytes(e, f)*f.Capacity; {
	case bytes > c.tableBytes():
		return fmt.Sprintf("workgroup memory has %d bytes, and it needs %d", c.tableBytes(), bytes)
	case f.Owners&(f.Owners-1) != 0:
		return "the words that tell who has a bin are a power of two"
	case (f.Way == core.WayChainSpread || f.Way == core.WayChainUpdates) && !c.allAtomic(e, InGlobal):
		return "it cannot update such elements atomically"
	case f.Tries > 0 && !c.eager(e, f.Way == core.WayChain) && !(f.Samples > 0 && c.updates(e)):
		return "its operators are several, or cannot update such elements by compare and swap"
	case f.Samples > 0 && f.Tries == 0:
		return "only what begins by updating bins looks whether these are contended"
	case f.Shuffles && (f.Tries == 0 || !c.joins(histOperators(e, 0), f.Group)):
		return "its subgroups cannot join such values by shuffles"
	}
	return ""
}

// refusesMerge is what is wrong with a form that combines partial results, of operator i of a histogram.
func (c *checker) refusesMerge(e core.Seg, i int, f core.Form) string {
	if why := c.refusesForm(f); why != "" {
		return why
	}
	switch e := core.Match(e).(type) {
	case *core.SegRed:
		return c.refusesOperators(operatorsOf(e.Ops), f)
	case *core.SegHist:
		if f.Side > 1 && f.Group%f.Side != 0 {
			return "a workgroup has whole rows of neighbouring bins"
		}
		return c.refusesOperators(histOperators(e, i), f)
	}
	return ""
}
