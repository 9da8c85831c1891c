package interp

import (
	"strconv"

	"skald/frontend/types"
	"skald/runtime/prim"
)

// arrayConst compiles an array of constants. Each evaluation copies it, since it may be updated in place.
func (s *scope) arrayConst(e *types.ArrayConst) eval {
	t := types.Represent(e.Type).(*types.Array)
	a := newArray([]int{len(e.Values)}, &rtype{kind: primType, prim: types.Represent(t.Elem).(*types.Prim).Kind})
	for i, v := range e.Values {
		a.set(i, Value{word: v.Word()})
	}
	return func(*frame) Value { return Value{ref: a.clone()} }
}

// arrayLit compiles an array given by its elements.
func (s *scope) arrayLit(e *types.ArrayLit) eval {
	elems := make([]eval, len(e.Elems))
	for i, x := range e.Elems {
		elems[i] = s.exp(x)
	}
	t, known := s.typeOf(types.Represent(e.Type).(*types.Array).Elem)
	st := s.site(e.At)
	return func(f *frame) Value {
		elem := known
		if elem == nil {
			elem = t(f)
		}
		if len(elems) == 0 {
			return Value{ref: newArray([]int{0}, elem)}
		}
		first := elems[0](f)
		a := newArrayOf(len(elems), elem, first)
		a.set(0, first)
		for i, x := range elems[1:] {
			if v := x(f); !a.set(i+1, v) {
				f.m.fail(st.at, "Element %d of this array has shape %s, but the first has %s.", i+1,
					shapeText(v, elem), shapeText(first, elem))
			}
		}
		return Value{ref: a}
	}
}

// rangeExp compiles a range.
func (s *scope) rangeExp(e *types.Range) eval {
	first, last := s.exp(e.First), s.exp(e.Last)
	var second eval
	if e.Second != nil {
		second = s.exp(e.Second)
	}
	kind := types.Represent(e.First.Base().Type).(*types.Prim).Kind
	elem := &rtype{kind: primType, prim: kind}
	fail := s.fail(e.At)
	return func(f *frame) Value {
		r := bounds{kind: e.Kind, prim: kind, first: first(f).word, last: last(f).word}
		if second != nil {
			r.second, r.hasSecond = second(f).word, true
		}
		n, step, ok := r.count()
		if !ok {
			fail(f, "Range %s is invalid.", r)
		}
		a := newArray([]int{n}, elem)
		fillRange(a.buf.storage, r.first, step)
		return Value{ref: a}
	}
}

// fillRange stores first, first+step, ...; the common type without a call an element.
func fillRange(st storage, first, step uint64) {
	if xs, ok := st.(words[int64]); ok {
		for i := range xs {
			xs[i] = int64(first)
			first += step
		}
		return
	}
	for i := range st.size() {
		st.set(i, Value{word: first})
		first += step
	}
}

// bounds are the evaluated parts of a range.
type bounds struct {
	kind                types.RangeKind
	prim                prim.Type
	first, second, last uint64
	hasSecond           bool
}

// less compares two canonical words of the range's type.
func (r bounds) less(x, y uint64) bool {
	if r.prim.IsUnsigned() {
		return x < y
	}
	return int64(x) < int64(y)
}

// count is the number of elements of the range and its step. It is not ok if the step is zero or leads away from the end, or if the
// number is no i64.
func (r bounds) count() (n int, step uint64, ok bool) {
	up := r.kind != types.DownTo
	size := uint64(1)
	if r.hasSecond {
		up = r.less(r.first, r.second)
		if size = r.second - r.first; !up {
			size = r.first - r.second
		}
	}
	distance := r.last - r.first
	wrong := r.less(r.last, r.first)
	if !up {
		distance = -distance
		wrong = r.less(r.first, r.last)
	}
	switch {
	case size == 0 || wrong:
		return 0, 0, false
	case r.kind == types.UpTo && !up || r.kind == types.DownTo && up:
		return 0, 0, false
	case r.kind == types.Inclusive:
		n = int(distance/size) + 1
		wrong = n <= 0
	case distance > 0:
		n = int((distance-1)/size) + 1
		wrong = n <= 0
	}
	if wrong { // There are more than an i64 can count.
		return 0, 0, false
	}
	if !up {
		size = -size
	}
	return n, size, true
}

// String prints the range as source text.
func (r bounds) String() string {
	word := func(w uint64) string {
		if r.prim.IsUnsigned() {
			return strconv.FormatUint(w, 10)
		}
		return strconv.FormatInt(int64(w), 10)
	}
	text := word(r.first)
	if r.hasSecond {
		text += ".." + word(r.second)
	}
	return text + [...]string{types.Inclusive: "...", types.UpTo: "..<", types.DownTo: "..>"}[r.kind] + word(r.last)
}
