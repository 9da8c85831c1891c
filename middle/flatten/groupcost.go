package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/runtime/prim"
)

// groupCost counts what each thread of a workgroup does: see Note [Costs of versions].
type groupCost struct {
	*threadCost
	size  core.Operand // threads of a workgroup
	bytes amount       // of the arrays in its memory
}

// workgroups adds the kernel of a version inside a workgroup.
func (c *costs) workgroups(b *bill, e *core.SegMap, sizes, loops []core.Operand) {
	f := c.f
	g := &groupCost{threadCost: c.thread(), size: c.groupSize(e.Body)}
	work := g.group(e.Body)
	for _, r := range e.Body.Res {
		if r.Var != 0 && f.TypeOf(r).IsArray() {
			work = work.plus(g.shared(c.sizes(f.TypeOf(r).Shape), just(costFar+costShared)))
		}
	}
	// Workgroups whose arrays take more than their share of a unit's memory leave some of its threads idle.
	crowd := c.bin(prim.Max, f64(1), c.bin(prim.Div, c.number(g.bytes), c.fact("workgroup_memory")))
	points := c.number(just(1).timesAll(append(slices.Clip(sizes), g.size)))
	fills := c.bin(prim.Max, f64(1), c.bin(prim.Div, c.mul(crowd, points), c.fill))
	total := c.mul(fills, c.number(work))
	b.launches = b.launches.plus(just(1).timesAll(loops))
	b.rest = b.rest.plus(amount{{k: 1, by: []core.Operand{total}}}.timesAll(loops))
}

// groupSize is how many threads the workgroups have: what is enough for the largest operation inside, if its size is known.
func (c *costs) groupSize(b *core.Body) core.Operand {
	size := c.f.Let("size", &core.Fact{Name: "group_size"})
	largest, known := core.Int(1), true
	core.Walk(b, func(s *core.Stm) bool {
		e, ok := s.Exp.(core.Seg)
		if !ok {
			return true
		}
		n := core.Int(1)
		for _, m := range e.SpaceOf().Sizes {
			x, ok := c.outside(m)
			if !ok {
				known = false
				return false
			}
			n = c.product(n, x)
		}
		largest = c.bin(prim.Max, largest, n)
		return false
	})
	if !known {
		return size
	}
	for _, small := range slices.Backward(facts.SmallGroups[:]) {
		few := c.f.Cmp(cmpLe, largest, core.Int(int64(small)))
		size = c.f.If("size", few, []core.Type{core.I64}, func(*core.Builder) []core.Operand {
			return []core.Operand{core.Int(int64(small))}
		}, func(*core.Builder) []core.Operand { return []core.Operand{size} })[0]
	}
	return size
}

// rounds is how often the threads of a workgroup go through points.
func (g *groupCost) rounds(sizes []core.Operand) core.Operand {
	n := core.Int(1)
	for _, m := range sizes {
		n = g.c.product(n, m)
	}
	return g.c.bin(prim.Quot, g.c.bin(prim.Add, g.c.bin(prim.Sub, g.size, core.Int(1)), n), g.size)
}

// shared is what it costs a thread if all threads share points that each cost something, and wait for each other.
func (g *groupCost) shared(sizes []core.Operand, each amount) amount {
	return each.times(g.rounds(sizes)).plus(just(costBarrier))
}

// group is what code costs that all threads of a workgroup run together.
func (g *groupCost) group(b *core.Body) amount {
	var sum amount
	for _, s := range b.Stms {
		sum = sum.plus(g.together(s))
	}
	return sum
}

func (g *groupCost) together(s *core.Stm) amount {
	switch e := s.Exp.(type) {
	case core.Seg:
		for _, p := range s.Dst {
			g.array(p)
		}
		return g.operation(s, e)
	case *core.Loop:
		trips := g.enters(e)
		sum := g.group(e.Body).plus(just(costBarrier)).times(trips)
		g.joins(s, e.Body)
		return sum
	case *core.If:
		sum := g.group(e.Then).plus(g.group(e.Else)).scaled(0.5)
		g.joins(s, e.Then)
		return sum.plus(just(costBarrier))
	case *core.WithAcc:
		sum := g.group(e.Lambda.Body)
		for i, p := range s.Dst {
			if p.Type.IsArray() && i < len(e.Inputs) {
				g.passes(p, core.V(e.Inputs[i].Arrays[0]))
			}
		}
		return sum
	case core.Memory:
		return g.moving(s, e)
	case core.Scalar, core.View, core.Control, core.SOAC:
	}
	return g.stm(s).work
}

// array notes an array in the memory of the workgroup.
func (g *groupCost) array(p core.Param) {
	if !p.Type.IsArray() {
		return
	}
	g.arrays[p.Var] = array{at: inWorkgroup, own: true, dense: p.Type.Rank() - 1}
	g.bytes = g.bytes.plus(just(float64(p.Type.Elem.Size())).timesAll(g.c.sizes(p.Type.Shape)))
}

// moving is what it costs threads to make or change an array together.
func (g *groupCost) moving(s *core.Stm, e core.Memory) amount {
	f, dst := g.c.f, s.Dst[0]
	switch e := e.(type) {
	case *core.Update:
		g.passes(dst, core.V(e.Array))
		if e.Value.IsConst() || !f.TypeOf(e.Value).IsArray() {
			return just(costShared + costBarrier)
		}
		return g.shared(g.c.sizes(f.TypeOf(e.Value).Shape), just(2*costShared))
	case *core.Scratch, *core.Alloc:
		g.array(dst)
		return nil
	case *core.Copy, *core.Concat, *core.Replicate, *core.Iota, *core.ArrayLit:
		g.array(dst)
		return g.shared(g.c.sizes(dst.Type.Shape), just(2*costShared))
	}
	return nil
}

// tree is how many barriers it takes to combine what the threads of a workgroup have.
const tree = 16

// operation is what a segmented operation costs each thread: its points are shared, or, those of reductions and scans, whole segments, if
// that is cheaper.
func (g *groupCost) operation(s *core.Stm, e core.Seg) amount {
	sizes := g.c.sizes(e.SpaceOf().Sizes)
	each := g.threadCost.seg(e).work
	if _, reduces := e.(*core.SegRed); !reduces {
		each = each.plus(just(costShared * float64(len(s.Dst))))
	}
	combine := 0.0
	switch e.(type) {
	case *core.SegMap, *core.SegHist:
		return g.shared(sizes, each)
	case *core.SegRed:
		combine = tree * costBarrier
	case *core.SegScan:
		combine = 2 * tree * costBarrier
	}
	last := len(sizes) - 1
	row := each.times(g.rounds(sizes[last:])).plus(just(combine))
	if last == 0 {
		return row
	}
	whole := g.c.number(row.timesAll(sizes[:last]))
	alone := g.c.number(each.times(sizes[last]).times(g.rounds(sizes[:last])))
	return amount{{k: 1, by: []core.Operand{g.c.bin(prim.Min, whole, alone)}}}.plus(just(costBarrier))
}
