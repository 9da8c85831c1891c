package choose

import (
	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Sizes of tasks]
//
// A task of a processor has at least so many points that its work is worth starting it. What a point costs is estimated from its code: a
// statement with the operations in it, loops as often as they run. How many times a loop runs whose bound is not constant nobody knows;
// loopTrips is a guess that is right within a factor of ten for most, and a task that is ten times too small or too large costs little.
//
// Where each point of a row has a loop, and nothing else takes long, a task does some rows together (Note [Jammed rows] of package lower):
// as many as the processor has registers for the sums (facts.Rows).

const (
	// taskWork is how many operations make a task worth its while: some microseconds.
	taskWork = 1 << 15
	// loopTrips is how often a loop runs whose bound is not known.
	loopTrips = 16
	// elementCost is what an element of an array costs that is copied or filled in.
	elementCost = 4
)

// task is a form that assigns points, or whole segments, of some cost to tasks.
func (c *chooser) task(cost int) core.Form {
	return core.Form{Way: core.WayTask, Tasks: c.Tasks, Each: pointsOf(cost)}
}

// pointsOf is how many points of some cost a task has at least.
func pointsOf(cost int) int { return max(1, taskWork/max(1, cost)) }

// pointCost is what the code of a point costs, up to the work of a task.
func (d *Device) pointCost(b *core.Body) int {
	cost := 1
	for _, s := range b.Stms {
		cost += 1 + d.workOf(s)
		inside := 0
		core.MapBodies(s.Exp, func(b *core.Body) *core.Body { inside += d.pointCost(b); return b })
		if l, ok := s.Exp.(*core.Loop); ok {
			inside *= trips(l.Bound)
		}
		cost = min(cost+inside, taskWork)
	}
	return cost
}

// segmentCost is what a segment costs whose points have some cost.
func segmentCost(space core.Space, cost int) int {
	return min(taskWork, cost*trips(space.Sizes[len(space.Sizes)-1]))
}

// trips is how often a loop runs.
func trips(bound core.Operand) int {
	if n, ok := bound.ConstInt(); ok {
		return int(max(1, min(n, taskWork)))
	}
	return loopTrips
}

// workOf is what a statement costs without the bodies in it.
func (d *Device) workOf(s *core.Stm) int {
	switch e := core.Match(s.Exp).(type) {
	case *core.Index:
		return 2 * len(e.Slice)
	case *core.Bin:
		if e.Op == prim.Div || e.Op == prim.Mod || e.Op == prim.Quot || e.Op == prim.Rem {
			return callCost
		}
		return d.costOf(e)
	case *core.Loop, *core.If:
		return 1
	default:
		if len(s.Dst) == 1 && s.Dst[0].Type.IsArray() {
			return loopTrips * elementCost
		}
		return min(d.costOf(s.Exp), taskWork)
	}
}

// jams reports whether the code of a point is one loop, and operations beside it.
func jams(b *core.Body) bool {
	loops := 0
	core.Walk(b, func(s *core.Stm) bool {
		if _, ok := s.Exp.(*core.Loop); ok {
			loops++
		}
		return true
	})
	return loops == 1
}
