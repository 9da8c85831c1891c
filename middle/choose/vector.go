package choose

import (
	"slices"

	"skald/middle/core"
)

// Note [Vectorised loads]
//
// A thread that loads 16 bytes at a time reads memory up to half as fast again
// as one that loads 4, and packed elements that are written a word at a time
// need no atomics. So where a body is a few scalar operations on the elements at
// its own point, a thread takes several neighbouring points: their elements are
// loaded together, the body is generated for each, and their results are stored
// together. A body that also updates accumulators is such a one if it has packed
// results. Points that do not fill a vector are left to code without.
//
// Arrays that a kernel accesses by vectors share no buffer with others (Note [Packed arrays] in runtime/host). So where a kernel has more
// arrays than the device binds, each element is loaded by itself.
//
// A thread that strides over its input loads several vectors before it uses the
// first: one of 16 bytes for each of the threads that a compute unit holds is
// less than a memory has under way between asking and getting.

// VectorBytes is the size of a vector.
const VectorBytes = 16

// maxInFlight is the most vectors that a thread loads before it uses the first.
const maxInFlight = 4

// vector is how many elements a thread loads together, and how many such vectors before it uses the first.
type vector struct{ width, inFlight int }

// vectorise looks at a body over a space whose results out, where they are dense, are stored together. With each element goes other code of
// some cost.
func (c *chooser) vectorise(space core.Space, body *core.Body, out []core.Param, with int) vector {
	return c.vectoriseWithin(maxUnrolled, space, body, out, with)
}

// vectoriseWithin is vectorise where a body together with its repetitions may cost so much, except on software devices.
func (c *chooser) vectoriseWithin(most int, space core.Space, body *core.Body, out []core.Param, with int) vector {
	v := vector{width: 1, inFlight: 1}
	if !c.Vectors || c.oneThread || !straightWith(body, packs(space, out)) || c.bindsMany(body, out) || c.sharesBlock(body, out) {
		return v
	}
	size, reads := 0, false
	for _, a := range VectorArrays(space, body, c.scope.TypeOf) {
		size, reads = max(size, c.scope.TypeOf(a).Elem.Size()), true
	}
	packed := VectorBytes // the smallest result
	for _, d := range out {
		if Dense(d.Type, space) {
			size, packed = max(size, d.Type.Elem.Size()), min(packed, d.Type.Elem.Size())
		}
	}
	if size == 0 {
		return v
	}
	v.width = VectorBytes / size
	if c.Software {
		most = softUnrolled
	}
	cost := c.cost(body) + with
	for v.width > 1 && v.width*cost > most {
		v.width /= 2
	}
	if v.width > 1 || packed < 4 {
		v.width = max(v.width, 4/packed) // whole words
	}
	for !c.Software && v.inFlight < maxInFlight && 2*v.inFlight*v.width*cost <= most && reads {
		v.inFlight *= 2
	}
	return v
}

// packs reports whether results over a space are elements that share words, as many as its points.
func packs(space core.Space, out []core.Param) bool {
	return slices.ContainsFunc(out, func(d core.Param) bool { return Dense(d.Type, space) && d.Type.Elem.Size() < 4 })
}

// sharesBlock reports whether a result lies in one block with another array of the kernel, in another place: at the edge a vector would
// have elements of both (Note [Tails of vectors] in package lower).
func (c *chooser) sharesBlock(body *core.Body, out []core.Param) bool {
	arrays := slices.Clone(out)
	for _, v := range core.FreeInBody(body).List() {
		if t := c.scope.TypeOf(v); t.IsArray() {
			arrays = append(arrays, core.Param{Var: v, Type: t})
		}
	}
	for _, d := range out {
		for _, a := range arrays {
			l, m := d.Type.Layout, a.Type.Layout
			if l != nil && m != nil && l.Mem == m.Mem && !l.Equal(m) {
				return true
			}
		}
	}
	return false
}

// bindsMany reports whether a body reads and writes more arrays than the device binds to a kernel, which are then accessed element by
// element: Note [Words of buffers] of package imp.
func (c *chooser) bindsMany(body *core.Body, out []core.Param) bool {
	if c.Bindings == 0 {
		return false
	}
	free := core.FreeInBody(body)
	var read core.VarSet
	core.Walk(body, func(s *core.Stm) bool {
		if e, ok := s.Exp.(*core.Index); ok && free.Has(e.Array) {
			read.Add(e.Array)
		}
		return true
	})
	arrays := len(read.List()) + len(out) + 1 // and the word for failures
	return arrays > c.Bindings
}

// VectorArrays lists the arrays of which a body reads the element at its own point of a space, where elements lie in the order of the
// points: those that a thread can load for several points together.
func VectorArrays(space core.Space, body *core.Body, types func(core.Var) core.Type) []core.Var {
	var own core.VarSet // arrays that the body makes
	var out []core.Var
	for _, s := range body.Stms {
		for _, d := range s.Dst {
			own.Add(d.Var)
		}
		e, ok := s.Exp.(*core.Index)
		if !ok || !s.Dst[0].Type.IsScalar() || own.Has(e.Array) || slices.Contains(out, e.Array) {
			continue
		}
		if Dense(types(e.Array), space) && OwnPoint(e.Slice, space) {
			out = append(out, e.Array)
		}
	}
	return out
}

// Dense reports whether an array has an element for each point of a space, in order from the start of its block.
func Dense(t core.Type, space core.Space) bool {
	return t.IsArray() && t.Layout != nil && slices.Equal(t.Shape, space.Sizes) &&
		len(t.Layout.Offset.Terms) == 0 && t.Layout.IsRowMajor(t.Shape)
}

// OwnPoint reports whether a slice is the point of the space itself.
func OwnPoint(s core.Slice, space core.Space) bool {
	if len(s) != len(space.Ids) {
		return false
	}
	for d, dim := range s {
		if !dim.Fix || !dim.Off.IsVar(space.Ids[d]) {
			return false
		}
	}
	return true
}
