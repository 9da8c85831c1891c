package interp

import (
	"fmt"
	"math"

	"skald/frontend/types"
)

// operands are the evaluated arguments of an intrinsic: the types and sizes that instantiate it, and its arguments
// proper.
type operands struct {
	types []Value
	args  []Value
	site  *site
}

// elem is the i-th type argument.
func (o operands) elem(i int) *rtype { return o.types[i].ref.(*typeArg).t }

func (o operands) array(i int) *array { return o.args[i].array() }

func (o operands) int(i int) int { return o.args[i].int() }

// meaning is what an intrinsic does.
func meaning(i types.Intrinsic) func(m *machine, o operands) Value {
	switch i {
	case types.NoIntrinsic:
	case types.Map:
		return (*machine).mapArray
	case types.Reduce, types.ReduceComm:
		return (*machine).reduce
	case types.Scan:
		return (*machine).scan
	case types.Hist1D, types.Hist2D, types.Hist3D:
		return (*machine).hist
	case types.Scatter1D, types.Scatter2D, types.Scatter3D:
		return (*machine).scatter
	case types.FlatMap:
		return (*machine).flatMap
	case types.Zip:
		return (*machine).zip
	case types.Unzip:
		return (*machine).unzip
	case types.Concat:
		return (*machine).concat
	case types.Flatten:
		return (*machine).flatten
	case types.Unflatten:
		return (*machine).unflatten
	case types.Transpose:
		return (*machine).transpose
	case types.Manifest:
		return (*machine).manifest
	case types.Replicate:
		return (*machine).replicate
	case types.AccWrite:
		return (*machine).accWrite
	case types.ScatterStream:
		return (*machine).scatterStream
	case types.HistStream:
		return (*machine).histStream
	case types.JVP:
		return (*machine).jvp
	case types.VJP:
		return (*machine).vjp
	case types.JMP:
		return (*machine).jmp
	case types.MJP:
		return (*machine).mjp
	case types.WithVJP:
		return (*machine).withVJP
	case types.FlatIndex2D, types.FlatIndex3D, types.FlatIndex4D:
		return (*machine).flatIndex
	case types.FlatUpdate2D, types.FlatUpdate3D, types.FlatUpdate4D:
		return (*machine).flatUpdate
	}
	panic(fmt.Sprintf("interp: intrinsic %d", i))
}

// builtin compiles the application of an intrinsic. Arguments are evaluated from right to left, then the types: Note
// [Order of evaluation].
func (s *scope) builtin(e *types.Builtin) eval {
	do := meaning(e.Fn)
	args := s.exps(e.Args)
	ts := s.typeArgs(e.TypeArgs)
	st := s.site(e.At)
	return func(f *frame) Value {
		vs := evalAll(f, args)
		return do(f.m, operands{evalAll(f, ts), vs, st})
	}
}

func (m *machine) zip(o operands) Value {
	a, b := o.array(0).clone(), o.array(1).clone()
	return Value{ref: &array{shape: a.shape[:1], fields: []*array{a, b}}}
}

func (m *machine) unzip(o operands) Value {
	a := o.array(0)
	return tuple(Value{ref: a.fields[0].clone()}, Value{ref: a.fields[1].clone()})
}

func (m *machine) concat(o operands) Value { return Value{ref: o.array(0).concat(o.array(1))} }

func (m *machine) transpose(o operands) Value { return Value{ref: o.array(0).transposed()} }

func (m *machine) manifest(o operands) Value { return copyValue(o.args[0]) }

func (m *machine) flatten(o operands) Value {
	a := o.array(0)
	return Value{ref: a.reshaped([]int{a.shape[0] * a.shape[1]}, 2)}
}

// unflatten takes the sizes from its last two type arguments; where they are not known, one is computed from the other.
func (m *machine) unflatten(o operands) Value {
	a := o.array(len(o.args) - 1)
	var n, k int
	if len(o.args) == 3 {
		n, k = o.int(0), o.int(1)
	} else {
		n, k = o.types[1].int(), o.types[2].int()
	}
	if n < 0 || k < 0 || n*k != a.len() || k > 0 && n > math.MaxInt/k {
		m.fail(o.site.at, "Cannot unflatten array of shape [%d] to array of shape [%d][%d].", a.len(), n, k)
	}
	return Value{ref: a.reshaped([]int{n, k}, 1)}
}

func (m *machine) replicate(o operands) Value {
	n := o.int(0)
	if n < 0 {
		m.fail(o.site.at, "Range 0..1..<%d is invalid: an array cannot have a negative size.", n)
	}
	a := newArrayOf(n, o.elem(0), o.args[1])
	for i := range n {
		a.set(i, o.args[1])
	}
	return Value{ref: a}
}

func (m *machine) accWrite(o operands) Value {
	acc := o.args[0].ref.(*accumulator)
	i, v := o.int(1), o.args[2]
	if i < 0 || i >= acc.dest.len() {
		return o.args[0]
	}
	if acc.op != nil {
		v = acc.op.call2(acc.dest.at(i), v)
	}
	m.store(acc.dest, i, v, o.site)
	return o.args[0]
}

// store writes an element whose shape the checker has shown to fit, unless an existential size was abused.
func (m *machine) store(a *array, i int, v Value, st *site) {
	if !a.set(i, v) {
		m.misfit(a.shape[1:], v, st)
	}
}

func (m *machine) scatterStream(o operands) Value {
	return m.stream(&accumulator{dest: o.array(0)}, o.args[1], o.array(2), o.site)
}

func (m *machine) histStream(o operands) Value {
	op := m.newCaller(o.args[1], 2, o.site)
	defer op.done()
	return m.stream(&accumulator{o.array(0), op}, o.args[3], o.array(4), o.site)
}

func (m *machine) stream(acc *accumulator, fn Value, xs *array, st *site) Value {
	f := m.newCaller(fn, 2, st)
	defer f.done()
	for i := range xs.len() {
		f.call2(Value{ref: acc}, xs.at(i))
	}
	return m.consume(Value{ref: acc.dest})
}

// flatIndex takes elements of a one-dimensional array at regular distances: its arguments are the array, where to
// begin, and for each dimension of the result its size and distance.
func (m *machine) flatIndex(o operands) Value {
	a := o.array(0)
	var sizes, strides []int
	for i := 2; i < len(o.args); i += 2 {
		sizes, strides = append(sizes, o.int(i)), append(strides, o.int(i+1))
	}
	for _, n := range sizes {
		if n < 0 {
			m.fail(o.site.at, "Flat index out of bounds: the size %d is negative.", n)
		}
	}
	c := a.fresh(sizes, 1)
	flat := c.reshaped([]int{product(sizes)}, len(sizes))
	next := 0
	m.flatPlaces(a, o.int(1), sizes, strides, o.site, func(i int) {
		flat.set(next, a.at(i))
		next++
	})
	return Value{ref: c}
}

// flatUpdate overwrites elements at regular distances: its arguments are the array, where to begin, the distances, and
// the new elements, whose shape has the sizes.
func (m *machine) flatUpdate(o operands) Value {
	a := o.array(0)
	b := o.array(len(o.args) - 1)
	var strides []int
	for i := 2; i < len(o.args)-1; i++ {
		strides = append(strides, o.int(i))
	}
	sizes := b.shape[:len(strides)]
	flat := b.reshaped([]int{product(sizes)}, len(sizes))
	next := 0
	m.flatPlaces(a, o.int(1), sizes, strides, o.site, func(i int) {
		m.store(a, i, flat.at(next), o.site)
		next++
	})
	return m.consume(o.args[0])
}

// flatPlaces calls f for each place in row-major order.
func (m *machine) flatPlaces(a *array, offset int, sizes, strides []int, st *site, f func(i int)) {
	if len(sizes) == 0 {
		if offset < 0 || offset >= a.len() {
			m.fail(st.at, "Flat index %d out of bounds for array of shape [%d].", offset, a.len())
		}
		f(offset)
		return
	}
	for i := range sizes[0] {
		m.flatPlaces(a, offset+i*strides[0], sizes[1:], strides[1:], st, f)
	}
}
