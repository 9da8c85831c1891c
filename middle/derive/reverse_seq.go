package derive

import "skald/middle/core"

// What is known of no operator holds for all of them when a reduction, scan or histogram is taken as a loop over the elements. The return
// sweep goes through them from the last to the first.

// sequential is the return sweep of a reduction or scan; prefixes are the results of the scan.
func (f *fold) sequential(r *sweep, prefixes []core.Var, scan bool) {
	dys, known, some := r.takeAll(f.dst)
	if !some {
		return
	}
	var active []int
	for j, t := range f.op.Lambda.Ret {
		if Active(t, r.integers) {
			active = append(active, j)
		}
	}
	loop := func(r *sweep) []core.Operand { return f.backwards(r, prefixes, active, dys, known, scan) }
	var out []core.Operand
	if !r.uses(r.b, f.op.Lambda) {
		out = inOneThread(r.b, func(b *core.Builder) []core.Operand { return loop(r.fresh(b, nil)) })
	} else {
		out = loop(r)
	}
	for m, j := range active {
		r.add(f.op.Neutral[j], out[m], shared)
		r.add(core.V(f.arrays[j]), out[len(active)+m], shared)
	}
}

// backwards adds the loop. It returns the adjoints of the active neutral elements and arrays.
func (f *fold) backwards(r *sweep, prefixes []core.Var, active []int, dys []core.Operand, known []bool, scan bool) []core.Operand {
	carried := newCarried(r, core.FreeInLambda(f.op.Lambda))
	n, w := len(carried.vars), len(f.arrays)
	for _, j := range active {
		t := f.op.Lambda.Ret[j]
		dy := zeroOf(r.b, t)
		if known[j] && !scan {
			dy = ownCopy(r.b, dys[j])
		}
		carried.param(t, dy)
	}
	for _, j := range active {
		t := r.b.Scope.TypeOf(f.arrays[j])
		carried.param(t, r.b.Let("adj", &core.Scratch{Elem: t.Elem, Shape: t.Shape}))
	}
	k := r.b.Param("k", core.I64)
	body := carried.body(r, func(in *sweep, ps []core.Operand) []core.Operand {
		b := in.b
		i := b.Sub64(b.Sub64(f.size, core.Int(1)), core.V(k.Var))
		args := f.before(b, prefixes, i)
		for _, a := range f.arrays {
			args = append(args, b.Index("x", a, i))
		}
		args = in.inputs(args)
		res, back := in.apply(b, f.op.Lambda, args)
		for m, j := range active {
			in.add(res[j], ps[n+m], owned)
			if scan && known[j] {
				in.add(res[j], b.Index("dy", dys[j].Var, i), shared)
			}
		}
		back(in)
		var out []core.Operand
		for _, j := range active {
			out = append(out, in.own(args[j].Var))
		}
		for m, j := range active {
			out = append(out, core.V(b.Update(ps[n+len(active)+m].Var, in.orZero(args[w+j].Var), i)))
		}
		return out
	})
	return carried.bind(r, &core.Loop{Params: carried.params, Init: carried.init, Index: k, Bound: f.size, Body: body})
}

// inputs binds xs to new names, which the derivative is by.
func (r *sweep) inputs(xs []core.Operand) []core.Operand {
	out := make([]core.Operand, len(xs))
	for i, x := range xs {
		out[i] = r.b.Let("x", &core.Use{X: x})
		r.depends[out[i].Var] = Active(r.b.TypeOf(x), r.integers)
	}
	return out
}

// inOneThread adds code in a map over one element, so that a device runs it without waiting for the host.
func inOneThread(b *core.Builder, f func(b *core.Builder) []core.Operand) []core.Operand {
	var ret []core.Type
	l := b.Lambda("i", []core.Type{core.I64}, nil, func(b *core.Builder, _ []core.Operand) []core.Operand {
		res := f(b)
		for _, x := range res {
			ret = append(ret, b.TypeOf(x))
		}
		return res
	})
	l.Ret = ret
	out := b.LetN("one", &core.Screma{Size: core.Int(1), Arrays: []core.Var{counter(b, core.Int(1))}, Map: l})
	for i, x := range out {
		out[i] = b.Index("one", x.Var, core.Int(0))
	}
	return out
}

// sequential is the return sweep of a histogram. What was in the bins before is combined with what the values make of the neutral element:
// that is a map over the bins. For the values, a loop finds what was in the bin of each before it; another one goes back.
func (h *binning) sequential(r *sweep) {
	dys, known, some := r.takeAll(h.dst)
	if !some {
		return
	}
	for i, p := range h.dst {
		if !known[i] {
			dys[i] = zeroOf(r.b, p.Type)
		}
	}
	w := len(h.dst)
	bins := h.combined(r, dys)
	out := inOneThread(r.b, func(b *core.Builder) []core.Operand {
		return h.backwards(r.fresh(b, nil), bins[w:], h.olds(b))
	})
	for i := range h.dst {
		r.add(core.V(h.op.Dests[i]), bins[i], shared)
		r.add(core.V(h.values[i]), out[i], shared)
	}
}

// empty returns bins that hold the neutral element.
func (h *binning) empty(b *core.Builder) []core.Operand {
	out := make([]core.Operand, len(h.dst))
	for i, x := range h.op.Neutral {
		out[i] = b.Let("bins", &core.Replicate{Shape: h.op.Shape, X: x})
	}
	return out
}

// combined returns the adjoints of what was in the bins before, and of what the values make of the neutral element.
func (h *binning) combined(r *sweep, dys []core.Operand) []core.Operand {
	b, w := r.b, len(h.dst)
	arrays := append(append([]core.Var(nil), h.places...), h.values...)
	ret := b.Rows(arrays)
	op := h.op
	op.Lambda = core.RenameLambda(b.Fun, op.Lambda)
	b.Scope.BindLambda(op.Lambda)
	op.Dests = core.VarsOf(h.empty(b))
	made := b.LetN("bins", &core.Hist{Size: h.size, Arrays: arrays, Ops: []core.HistOp{op}, Bucket: b.Identity(ret)})

	n := b.Product(h.op.Shape...)
	var inputs []core.Var
	var rows []core.Type
	for _, x := range append(append(core.Vars(h.op.Dests), made...), dys...) {
		row := b.TypeOf(x).Row(len(h.op.Shape))
		inputs, rows = append(inputs, fit(b, x, core.ArrayOf(row, n)).Var), append(rows, row)
	}
	l := b.Lambda("x", rows, rows[:2*w], func(b *core.Builder, ps []core.Operand) []core.Operand {
		in := r.fresh(b, nil)
		args := in.inputs(ps[:2*w])
		res, back := in.apply(b, h.op.Lambda, args)
		for j, y := range res {
			in.add(y, ps[2*w+j], shared)
		}
		back(in)
		return in.orZeros(args)
	})
	out := b.LetN("adj", &core.Screma{Size: n, Arrays: inputs, Map: l})
	for i, x := range out {
		out[i] = fit(b, x, b.TypeOf(dys[i%w]))
	}
	return out
}

// place returns the bin of value i.
func (h *binning) place(b *core.Builder, i core.Operand) []core.Operand {
	out := make([]core.Operand, len(h.places))
	for d, a := range h.places {
		out[d] = b.Index("bin", a, i)
	}
	return out
}

// rowsAt reads element i of arrays.
func rowsAt(b *core.Builder, arrays []core.Var, i ...core.Operand) []core.Operand {
	out := make([]core.Operand, len(arrays))
	for k, a := range arrays {
		out[k] = b.Index("x", a, i...)
	}
	return out
}

// An argument of core.Builder.Apply.
const renamed = true

// olds adds the loop that fills the bins, and returns for each value what was in its bin before.
func (h *binning) olds(b *core.Builder) []core.Var {
	w := len(h.dst)
	var ps []core.Param
	var init []core.Operand
	for _, x := range h.empty(b) {
		ps = append(ps, b.Param("bins", b.TypeOf(x)))
		init = append(init, x)
	}
	for _, a := range h.values {
		t := b.Scope.TypeOf(a)
		ps = append(ps, b.Param("old", t))
		init = append(init, b.Let("old", &core.Scratch{Elem: t.Elem, Shape: t.Shape}))
	}
	for i := range ps {
		ps[i].Unique = true
	}
	out := b.ForLoop(ps, init, h.size, func(b *core.Builder, i core.Operand, ps []core.Operand) []core.Operand {
		place := h.place(b, i)
		return b.If("bins", within(b, place, h.op.Shape), core.ParamTypes(paramsOf(b, ps)), func(b *core.Builder) []core.Operand {
			old := rowsAt(b, core.VarsOf(ps[:w]), place...)
			res := make([]core.Operand, 2*w)
			for k, x := range old {
				res[w+k] = core.V(b.Update(ps[w+k].Var, x, i))
			}
			values := b.Apply(h.op.Lambda, renamed, append(old, rowsAt(b, h.values, i)...)...)
			for k, x := range values {
				res[k] = core.V(b.Update(ps[k].Var, x, place...))
			}
			return res
		}, func(*core.Builder) []core.Operand { return ps })
	})
	return core.VarsOf(out[w:])
}

// paramsOf returns parameters like the variables xs.
func paramsOf(b *core.Builder, xs []core.Operand) []core.Param {
	out := make([]core.Param, len(xs))
	for i, x := range xs {
		out[i] = core.Param{Var: x.Var, Type: b.TypeOf(x)}
	}
	return out
}

// backwards adds the loop from the last value to the first, and returns the adjoints of the values.
func (h *binning) backwards(r *sweep, dys []core.Operand, olds []core.Var) []core.Operand {
	w := len(h.dst)
	var ps []core.Param
	var init []core.Operand
	for _, dy := range dys {
		ps = append(ps, r.b.Param("adj", r.b.TypeOf(dy)))
		init = append(init, ownCopy(r.b, dy))
	}
	for _, a := range h.values {
		t := r.b.Scope.TypeOf(a)
		ps = append(ps, r.b.Param("adj", t))
		init = append(init, zeroOf(r.b, t))
	}
	for i := range ps {
		ps[i].Unique = true
	}
	return r.b.ForLoop(ps, init, h.size, func(b *core.Builder, k core.Operand, ps []core.Operand) []core.Operand {
		i := b.Sub64(b.Sub64(h.size, core.Int(1)), k)
		place := h.place(b, i)
		return b.If("adj", within(b, place, h.op.Shape), core.ParamTypes(paramsOf(b, ps)), func(b *core.Builder) []core.Operand {
			in := r.fresh(b, nil)
			args := in.inputs(append(rowsAt(b, olds, i), rowsAt(b, h.values, i)...))
			res, back := in.apply(b, h.op.Lambda, args)
			for j, y := range res {
				in.add(y, b.Index("dy", ps[j].Var, place...), shared)
			}
			back(in)
			out := make([]core.Operand, 2*w)
			for j := range w {
				out[j] = core.V(b.Update(ps[j].Var, in.orZero(args[j].Var), place...))
				out[w+j] = core.V(b.Update(ps[w+j].Var, in.orZero(args[w+j].Var), i))
			}
			return out
		}, func(*core.Builder) []core.Operand { return ps })
	})[w:]
}
