package layout

import (
	"slices"

	"skald/middle/core"
	"skald/middle/pass"
	"skald/middle/tile"
	"skald/runtime/prim"
)

// reach says how what neighbouring threads have of a number differs.
type reach uint8

const (
	alike    reach = iota // they have the same
	beside                // each has one more than the one before
	anywhere              // nothing is known
)

// index is what is known of a number in a kernel: how it differs between neighbouring threads, and whether a loop of the thread counts it
// up.
type index struct {
	reach  reach
	walked bool
}

// view is an array in a kernel, or on the host, as a part of one that the host has: for each dimension of that one, the index where it is
// fixed, or which dimension of the view it is.
type view struct {
	root core.Var
	dims []viewDim
}

type viewDim struct {
	at   index
	open int // the view's dimension, -1 where it is fixed
}

// wholeView is an array as a view of itself.
func wholeView(v core.Var, rank int) view {
	out := view{root: v, dims: make([]viewDim, rank)}
	for d := range out.dims {
		out.dims[d].open = d
	}
	return out
}

// sliced is a part of a view.
func (w view) sliced(sl core.Slice, at func(core.Operand) index) view {
	out := view{w.root, slices.Clone(w.dims)}
	left := make([]int, len(sl)) // the dimensions of the slice, as those of the result
	n := 0
	for d, dim := range sl {
		left[d] = -1
		if !dim.Fix {
			left[d] = n
			n++
		}
	}
	for i, d := range w.dims {
		if d.open >= 0 && left[d.open] < 0 {
			out.dims[i] = viewDim{at(sl[d.open].Off), -1}
		} else if d.open >= 0 {
			out.dims[i].open = left[d.open]
		}
	}
	return out
}

// rearranged is a view with its dimensions permuted.
func (w view) rearranged(perm []int) view {
	out := view{w.root, slices.Clone(w.dims)}
	for i, d := range w.dims {
		if d.open >= 0 {
			out.dims[i].open = slices.Index(perm, d.open)
		}
	}
	return out
}

// read is what the threads of a kernel read of an array of the host.
type read struct {
	root core.Var
	dims []index // where, for each of its dimensions
	trips
}

// trips says how often something is done: a number times sizes.
type trips struct {
	k  float64
	by []core.Operand
}

func (t trips) times(n core.Operand) trips {
	if k, ok := n.ConstInt(); ok {
		return trips{t.k * float64(max(k, 0)), t.by}
	}
	return trips{t.k, append(slices.Clip(t.by), n)}
}

func (t trips) timesAll(ns []core.Operand) trips {
	for _, n := range ns {
		t = t.times(n)
	}
	return t
}

// someTrips is how often loops run of which it is not known (as in Note [Costs of versions] of package flatten), and how large sizes are
// that do not cancel where one amount is compared with another.
const someTrips = 16

// lane returns the dimension in which neighbouring threads are beside each other, -1 where they read the same element; ok is false where
// nothing is known.
func (r *read) lane() (dim int, ok bool) {
	dim = -1
	for d, at := range r.dims {
		switch {
		case at.reach == anywhere, at.reach == beside && dim >= 0:
			return -1, false
		case at.reach == beside:
			dim = d
		}
	}
	return dim, true
}

// reader finds the reads of a kernel.
type reader struct {
	host  func(core.Var) (view, bool) // arrays of the host
	types func(core.Var) core.Type
	lane  core.Var
	frees core.Frees
	at    map[core.Var]index // what is not alike
	inner map[core.Var]bool  // what the kernel binds
	views map[core.Var]view
	reads []read
	// handed are arrays of the host that the kernel uses otherwise than by reading elements.
	handed map[core.Var]bool
}

// kernels are those of the grid in host code: which are tiled, and what they read by an index of theirs. They are most of a program, and
// are looked at side by side.
type kernels struct {
	tiled map[core.Seg]bool
	reads map[core.Var]*reader
}

// kernelsIn looks at the kernels of a body; lanes says for which indices it will be asked what one reads.
func kernelsIn(
	b *core.Body, host func(core.Var) (view, bool), types func(core.Var) core.Type, lanes func(s *core.Stm, e core.Seg, tiled bool) []core.Var,
) *kernels {
	var stms []*core.Stm
	core.Walk(b, func(s *core.Stm) bool {
		if _, body := kernelOf(s); body != nil {
			stms = append(stms, s)
		}
		_, seg := s.Exp.(core.Seg)
		return !seg
	})
	type looked struct {
		tiled bool
		reads []*reader
	}
	out := &kernels{map[core.Seg]bool{}, map[core.Var]*reader{}}
	for i, k := range pass.Each(stms, func(s *core.Stm) looked {
		e, body := kernelOf(s)
		m, ok := e.(*core.SegMap)
		k := looked{tiled: ok && tile.Dimensions(m, types) > 0}
		for _, lane := range lanes(s, e, k.tiled) {
			k.reads = append(k.reads, readsOf(e, body, lane, host, types))
		}
		return k
	}) {
		e, _ := kernelOf(stms[i])
		out.tiled[e] = k.tiled
		for _, r := range k.reads {
			out.reads[r.lane] = r
		}
	}
	return out
}

// readsOf lists what a kernel reads if neighbouring threads differ in this index of its space.
func readsOf(e core.Seg, body *core.Body, lane core.Var, host func(core.Var) (view, bool), types func(core.Var) core.Type) *reader {
	r := &reader{
		host: host, types: types, lane: lane, at: map[core.Var]index{lane: {reach: beside}},
		inner: map[core.Var]bool{}, views: map[core.Var]view{}, handed: map[core.Var]bool{},
	}
	for _, id := range e.SpaceOf().Ids {
		r.inner[id] = true
	}
	r.body(body, trips{k: 1}.timesAll(e.SpaceOf().Sizes))
	return r
}

func (r *reader) index(o core.Operand) index {
	if o.Var == 0 {
		return index{}
	}
	return r.at[o.Var]
}

func (r *reader) viewOf(v core.Var) (view, bool) {
	if w, ok := r.views[v]; ok {
		return w, true
	}
	if r.inner[v] {
		return view{}, false
	}
	return r.host(v)
}

func (r *reader) body(b *core.Body, often trips) {
	for _, s := range b.Stms {
		for _, d := range s.Dst {
			r.inner[d.Var] = true
		}
		r.stm(s, often)
	}
	for _, o := range b.Res {
		r.hands(o.Var)
	}
}

// hands notes that code goes on with an array as a whole.
func (r *reader) hands(v core.Var) {
	if w, ok := r.viewOf(v); v != 0 && ok {
		r.handed[w.root] = true
	}
}

func (r *reader) stm(s *core.Stm, often trips) {
	dst := s.Dst
	switch e := core.Match(s.Exp).(type) {
	case *core.Index:
		w, ok := r.viewOf(e.Array)
		if dst[0].Type.IsScalar() {
			r.read(w, ok, e.Slice, often)
			r.derive(dst, r.frees.Stm(s))
		} else if ok {
			r.views[dst[0].Var] = w.sliced(e.Slice, r.index)
		}
	case *core.Rearrange:
		if w, ok := r.viewOf(e.Array); ok {
			r.views[dst[0].Var] = w.rearranged(e.Perm)
		}
	case *core.Use:
		if w, ok := r.viewOf(e.X.Var); ok && dst[0].Type.IsArray() {
			r.views[dst[0].Var] = w
			return
		}
		r.set(dst[0].Var, r.index(e.X))
	case *core.Conv:
		at := r.index(e.X)
		if !e.From.IsInt() || !e.To.IsInt() {
			at = index{reach: worse(at.reach)}
		}
		r.set(dst[0].Var, at)
	case *core.Bin:
		r.set(dst[0].Var, r.arithmetic(e))
	case *core.Loop:
		r.loop(s, e, often)
	case *core.If:
		r.body(e.Then, trips{often.k / 2, often.by})
		r.body(e.Else, trips{often.k / 2, often.by})
		r.derive(dst, r.frees.Stm(s))
	default:
		for _, v := range r.frees.Stm(s) {
			r.hands(v)
		}
		core.MapBodies(s.Exp, func(b *core.Body) *core.Body { r.body(b, often); return b })
		r.derive(dst, r.frees.Stm(s))
	}
}

// read notes the reading of an element.
func (r *reader) read(w view, ok bool, sl core.Slice, often trips) {
	if !ok {
		return
	}
	w = w.sliced(sl, r.index)
	dims := make([]index, len(w.dims))
	for d, dim := range w.dims {
		dims[d] = dim.at
	}
	r.reads = append(r.reads, read{w.root, dims, often})
}

func (r *reader) set(v core.Var, at index) {
	if at != (index{}) {
		r.at[v] = at
	}
}

// worse is what is known of what is computed of a number, by an operation of which nothing is known.
func worse(r reach) reach {
	if r == alike {
		return alike
	}
	return anywhere
}

// derive notes that nothing is known of results that depend on what threads do not have alike.
func (r *reader) derive(dst []core.Param, from []core.Var) {
	for _, v := range from {
		if r.at[v].reach != alike {
			for _, d := range dst {
				r.at[d.Var] = index{reach: anywhere}
			}
			return
		}
	}
}

func (r *reader) arithmetic(e *core.Bin) index {
	x, y := r.index(e.X), r.index(e.Y)
	walked := x.walked || y.walked
	switch {
	case x.reach == alike && y.reach == alike:
		return index{alike, walked && (e.Op == prim.Add || e.Op == prim.Sub)}
	case !e.Type.IsInt():
	case e.Op == prim.Add && x.reach != y.reach && max(x.reach, y.reach) == beside,
		e.Op == prim.Sub && x.reach != y.reach && max(x.reach, y.reach) == beside:
		return index{beside, walked}
	}
	return index{reach: anywhere}
}

// loop goes into a loop. Of its parameters nothing is known unless what they begin with, and all that is read in it, is alike.
func (r *reader) loop(s *core.Stm, e *core.Loop, often trips) {
	for i, p := range e.Params {
		r.inner[p.Var] = true
		if p.Type.IsArray() {
			r.hands(e.Init[i].Var)
		} else {
			r.at[p.Var] = index{reach: anywhere}
		}
	}
	n := core.Int(someTrips)
	if e.IsFor() {
		r.inner[e.Index.Var] = true
		r.at[e.Index.Var] = index{walked: true}
		if e.Bound.Var == 0 || !r.inner[e.Bound.Var] {
			n = e.Bound
		}
	}
	r.body(e.Body, often.times(n))
	for _, d := range s.Dst {
		r.at[d.Var] = index{reach: anywhere}
	}
}
