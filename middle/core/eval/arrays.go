package eval

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

func (f *frame) viewExp(dst core.Param, e core.View) val {
	switch e := e.(type) {
	case *core.Use:
		return f.value(e.X)
	case *core.Index:
		part := f.slice(f.env[e.Array].array, e.Slice)
		if len(part.shape) == 0 {
			return val{scalar: prim.FromWord(part.elem, *part.at(nil))}
		}
		return val{array: part}
	case *core.Rearrange:
		return val{array: f.env[e.Array].array.rearrange(e.Perm)}
	case *core.Reshape:
		return val{array: f.reshape(dst, f.env[e.Array].array, f.ints(e.Shape))}
	}
	panic(unknownNode)
}

func (f *frame) memory(dst core.Param, e core.Memory) val {
	switch e := e.(type) {
	case *core.Alloc:
		return val{mem: newArray(e.Elem, []int{max(f.int(e.Count), 0)}).mem}
	case *core.Update:
		a := f.env[e.Array].array
		f.store(f.slice(a, e.Slice), f.value(e.Value))
		return val{array: a}
	case *core.Scratch:
		return val{array: f.dest(dst)}
	case *core.ArrayLit:
		out := f.dest(dst)
		for i, v := range f.values(e.Elems) {
			f.store(out.row([]int{i}), v)
		}
		return val{array: out}
	case *core.Concat:
		return val{array: f.concat(e, f.dest(dst))}
	case *core.Iota:
		out := f.dest(dst)
		f.iota(e, out)
		return val{array: out}
	case *core.Replicate:
		out := f.dest(dst)
		x := f.value(e.X)
		each(f.ints(e.Shape), func(is []int) { f.store(out.row(is), x) })
		return val{array: out}
	case *core.Copy:
		out := f.dest(dst)
		out.copyFrom(f.env[e.Array].array)
		return val{array: out}
	}
	panic(unknownNode)
}

func (f *frame) concat(e *core.Concat, out *array) *array {
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
	return out
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

// reshape returns a view when the layout says so, else a view of a dense array
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
