package choose

import (
	"slices"

	"skald/middle/core"
)

// Note [Scan tiles]
//
// Where subgroups scan by shuffles, a tile has some vectors a thread, as many as a thread loads ahead, since a tile is loaded as a whole.
// Where a scan goes over its input once (core.WayLookBack) a tile has as many as tileWords allow: the fewer tiles there are, the shorter is
// the way back. That pays for inputs in memory, which are read once and not twice, and for values of few words: values that kernels make
// cost less to make twice than it takes to wait for each other. Of 10^8 elements on an H200, in two passes and in one: sums of i32 340 and
// 280 us, filter 447 and 383, maxima of f32 428 and 378; made by the kernel 171 and 204; of four words 693 and 947.
// Elsewhere a tile is one vector a thread, of which longer ones take the place of loads ahead.
//
// Few segments that are long (longForWorkgroup, fewForShares) have some workgroups each, which together saturate the device; their tiles
// are those of a workgroup that has a segment to itself.

const (
	// shortScan is how many elements of a segment one thread takes in any case. It reads and writes rows unevenly, eight times as much
	// memory as it needs.
	shortScan = 16
	// aloneThreads is how many threads have a run of a segment each, where these meet in no workgroup: one thread scans what they leave.
	aloneThreads = 1024
	// mostWords is how many words of a value a tile publishes at most, and fewWords how many it publishes where that pays.
	mostWords, fewWords = 4, 2
	// tileWords is how many words of values to scan, and of what is kept of their elements, a thread has of a tile that looks back.
	tileWords = 32
	// fewSegments is the part of the threads of a workgroup that segments must at least occupy for each to have one thread.
	fewSegments = 4
	// fewTasks is the part of the tasks of which segments must have fewer for several tasks to share each, which go over it twice: there
	// are some tasks for each core (targets), so half of the cores, or more, would have no segment.
	fewTasks = 16
)

// smallScans are the threads of workgroups for segments of at most as many elements.
var smallScans = [...]int{64, 128}

// segScan chooses for a scan of the grid.
func (c *chooser) segScan(s *core.Stm, e *core.SegScan) *core.Choice {
	o := operatorsOf(e.Ops)
	commutative := o.commutative
	o.commutative = false // order matters in every prefix
	single := len(e.Space.Sizes) == 1
	alone := c.alone(scanCode(e), o)
	switch {
	case c.Tasks > 0 && single:
		f := c.runs(e.Space, e.Body, o, commutative)
		if c.OneCore {
			f.Tasks = 1 // which scans in one pass; several would each have to know what those before leave
		}
		return only(f)
	case c.Tasks > 0:
		return c.taskScans(e, o, commutative)
	case alone:
		size := min(c.GroupSize, aloneThreads)
		return c.inThreads(e, core.Form{Way: core.WayAlone, Group: size, Groups: aloneThreads / size})
	case single:
		return only(c.scanOne(s, e, o))
	}
	return c.scanSegments(e, o)
}

// taskScans assigns few long segments to several tasks each, where they leave most cores without one, and others to one: see Note [Sizes of
// tasks]. On few cores the first form never runs, but kernels are the same for any number of them.
func (c *chooser) taskScans(e *core.SegScan, o operators, commutative bool) *core.Choice {
	whole := c.task(segmentCost(e.Space, c.elementCost(e.Body, o)))
	whole.Rows = c.rows(e.Space)
	if most, known := c.most.Of(e.Space.Sizes[len(e.Space.Sizes)-1]); known && most <= taskWork {
		return only(whole)
	}
	runs := c.runs(e.Space, e.Body, o, commutative)
	runs.When = all(core.Compare(core.MeasureSegments, core.Below, c.Tasks/fewTasks), core.Compare(core.MeasureSize, core.Above, taskWork))
	return &core.Choice{Forms: []core.Form{runs, whole}}
}

// scanSegments are forms for segments: a thread each for short ones, else a workgroup each, with as many threads as suit the size, whose
// threads take several elements each where segments are longer than a workgroup: Note [Factors of workgroups]. Few long ones have some
// workgroups each, as many as saturate the device together.
func (c *chooser) scanSegments(e *core.SegScan, o operators) *core.Choice {
	forms := []core.Form{{Way: core.WayThread, Group: c.GroupSize, When: either(core.Compare(core.MeasureSize, core.Below, shortScan))}}
	size := c.fitThreads(c.GroupSize, o.types)
	group := func(threads int) core.Form {
		return core.Form{Way: core.WayWorkgroup, Group: threads, Prefixes: c.scansSubgroups(o, threads), Looped: c.costly(o)}
	}
	for _, threads := range smallScans {
		if threads < size {
			f := group(threads)
			f.When = either(core.Compare(core.MeasureSize, core.Below, threads+1))
			forms = append(forms, f)
		}
	}
	last := group(size)
	in := insideBody{tileBytes: c.sharedBytes(o.types)}
	q := c.usualFactor()
	if c.SeqFactor > 0 {
		q = c.fittingFactor(in, size, q)
	}
	if few := smallScans[len(smallScans)-1]; q > 1 && few < size && c.tilesFit(in, size, q) {
		last.When = either(core.Compare(core.MeasureSize, core.Below, size+1))
		forms = append(forms, last)
		some := group(few)
		some.Factor, some.Flight = q, c.ahead(e.Body, 0)
		some.When = either(core.Compare(core.MeasureSize, core.Below, few*q+1))
		forms = append(forms, some)
		last = group(size)
		last.Factor, last.Flight = q, some.Flight
	}
	if most, known := c.most.Of(e.Space.Sizes[len(e.Space.Sizes)-1]); known && most <= longForWorkgroup {
		return &core.Choice{Forms: append(forms, last)}
	}
	shares := last
	shares.Way, shares.Groups, shares.Shuffles = core.WayShares, c.saturating(size), c.joins(o, size)
	shares.When = all(core.Compare(core.MeasureSegments, core.Below, shares.Groups/fewForShares),
		core.Compare(core.MeasureSize, core.Above, longForWorkgroup))
	return &core.Choice{Forms: append(forms, shares, last)}
}

// scanOne chooses for a scan of one segment: in one pass where workgroups may wait for each other, threads have vectors, values are words
// and nothing can fail, else in two launches, or three.
func (c *chooser) scanOne(s *core.Stm, e *core.SegScan, o operators) core.Form {
	size := c.fitThreads(c.GroupSize, o.types)
	f := core.Form{
		Way: core.WayGrid, Group: size, Rows: 1, Prefixes: c.scansSubgroups(o, size), Shuffles: c.joins(o, size), Looped: c.costly(o),
	}
	v := c.scanVector(s, e, o)
	if f.Prefixes {
		f.Vector, f.Flight, f.Rows = v.width, v.inFlight, v.inFlight
	} else {
		f.Vector, f.Flight = v.width*min(v.inFlight, 2), 1
	}
	if c.looksBack(f, e, o) && len(o.types) <= fewWords && len(VectorArrays(e.Space, e.Body, c.scope.TypeOf)) > 0 {
		f.Way, f.Flight = core.WayLookBack, 0
		for words := f.Rows * f.Vector * len(e.Ret); 2*words <= tileWords; words *= 2 {
			f.Rows *= 2
		}
		return f
	}
	f.Groups = c.Groups
	return f
}

// looksBack reports whether a scan may be done in one pass.
func (d *Device) looksBack(f core.Form, e *core.SegScan, o operators) bool {
	return d.LookBack && f.Prefixes && f.Shuffles && f.Vector > 1 && len(o.types) <= mostWords &&
		!mayAssert(scanCode(e))
}

// scanCode is the code of a point of a scan: its body, and what the post lambda does, but for updates of accumulators, which go element by
// element in any case.
func scanCode(e *core.SegScan) *core.Body {
	stms := e.Body.Stms
	if e.Post != nil {
		stms = slices.Clip(stms)
		for _, s := range e.Post.Body.Stms {
			if _, update := s.Exp.(*core.UpdateAcc); !update {
				stms = append(stms, s)
			}
		}
	}
	return &core.Body{Stms: stms, Res: e.Body.Res}
}

// arraysOf are results that are arrays.
func arraysOf(dst []core.Param) []core.Param {
	var out []core.Param
	for _, d := range dst {
		if d.Type.IsArray() {
			out = append(out, d)
		}
	}
	return out
}

// scanVector is what a thread loads together: single elements where a result does not lie densely or has elements of less than a word.
// Compilers of software devices do not take the operator's code as often as vectors need it (Note [Cost model]).
func (c *chooser) scanVector(s *core.Stm, e *core.SegScan, o operators) vector {
	dst := arraysOf(s.Dst)
	v := c.vectorise(e.Space, scanCode(e), dst, 2*c.operatorCost(o))
	narrow := slices.ContainsFunc(dst, func(d core.Param) bool { return !Dense(d.Type, e.Space) || d.Type.Elem.Size() < 4 })
	if narrow || c.Software && c.costly(o) {
		return vector{1, 1}
	}
	return v
}
