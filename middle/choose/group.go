package choose

import (
	"math"
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
)

// Note [Factors of workgroups]
//
// A workgroup whose threads take several elements of each operation needs fewer threads, waits at fewer barriers, and has loads under way
// while it waits for others: Note [Elements of a thread] of package lower. It pays where a workgroup would have most of a device's threads
// otherwise. On one H200, 131,072 rows of 1,024 u32 through WebGPU, us a call with factors 1, 2, 4, 8 and 16: scans 828, 676, 493, 426 and
// 426, reductions 235, 235, 249, 175 and 176, maps 399, 421, 382, 388 and 380. Where fewer threads than a subgroup would be left, the row
// is too short for it. Rows of 256 gain by half the factor through CUDA, which has it therefore (facts.HalfFactor), and lose through WGSL:
// LocVolCalib's, which scan tuples of two and four f32, took 117 ms with a thread an element on CUDA and 76 with four elements a thread,
// but 98 and 132 through WebGPU on the same H200.
//
// The factor is that of the attribute #[seq_factor(q)] where the source says so, else, where an operation inside is a reduction or scan,
// what somebody has set (facts.SeqFactor), or automaticFactor; scans of segments on the grid have the same kernel, and it, too.
// Software devices have none but on demand, and join no values by shuffles inside of a workgroup: they run threads one after the other,
// and compile long what is repeated.

const (
	// leastGroup is the fewest threads of a workgroup: devices run as many in any case.
	leastGroup = 32
	// leastSequential is how many threads are left at least where they take several elements each.
	leastSequential = 32
	// leastRepeating is how many threads a workgroup has at least where few points are in its loops.
	leastRepeating = 128
	// automaticFactor is how many elements a thread takes of each operation unless an attribute says it.
	automaticFactor = 8
)

// groupMap chooses how large the workgroups are that run a map's body: with few threads where no operation inside has more points, which
// where that is not constant the host finds out, and else with all, each of which may take several elements.
func (c *chooser) groupMap(s *core.Stm, e *core.SegMap) *core.Choice {
	in := c.inside(e)
	q, asked := c.factor(s, in)
	forms := c.groups(in, q, asked)
	switch {
	case in.known: // The host need not find out what is constant.
		forms = []core.Form{suiting(forms, in.largest)}
	case !in.outside: // It cannot find out.
		if !asked {
			forms = c.groups(in, 1, asked)
		}
		forms = forms[len(forms)-1:]
	}
	return &core.Choice{Forms: forms}
}

// groups are workgroups of several sizes. Where threads take q elements each, those of the other version come first, for rows of which few
// threads would be left.
func (c *chooser) groups(in insideBody, q int, asked bool) []core.Form {
	var out []core.Form
	covered := 0 // rows of at most so many points have a form
	all := c.GroupSize
	if q == 1 {
		all = in.enough(all)
	}
	add := func(threads, factor, most int) {
		if most <= covered {
			return
		}
		out = append(out, core.Form{
			Way: core.WayWorkgroup, Group: threads, Factor: factor, Room: c.room(threads, factor, all), Flight: c.copiesAhead(),
			When: either(core.Compare(core.MeasureLargest, core.AtMost, most)),
		})
		covered = most
	}
	threshold, halved := math.MaxInt, c.HalfFactor && c.SeqFactor == 0 && q == automaticFactor && !asked && 2*leastSequential <= c.GroupSize
	switch {
	case halved:
		threshold = leastSequential * q / 2
	case q > 1:
		threshold = leastSequential * q
	}
	for _, threads := range c.groupSizes(in) {
		if threads < all {
			add(threads, 1, min(threads, threshold))
		}
	}
	add(all, 1, threshold)
	if halved {
		add(2*leastSequential, q/2, leastSequential*q)
	}
	if q > 1 {
		threads := 2 * leastSequential
		if !asked {
			threads *= 2 // Each form is a kernel.
		}
		for ; threads < c.GroupSize && c.tilesFit(in, 2*threads, q); threads *= 2 {
			add(threads, q, threads*q)
		}
		threads = min(threads, c.GroupSize)
		if asked { // Where no thread has more than q elements it may hold them: Note [Arrays that threads hold] of package lower.
			add(threads, q, threads*q)
		}
		add(threads, q, math.MaxInt)
	}
	out[len(out)-1].When = nil
	return out
}

// bytesPerThread is how much workgroup memory the arrays of small workgroups have for each element that threads take together: with more,
// a larger workgroup runs.
const bytesPerThread = 128

// room is how many bytes of workgroup memory arrays have whose sizes are not constant: all that there is, where threads are as many as
// they can be.
func (d *Device) room(threads, factor, all int) int {
	if threads < all {
		return max(0, min(d.WideBytes, bytesPerThread*threads*factor))
	}
	return max(0, d.WideBytes)
}

// groupSizes are the numbers of threads, below that of all, for which there is a form of their own.
func (c *chooser) groupSizes(in insideBody) []int {
	var out []int
	for size := leastGroup; size < c.GroupSize; size *= 2 {
		if in.known || slices.Contains(facts.SmallGroups[:], size) {
			out = append(out, size)
		}
	}
	return out
}

// suiting is the form that runs for operations of n points.
func suiting(forms []core.Form, n int64) core.Form {
	for _, f := range forms {
		if len(f.When) == 0 || n <= int64(f.When[0][0].By) {
			f.When = nil
			return f
		}
	}
	panic("choose: the last form has no condition")
}

// factor is how many elements of each operation a thread takes: as many as an attribute asks for, or where it pays, if their tiles fit
// workgroup memory.
func (c *chooser) factor(s *core.Stm, in insideBody) (q int, asked bool) {
	q = 1
	for _, a := range s.Aux.Attrs {
		if n, ok := a.SeqFactor(); ok {
			q, asked = n, true
		}
	}
	if !asked && in.joins {
		q = c.usualFactor()
	}
	return c.fittingFactor(in, 2*leastSequential, q), asked
}

// usualFactor is how many elements a thread takes where something is reduced or scanned and no attribute says it.
func (d *Device) usualFactor() int {
	switch {
	case d.SeqFactor > 0:
		return d.SeqFactor
	case d.Software:
		return 1
	default:
		return automaticFactor
	}
}

// fittingFactor is q, or as many halves of it less as fit workgroup memory.
func (d *Device) fittingFactor(in insideBody, threads, q int) int {
	for q > 1 && !d.tilesFit(in, threads, q) {
		q /= 2
	}
	return q
}

// tilesFit reports whether the tiles of q elements for each of some threads leave at least half of the workgroup memory to arrays.
func (d *Device) tilesFit(in insideBody, threads, q int) bool {
	return 2*in.tileBytes*(q*threads+q*threads/16) <= d.WideBytes
}

// smallest is the least number of threads of a workgroup that a choice has.
func smallest(c *core.Choice) int {
	least := c.Forms[0].Group
	for _, f := range c.Forms {
		least = min(least, f.Group)
	}
	return least
}

// insideBody is what a workgroup's body holds.
type insideBody struct {
	largest int64 // points of the largest operation, if all have constant sizes
	known   bool  // whether they have
	outside bool  // whether all sizes are known outside of the body
	joins   bool  // whether some operation is a reduction or scan
	// repeated is how many points the operations in loops have at most, and bounded says that there are some and that this is known.
	repeated int64
	bounded  bool
	// tileBytes is what an element takes of workgroup memory in the largest scan.
	tileBytes int
}

// inside looks at the operations in the body of a map that workgroups run.
func (c *chooser) inside(m *core.SegMap) insideBody {
	in := insideBody{largest: 1, known: true, outside: true}
	in.loops(c, m.Body)
	var bound core.VarSet
	for _, id := range m.Space.Ids {
		bound.Add(id)
	}
	core.Walk(m.Body, func(s *core.Stm) bool {
		for _, p := range s.Dst {
			bound.Add(p.Var)
		}
		if l, ok := s.Exp.(*core.Loop); ok {
			bound.Add(l.Index.Var)
			for _, p := range l.Params {
				bound.Add(p.Var)
			}
		}
		e, ok := s.Exp.(core.Seg)
		if !ok {
			return true
		}
		n := int64(1)
		for _, size := range e.SpaceOf().Sizes {
			k, constant := size.ConstInt()
			in.known = in.known && constant
			in.outside = in.outside && (constant || !bound.Has(size.Var))
			n *= max(k, 1)
		}
		in.largest = max(in.largest, n)
		in.operators(c, e)
		return false
	})
	return in
}

// loops looks at the operations in loops.
func (in *insideBody) loops(c *chooser, b *core.Body) {
	in.bounded = true
	core.Walk(b, func(s *core.Stm) bool {
		if _, ok := s.Exp.(*core.Loop); !ok {
			_, seg := s.Exp.(core.Seg)
			return !seg
		}
		core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
			core.Walk(b, func(s *core.Stm) bool {
				e, ok := s.Exp.(core.Seg)
				if ok {
					n, known := c.most.OfShape(e.SpaceOf().Sizes)
					in.repeated, in.bounded = max(in.repeated, n), in.bounded && known
				}
				return !ok
			})
			return b
		})
		return false
	})
	in.bounded = in.bounded && in.repeated > 0
}

// enough is how many of some threads a workgroup needs: as many as the operations in its loops have points, and leastRepeating. What is
// done once takes the more rounds, but each operation of a loop waits for all threads.
func (in *insideBody) enough(threads int) int {
	for in.bounded && threads >= 2*leastRepeating && int64(threads) >= 2*in.repeated {
		threads /= 2
	}
	return threads
}

// operators notes what an operation needs to join the values of threads.
func (in *insideBody) operators(c *chooser, e core.Seg) {
	switch e := core.Match(e).(type) {
	case *core.SegRed:
		in.joins = true
	case *core.SegScan:
		in.joins = true
		in.tileBytes = max(in.tileBytes, c.sharedBytes(operatorsOf(e.Ops).types))
	default:
	}
}

// copiesAhead is how many elements a thread copies from device memory at a time.
func (c *chooser) copiesAhead() int {
	if !c.Vectors || c.Software {
		return 1
	}
	return maxInFlight
}

// ahead is how many elements a thread of a workgroup loads before it uses the first, if there are some in device memory and what is done
// with each is little code, of at most the body's cost and that of what goes with it. It is generated twice for each, as the last round has
// fewer.
func (c *chooser) ahead(b *core.Body, with int) int {
	cost := c.cost(b) + with
	if !c.Vectors || c.Software || c.oneThread || !straight(b) || 2*maxInFlight*cost > maxAhead || !c.readsDevice(b) {
		return 1
	}
	return maxInFlight
}

// readsDevice reports whether a body reads elements of device memory.
func (c *chooser) readsDevice(b *core.Body) bool {
	free := core.FreeInBody(b)
	return core.Any(b, func(e core.Exp) bool {
		read, ok := e.(*core.Index)
		if !ok || !free.Has(read.Array) {
			return false
		}
		l := c.scope.TypeOf(read.Array).Layout
		return l != nil && c.scope.TypeOf(l.Mem).Space == core.SpaceDevice
	})
}

// membersMap shares the points of a map inside a workgroup among its threads.
func (c *chooser) membersMap(s *core.Stm, e *core.SegMap) *core.Choice {
	f := core.Form{Way: core.WayMembers, Sequential: c.oneThread, Flight: 1}
	scalars := !slices.ContainsFunc(s.Dst, func(p core.Param) bool { return !p.Type.IsArray() || p.Type.Rank() != len(e.Space.Sizes) })
	if scalars {
		f.Flight = c.ahead(e.Body, 0)
	}
	return only(f)
}

// membersRed shares a reduction inside a workgroup among its threads: segments that are short or many go to a thread each.
func (c *chooser) membersRed(e *core.SegRed) *core.Choice {
	o := operatorsOf(e.Ops)
	return only(core.Form{
		Way: core.WayMembers, Short: shortScan, Few: fewSegments, Shuffles: !c.Software && c.joins(o, c.threads), Looped: c.costly(o),
		Flight: c.ahead(e.Body, c.operatorCost(o)),
	})
}

// membersScan shares a scan inside a workgroup among its threads.
func (c *chooser) membersScan(e *core.SegScan) *core.Choice {
	o := operatorsOf(e.Ops)
	return only(core.Form{
		Way: core.WayMembers, Short: shortScan, Few: fewSegments, Prefixes: !c.Software && c.scansSubgroups(o, c.threads), Looped: c.costly(o),
		Flight: c.ahead(e.Body, 0),
	})
}
