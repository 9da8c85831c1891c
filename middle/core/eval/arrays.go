package eval

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

func (f *frame) arrayExp(s *core.Stm) []val {
	switch e := s.Exp.(type) {
	case *core.Index:
		part := f.slice(f.env[e.Array].array, e.Slice)
		if len(part.shape) == 0 {
			return scalar(prim.FromWord(part.elem, *part.at(nil)))
		}
		return one(part)
	case *core.Update:
		a := f.env[e.Array].array
		f.store(f.slice(a, e.Slice), f.value(e.Value))
		return one(a)
	case *core.Rearrange:
		return one(f.env[e.Array].array.rearrange(e.Perm))
	case *core.Reshape:
		return one(f.reshape(s.Dst[0], f.env[e.Array].array, f.ints(e.Shape)))
	case *core.Scratch:
		return one(f.dest(s.Dst[0]))
	case *core.Screma, *core.Hist, *core.WithAcc, *core.UpdateAcc:
		return f.soac(s)
	case *core.SegMap, *core.SegRed, *core.SegScan, *core.SegHist:
		return f.segmented(s)
	default:
	}
	out := f.dest(s.Dst[0])
	switch e := s.Exp.(type) {
	case *core.ArrayLit:
		for i, v := range f.values(e.Elems) {
			f.store(out.row([]int{i}), v)
		}
	case *core.Concat:
		k := 0
		for _, x := range e.Arrays {
			a := f.env[x].array
			for i := range a.shape[0] {
				f.store(out.row([]int{k}), val{array: a.row([]int{i})})
				k++
			}
		}
		if k != out.shape[0] {
			fault("concat of size %d, not %d", k, out.shape[0])
		}
	case *core.Iota:
		f.iota(e, out)
	case *core.Replicate:
		x := f.value(e.X)
		each(f.ints(e.Shape), func(is []int) { f.store(out.row(is), x) })
	case *core.Copy:
		out.copyFrom(f.env[e.Array].array)
	default:
		fault("cannot run %T", e)
	}
	return one(out)
}

// store writes a scalar or an array to the place that dst views.
func (f *frame) store(dst *array, v val) {
	if v.array != nil {
		dst.copyFrom(v.array)
		return
	}
	if v.scalar.Type() != dst.elem {
		fault("%s stored in an array of %s", v.scalar, dst.elem)
	}
	*dst.at(nil) = v.scalar.Word()
}

// load is what a view of no dimensions, or else an array, holds.
func load(a *array) val {
	if len(a.shape) == 0 {
		return val{scalar: prim.FromWord(a.elem, *a.at(nil))}
	}
	return val{array: a}
}

func (f *frame) iota(e *core.Iota, out *array) {
	x, step := f.value(e.Start).scalar, f.value(e.Step).scalar
	for i := range out.shape[0] {
		*out.at([]int{i}) = x.Word()
		x, _ = prim.EvalBin(prim.Add, x, step)
	}
}

// slice is the part of an array that a slice selects, as a view.
func (f *frame) slice(a *array, sl core.Slice) *array {
	r := &array{elem: a.elem, mem: a.mem, offset: a.offset}
	for d, dim := range sl {
		off := f.int(dim.Off)
		if dim.Fix {
			if off < 0 || off >= a.shape[d] {
				fault("index %d is outside of size %d", off, a.shape[d])
			}
			r.offset += off * a.strides[d]
			continue
		}
		n, st := f.int(dim.Len), f.int(dim.Stride)
		if n > 0 && (off < 0 || off >= a.shape[d] || off+(n-1)*st < 0 || off+(n-1)*st >= a.shape[d]) {
			fault("slice %d:%d:%d is outside of size %d", off, n, st, a.shape[d])
		}
		r.offset += off * a.strides[d]
		r.shape = append(r.shape, n)
		r.strides = append(r.strides, st*a.strides[d])
	}
	return r
}

func (a *array) rearrange(perm []int) *array {
	r := &array{elem: a.elem, mem: a.mem, offset: a.offset}
	for _, p := range perm {
		r.shape = append(r.shape, a.shape[p])
		r.strides = append(r.strides, a.strides[p])
	}
	return r
}

// reshape gives a view when the layout says so, else a view of a dense array
// and a dense copy of any other.
func (f *frame) reshape(p core.Param, a *array, shape []int) *array {
	if count(shape) != count(a.shape) {
		fault("reshape of %v to %v", a.shape, shape)
	}
	if p.Type.Layout != nil {
		v := f.view(p.Type)
		if !slices.Equal(v.words(), a.words()) {
			fault("reshape of %v to %v moves elements", a.shape, shape)
		}
		return v
	}
	if !slices.Equal(a.strides, denseStrides(a.shape)) {
		a = a.clone()
	}
	return &array{a.elem, shape, a.mem, a.offset, denseStrides(shape)}
}
