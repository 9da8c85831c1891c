package interp

import (
	"fmt"
	"math"
	"strings"

	"skald/frontend/types"
)

// dims evaluates the dimensions of an index or slice.
type dims func(f *frame) []dim

// dim is an evaluated dimension: an index, or a slice whose missing parts are nil.
type dim struct {
	index              int
	isSlice            bool
	start, end, stride *int
}

func (d dim) String() string {
	if !d.isSlice {
		return fmt.Sprint(d.index)
	}
	part := func(p *int) string {
		if p == nil {
			return ""
		}
		return fmt.Sprint(*p)
	}
	text := part(d.start) + ":" + part(d.end)
	if d.stride != nil {
		text += ":" + part(d.stride)
	}
	return text
}

// picks is what a dimension takes from n elements: count elements from start on, step apart. ok is false if one of them
// does not exist.
func (d dim) picks(n int) (start, count, step int, ok bool) {
	if !d.isSlice {
		return d.index, 1, 1, d.index >= 0 && d.index < n
	}
	step = 1
	if d.stride != nil {
		step = *d.stride
	}
	end := n
	if step < 0 {
		start, end = n-1, -1
	}
	if d.start != nil {
		start = *d.start
	}
	if d.end != nil {
		end = *d.end
	}
	switch {
	case step == 0 || step == math.MinInt || start != end && (end > start) != (step > 0):
		return 0, 0, 0, false
	case start == end:
		return 0, 0, step, true
	case step > 0:
		count = (end - start + step - 1) / step
	default:
		count = (start - end - step - 1) / -step
	}
	last := start + (count-1)*step
	// Where the sum overflowed, the count is not positive.
	return start, count, step, count > 0 && start >= 0 && start < n && last >= 0 && last < n
}

func (s *scope) dims(ds []types.Dim) dims {
	parts := make([]func(f *frame) dim, len(ds))
	for i, d := range ds {
		parts[i] = s.dim(d)
	}
	return func(f *frame) []dim {
		out := make([]dim, len(parts))
		for i, p := range parts {
			out[i] = p(f)
		}
		return out
	}
}

func (s *scope) dim(d types.Dim) func(f *frame) dim {
	if d.Index != nil {
		x := s.exp(d.Index)
		return func(f *frame) dim { return dim{index: x(f).int()} }
	}
	part := func(e types.Exp) func(f *frame) *int {
		if e == nil {
			return func(*frame) *int { return nil }
		}
		x := s.exp(e)
		return func(f *frame) *int { n := x(f).int(); return &n }
	}
	start, end, stride := part(d.Start), part(d.End), part(d.Stride)
	return func(f *frame) dim { return dim{isSlice: true, start: start(f), end: end(f), stride: stride(f)} }
}

// index compiles an index expression.
func (s *scope) index(e *types.Index) eval {
	arr := s.exp(e.Array)
	st := s.site(e.At)
	if len(e.Dims) == 1 && e.Dims[0].Index != nil {
		i := s.exp(e.Dims[0].Index)
		return func(f *frame) Value {
			a := arr(f).array()
			k := i(f).int()
			if uint(k) >= uint(a.shape[0]) {
				f.m.outOfBounds(a, []dim{{index: k}}, st)
			}
			if a.buf != nil && len(a.shape) == 1 {
				return a.buf.get(a.off + k)
			}
			return a.at(k)
		}
	}
	ds := s.dims(e.Dims)
	return func(f *frame) Value {
		a := arr(f).array()
		d := ds(f)
		v, ok := a.index(d)
		if !ok {
			f.m.outOfBounds(a, d, st)
		}
		return v
	}
}

func (m *machine) outOfBounds(a *array, ds []dim, st *site) {
	texts := make([]string, len(ds))
	for i, d := range ds {
		texts[i] = d.String()
	}
	shape := ""
	for _, n := range a.shape[:len(ds)] {
		shape += fmt.Sprintf("[%d]", n)
	}
	m.fail(st.at, "Index [%s] out of bounds for array of shape %s.", strings.Join(texts, ", "), shape)
}

// index takes an element or a slice of a.
func (a *array) index(ds []dim) (Value, bool) {
	if len(ds) == 0 {
		return Value{ref: a}, true
	}
	start, n, step, ok := ds[0].picks(a.shape[0])
	switch {
	case !ok:
		return Value{}, false
	case !ds[0].isSlice && len(ds) == 1:
		return a.at(start), true
	case !ds[0].isSlice:
		return a.row(start).index(ds[1:])
	case len(ds) == 1 && step == 1:
		return Value{ref: a.slice(start, n)}, true
	default:
		return a.gather(ds)
	}
}

// gather copies a slice that is not contiguous.
func (a *array) gather(ds []dim) (Value, bool) {
	var outer []int
	for i, d := range ds {
		_, n, _, ok := d.picks(a.shape[i])
		if !ok {
			return Value{}, false
		}
		if d.isSlice {
			outer = append(outer, n)
		}
	}
	c := a.fresh(outer, len(ds))
	c.each(a, ds, func(to, from *array, i, j, n int) { to.buf.copyIn(i, from.buf, j, n) })
	return Value{ref: c}, true
}

// scatterInto overwrites the part of a that ds picks with b, whose outer dimensions are those of the slices.
func (a *array) scatterInto(b *array, ds []dim) {
	b.each(a, ds, func(from, to *array, i, j, n int) { to.buf.copyIn(j, from.buf, i, n) })
}

// each goes over the elements of a, which correspond in order to those that ds picks of b: f is given runs of n
// elements in the buffers.
func (a *array) each(b *array, ds []dim, f func(a, b *array, i, j, n int)) {
	if a.buf == nil {
		for k, field := range a.fields {
			field.each(b.fields[k], ds, f)
		}
		return
	}
	inner := product(b.shape[len(ds):])
	next := a.off
	var walk func(k, at int)
	walk = func(k, at int) {
		if k == len(ds) {
			f(a, b, next, b.off+at*inner, inner)
			next += inner
			return
		}
		start, n, step, _ := ds[k].picks(b.shape[k])
		for i := range n {
			walk(k+1, at*b.shape[k]+start+i*step)
		}
	}
	walk(0, 0)
}

// update compiles `src with path = value`. Arrays are updated in place.
func (s *scope) update(e *types.Update) eval {
	src := s.exp(e.Src)
	st := s.site(e.At)
	if len(e.Path) == 1 && len(e.Path[0].Dims) == 1 && e.Path[0].Dims[0].Index != nil {
		i, value := s.exp(e.Path[0].Dims[0].Index), s.exp(e.Value)
		return func(f *frame) Value {
			v := src(f)
			a := v.array()
			k, x := i(f).int(), value(f)
			if uint(k) >= uint(a.shape[0]) {
				f.m.outOfBounds(a, []dim{{index: k}}, st)
			}
			if !a.set(k, x) {
				f.m.misfit(a.shape[1:], x, st)
			}
			return f.m.consume(v)
		}
	}
	steps := s.steps(e)
	value := s.exp(e.Value)
	return func(f *frame) Value {
		v := src(f)
		path := make([][]dim, len(steps))
		for i, step := range steps {
			if step.dims != nil {
				path[i] = step.dims(f)
			}
		}
		return f.m.replace(v, steps, path, value(f), st)
	}
}

// step is a compiled step of the path of an update.
type step struct {
	field int
	dims  dims // nil for a field
}

func (s *scope) steps(e *types.Update) []step {
	t := types.Represent(e.Src.Base().Type)
	steps := make([]step, len(e.Path))
	for i, p := range e.Path {
		if p.Dims == nil {
			steps[i] = step{field: fieldIndex(t, p.Field)}
			t = types.Represent(t.(*types.Record).Field(p.Field))
			continue
		}
		steps[i] = step{dims: s.dims(p.Dims)}
		for _, d := range p.Dims {
			if d.Index != nil { // Only an index leads on to another step.
				t = types.Represent(types.Force(t).(*types.Array).Elem)
			}
		}
	}
	return steps
}

// replace is v with what lies at the end of the path replaced by x.
func (m *machine) replace(v Value, steps []step, path [][]dim, x Value, st *site) Value {
	if len(steps) == 0 {
		return x
	}
	if steps[0].dims == nil {
		fields := append([]Value(nil), v.record().fields...)
		i := steps[0].field
		fields[i] = m.replace(fields[i], steps[1:], path[1:], x, st)
		return Value{ref: &record{fields}}
	}
	a, ds := v.array(), path[0]
	if len(steps) > 1 {
		elem, ok := a.index(ds)
		if !ok {
			m.outOfBounds(a, ds, st)
		}
		x = m.replace(elem, steps[1:], path[1:], x, st)
	}
	m.write(a, ds, x, st)
	return m.consume(v)
}

// write overwrites the part of a that ds picks.
func (m *machine) write(a *array, ds []dim, x Value, st *site) {
	var want []int
	row, last := a, 0
	for i, d := range ds {
		_, n, _, ok := d.picks(a.shape[i])
		if !ok {
			m.outOfBounds(a, ds, st)
		}
		if d.isSlice {
			want = append(want, n)
		}
	}
	if want == nil {
		for ; last < len(ds)-1; last++ {
			row = row.row(ds[last].index)
		}
		if !row.set(ds[last].index, x) {
			m.misfit(row.shape[1:], x, st)
		}
		return
	}
	want = append(want, a.shape[len(ds):]...)
	b := x.array()
	if !equalShapes(want, b.shape) {
		m.misfit(want, x, st)
	}
	if sharesMemory(a, b) {
		b = b.clone()
	}
	a.scatterInto(b, ds)
}

// sharesMemory reports whether a and b may overlap.
func sharesMemory(a, b *array) bool {
	if a.buf != nil {
		return a.buf == b.buf
	}
	for i, f := range a.fields {
		if sharesMemory(f, b.fields[i]) {
			return true
		}
	}
	return false
}

func (m *machine) misfit(want []int, x Value, st *site) {
	got := "a scalar"
	if a, ok := x.ref.(*array); ok {
		got = "shape " + fmt.Sprint(a.shape)
	}
	m.fail(st.at, "Update out of bounds: a value of %s does not fit where shape %v is.", got, want)
}
