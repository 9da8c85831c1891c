package eval

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// accumulator is what an accumulator variable stands for: arrays to update.
type accumulator struct {
	arrays []*array
	rank   int
	op     *core.Lambda
}

// soac runs the SOACs of the first stage, and updates of accumulators.
func (f *frame) soac(s *core.Stm, e core.SOAC) []val {
	switch e := e.(type) {
	case *core.Screma:
		return f.screma(s, e)
	case *core.Hist:
		for i := range f.int(e.Size) {
			f.bins(e.Ops, nil, f.apply(e.Bucket, f.elements(e.Arrays, i)))
		}
		return f.dests(e.Ops)
	case *core.WithAcc:
		return f.withAcc(e)
	case *core.FlatMap:
		return f.flatMap(s, e)
	case *core.UpdateAcc:
		acc := f.env[e.Acc].acc
		f.updateAcc(acc, f.ints(e.Index), f.values(e.Values))
		return []val{{acc: acc}}
	}
	panic(unknownNode)
}

func (f *frame) elements(arrays []core.Var, i int) []val {
	vs := make([]val, len(arrays))
	for k, x := range arrays {
		vs[k] = load(f.env[x].array.row([]int{i}))
	}
	return vs
}

// own copies values to storage of their own, so that later updates of what they
// came from do not change them.
func own(vs []val) []val {
	out := slices.Clone(vs)
	for i, v := range out {
		if v.array != nil {
			out[i].array = v.array.clone()
		}
	}
	return out
}

// fold combines vs into acc by operators, each with its own part.
func (f *frame) fold(ops []core.Operator, acc, vs []val) []val {
	out := make([]val, 0, len(acc))
	k := 0
	for _, op := range ops {
		n := len(op.Neutral)
		args := append(slices.Clone(acc[k:k+n]), vs[k:k+n]...)
		out = append(out, own(f.apply(op.Lambda, args))...)
		k += n
	}
	return out
}

// screma runs a SOAC element by element: map, then scans and reductions, then post.
func (f *frame) screma(s *core.Stm, e *core.Screma) []val {
	ns, nr := core.Width(e.Scans), core.Width(e.Reds)
	scans, reds := f.values(core.Neutrals(e.Scans)), f.values(core.Neutrals(e.Reds))
	outs := make([]val, len(s.Dst)-nr)
	for i := range outs {
		outs[i] = val{array: nil}
		if p := s.Dst[nr+i]; p.Type.Kind == core.KindArray {
			outs[i].array = f.dest(p)
		}
	}
	for i := range f.int(e.Size) {
		vs := own(f.apply(e.Map, f.elements(e.Arrays, i)))
		scans = f.fold(e.Scans, scans, vs[:ns])
		reds = f.fold(e.Reds, reds, vs[ns:ns+nr])
		post := append(slices.Clone(scans), vs[ns+nr:]...)
		if e.Post != nil {
			post = f.apply(e.Post, post)
		}
		for k, v := range post {
			f.put(&outs[k], []int{i}, v)
		}
	}
	f.accsOfNothing(s, e.Map.Ret[ns+nr:], outs)
	return append(reds, outs...)
}

// flatMap runs a function that returns segments, and lays them one behind the other.
func (f *frame) flatMap(s *core.Stm, e *core.FlatMap) []val {
	n := f.int(e.Size)
	lengths, starts := newArray(prim.I64, []int{n}), newArray(prim.I64, []int{n})
	rows, total := make([][]val, n), 0
	for i := range rows {
		for k, x := range f.elements(e.Arrays, i) {
			f.env[e.Params[k].Var] = x
			f.checkShape(e.Params[k])
		}
		rows[i] = own(f.body(e.Body))
		f.store(lengths.row([]int{i}), rows[i][0])
		f.store(starts.row([]int{i}), val{scalar: prim.MakeI64(int64(total))})
		total += int(rows[i][0].scalar.Int())
	}
	f.env[e.Total(s).Var] = val{scalar: prim.MakeI64(int64(total))}
	out := []val{f.env[e.Total(s).Var], {array: lengths}, {array: starts}}
	for k, p := range append(e.Elements(s), e.Rests(s)...) {
		to, at := f.dest(p), 0
		for i, row := range rows {
			if k >= e.Segments {
				f.store(to.row([]int{i}), row[1+k])
				continue
			}
			for j := range int(row[0].scalar.Int()) {
				f.store(to.row([]int{at}), load(row[1+k].array.row([]int{j})))
				at++
			}
		}
		out = append(out, val{array: to})
	}
	return out
}

// put stores v at an index of an array; an accumulator just is the result.
func (f *frame) put(out *val, is []int, v val) {
	if v.acc != nil {
		out.acc = v.acc
		return
	}
	if out.array == nil { // of a space without dimensions
		*out = v
		return
	}
	f.store(out.array.row(is), v)
}

// accsOfNothing fills in accumulators that no element has returned.
func (f *frame) accsOfNothing(_ *core.Stm, ret []core.Type, outs []val) {
	for i, t := range ret {
		if t.Kind == core.KindAcc && outs[i].acc == nil {
			outs[i].acc = f.env[t.Acc].acc
		}
	}
}

// bins does one point of a histogram; seg are the indices of its segment.
func (f *frame) bins(ops []core.HistOp, seg []int, vs []val) {
	k := 0
	for _, op := range ops {
		k += len(op.Shape)
	}
	ixs := vs[:k]
	vals := vs[k:]
	for _, op := range ops {
		is := slices.Clone(seg)
		inside := true
		for d, n := range f.ints(op.Shape) {
			i := int(ixs[d].scalar.Int())
			inside = inside && i >= 0 && i < n
			is = append(is, i)
		}
		ixs = ixs[len(op.Shape):]
		mine := vals[:len(op.Dests)]
		vals = vals[len(op.Dests):]
		if !inside {
			continue
		}
		var old []val
		for _, d := range op.Dests {
			old = append(old, load(f.env[d].array.row(is)))
		}
		for j, v := range own(f.apply(op.Lambda, append(own(old), mine...))) {
			f.store(f.env[op.Dests[j]].array.row(is), v)
		}
	}
}

func (f *frame) dests(ops []core.HistOp) []val {
	var vs []val
	for _, op := range ops {
		for _, d := range op.Dests {
			vs = append(vs, f.env[d])
		}
	}
	return vs
}

// withAcc runs a lambda on accumulators, which update the arrays in place.
func (f *frame) withAcc(e *core.WithAcc) []val {
	var args, arrays []val
	for _, in := range e.Inputs {
		acc := &accumulator{rank: len(in.Shape), op: in.Op}
		for _, a := range in.Arrays {
			acc.arrays = append(acc.arrays, f.env[a].array)
			arrays = append(arrays, f.env[a])
		}
		args = append(args, val{acc: acc})
	}
	return append(arrays, f.apply(e.Lambda, args)[len(e.Inputs):]...)
}

// updateAcc updates one element, unless its index is outside.
func (f *frame) updateAcc(acc *accumulator, is []int, vs []val) {
	for d, i := range is {
		if i < 0 || i >= acc.arrays[0].shape[d] {
			return
		}
	}
	if acc.op != nil {
		var old []val
		for _, a := range acc.arrays {
			old = append(old, load(a.row(is)))
		}
		vs = own(f.apply(acc.op, append(own(old), vs...)))
	}
	for i, a := range acc.arrays {
		f.store(a.row(is), vs[i])
	}
}

// segmented runs a segmented operation.
func (f *frame) segmented(s *core.Stm, e core.Seg) []val {
	switch e := e.(type) {
	case *core.SegMap:
		outs := f.outputs(s.Dst)
		f.points(e.Space, f.opts.Backwards, func(is []int) {
			for k, v := range f.body(e.Body) {
				f.put(&outs[k], is, v)
			}
		})
		f.accsOfNothing(s, e.Ret, outs)
		return outs
	case *core.SegRed:
		return f.segRed(s, e)
	case *core.SegScan:
		return f.segScan(s, e)
	case *core.SegHist:
		f.points(e.Space, f.opts.Backwards, func(is []int) {
			f.bins(e.Ops, is[:len(is)-1], f.body(e.Body))
		})
		return f.dests(e.Ops)
	}
	panic(unknownNode)
}

func (f *frame) outputs(dst []core.Param) []val {
	outs := make([]val, len(dst))
	for i, p := range dst {
		if p.Type.Kind == core.KindArray {
			outs[i].array = f.dest(p)
		}
	}
	return outs
}

// An argument of points.
const fromFirst = false

// points runs g at each point of a space, with its ids bound.
func (f *frame) points(sp core.Space, backwards bool, g func(is []int)) {
	shape := f.ints(sp.Sizes)
	n := count(shape)
	for i := range n {
		if backwards {
			i = n - 1 - i
		}
		is := unravel(i, shape)
		for d, id := range sp.Ids {
			f.env[id] = val{scalar: core.Int(int64(is[d])).Const}
		}
		if sp.Slot != 0 {
			f.env[sp.Slot] = val{scalar: core.Int(int64(i % f.int(sp.Slots))).Const}
		}
		g(is)
	}
}

// segRed folds the points of each segment in order.
func (f *frame) segRed(s *core.Stm, e *core.SegRed) []val {
	w := core.Width(e.Ops)
	outs := f.outputs(s.Dst)
	segs := f.ints(e.Space.Sizes[:len(e.Space.Sizes)-1])
	neutral := f.values(core.Neutrals(e.Ops))
	acc := map[int][]val{}
	last := len(e.Space.Sizes) - 1
	f.points(e.Space, fromFirst, func(is []int) {
		vs := own(f.body(e.Body))
		key := ravel(is[:last], segs)
		if acc[key] == nil {
			acc[key] = neutral
		}
		acc[key] = f.fold(e.Ops, acc[key], vs[:w])
		for k, v := range vs[w:] {
			f.put(&outs[w+k], is, v)
		}
	})
	for i := range count(segs) {
		vs := acc[i]
		if vs == nil {
			vs = neutral
		}
		for k, v := range vs {
			if outs[k].array == nil {
				outs[k] = v
				continue
			}
			f.store(outs[k].array.row(unravel(i, segs)), v)
		}
	}
	return outs
}

func ravel(is, shape []int) int {
	k := 0
	for d, i := range is {
		k = k*shape[d] + i
	}
	return k
}

// segScan folds like segRed and keeps each step.
func (f *frame) segScan(s *core.Stm, e *core.SegScan) []val {
	w := core.Width(e.Ops)
	outs := f.outputs(s.Dst)
	last := len(e.Space.Sizes) - 1
	var acc []val
	f.points(e.Space, fromFirst, func(is []int) {
		vs := own(f.body(e.Body))
		if is[last] == 0 {
			acc = f.values(core.Neutrals(e.Ops))
		}
		acc = f.fold(e.Ops, acc, vs[:w])
		results := append(slices.Clone(acc), vs[w:]...)
		if e.Post != nil {
			results = f.apply(e.Post, results)
		}
		for k, v := range results {
			f.put(&outs[k], is, v)
		}
	})
	f.accsOfNothing(s, e.Results(), outs)
	return outs
}
