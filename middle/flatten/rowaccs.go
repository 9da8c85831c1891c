package flatten

import (
	"maps"
	"slices"

	"skald/middle/core"
)

// Note [Accumulators of one thread]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Several threads update an accumulator at the same time only by operators on scalars whose own arrays fit a thread's memory. Where an
// operator combines arrays, otherwise than element by element, or needs larger ones, one thread makes all updates: where code takes
// such an accumulator through loops and branches it carries the arrays instead, and an update is one of them in place, as that of a
// bin of a histogram is.

// updatesAlone reports whether a WithAcc has an accumulator that one thread updates.
func updatesAlone(e *core.WithAcc) bool { return slices.ContainsFunc(e.Inputs, alone) }

func alone(in core.AccInput) bool {
	return in.Op != nil && (!core.OnlyScalars(core.ParamTypes(in.Op.Params)) || !placeableOperator(in.Op))
}

// sharedOperator reports whether an accumulator for all points of n may have the operator of one inside.
func (n *nest) sharedOperator(in core.AccInput) bool {
	return in.Op == nil || n.closed(in.Op) && !alone(in)
}

// inPlaceUpdates makes code on accumulators of one thread code on their arrays. Accumulators are known by the parameter that stands for
// them first, which their types name: whatever variable code updates one through, it updates what the last update has left.
type inPlaceUpdates struct {
	*flattener
	inputs map[core.Var]core.AccInput
	arrays map[core.Var][]core.Var // as they are by now
}

// inPlace adds the code of a WithAcc that one thread runs, in which those that it updates alone are arrays, and returns its results.
func (f *flattener) inPlace(b *core.Builder, e *core.WithAcc) []core.Operand {
	r := &inPlaceUpdates{f, map[core.Var]core.AccInput{}, map[core.Var][]core.Var{}}
	var stay, rows []int // numbers of accumulators
	for i, in := range e.Inputs {
		if p := e.Lambda.Params[i]; alone(in) {
			r.inputs[p.Var], r.arrays[p.Var] = in, in.Arrays
			rows = append(rows, i)
		} else {
			stay = append(stay, i)
		}
	}
	code := f.sequentialBody(e.Lambda.Body)
	if len(stay) == 0 {
		r.stms(b, code.Stms)
		return r.operands(code.Res)
	}
	order := slices.Concat(stay, rows)
	for i := len(order); i < len(code.Res); i++ {
		order = append(order, i)
	}
	return inOrder(e, b.LetN("acc", &core.WithAcc{Inputs: picked(e.Inputs, stay), Lambda: &core.Lambda{
		Params: picked(e.Lambda.Params, stay), Body: r.body(&core.Body{Stms: code.Stms, Res: picked(code.Res, order)}, nil),
		Ret: r.types(picked(e.Lambda.Ret, order)),
	}}))
}

// picked are the elements of a list at some places.
func picked[T any](xs []T, places []int) []T {
	out := make([]T, len(places))
	for i, p := range places {
		out[i] = xs[p]
	}
	return out
}

// inOrder puts results, those of accumulators that stayed first, into the order of a WithAcc.
func inOrder(e *core.WithAcc, res []core.Operand) []core.Operand {
	stayed := 0
	for _, in := range e.Inputs {
		if !alone(in) {
			stayed += len(in.Arrays)
		}
	}
	kept, others := res[:stayed], res[stayed:]
	var out []core.Operand
	for _, in := range e.Inputs {
		from := &kept
		if alone(in) {
			from = &others
		}
		out, *from = append(out, (*from)[:len(in.Arrays)]...), (*from)[len(in.Arrays):]
	}
	return append(out, others...)
}

// body is the code of a loop or branch, where some accumulators begin as other arrays. Around it they stay as they are.
func (r *inPlaceUpdates) body(x *core.Body, begin map[core.Var][]core.Var) *core.Body {
	around := r.arrays
	r.arrays = maps.Clone(around)
	maps.Copy(r.arrays, begin)
	out := r.Build(func(b *core.Builder) []core.Operand {
		r.stms(b, x.Stms)
		return r.operands(x.Res)
	})
	r.arrays = around
	return out
}

func (r *inPlaceUpdates) stms(b *core.Builder, stms []*core.Stm) {
	for _, s := range stms {
		in := b.Nested()
		in.Where, in.Attrs, in.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
		r.stm(in, s)
		b.Add(in.Stms()...)
	}
}

func (r *inPlaceUpdates) stm(b *core.Builder, s *core.Stm) {
	dst, after := r.params(s.Dst)
	inside := func(x *core.Body) *core.Body { return r.body(x, nil) }
	switch e := core.Match(s.Exp).(type) {
	case *core.Use:
		if len(after) == 0 { // An accumulator is what it is by any name.
			b.Bind(dst, e)
		}
		return
	case *core.UpdateAcc:
		if in, ok := r.of(s.Dst[0].Type); ok {
			r.update(b, in, e)
			return
		}
		b.Bind(dst, e)
	case *core.Loop:
		out := *e
		out.Init = r.operands(e.Init)
		var begin map[core.Var][]core.Var
		out.Params, begin = r.params(e.Params)
		out.Body = r.body(e.Body, begin)
		b.Bind(dst, &out)
	case *core.WithAcc:
		l := &core.Lambda{Params: e.Lambda.Params, Body: inside(e.Lambda.Body), Ret: r.types(e.Lambda.Ret)}
		b.Bind(dst, &core.WithAcc{Inputs: e.Inputs, Lambda: l})
	default:
		b.Bind(dst, core.MapBodies(s.Exp, inside))
	}
	maps.Copy(r.arrays, after)
}

// update updates the arrays of an accumulator in place, unless the index is outside of them.
func (r *inPlaceUpdates) update(b *core.Builder, in core.AccInput, e *core.UpdateAcc) {
	acc := r.TypeOf(core.V(e.Acc)).Acc
	old := make([]core.Param, len(in.Arrays))
	for i, a := range r.arrays[acc] {
		old[i] = core.Param{Var: a, Type: r.TypeOf(core.V(a))}
	}
	r.arrays[acc] = core.VarsOf(r.bin(b, core.HistOp{Shape: in.Shape, Lambda: in.Op}, old, e.Index, e.Values))
}

// params are parameters in which arrays stand for accumulators of one thread, and these arrays.
func (r *inPlaceUpdates) params(ps []core.Param) (out []core.Param, arrays map[core.Var][]core.Var) {
	arrays = map[core.Var][]core.Var{}
	for _, p := range ps {
		in, ok := r.of(p.Type)
		if !ok {
			out = append(out, p)
			continue
		}
		for _, a := range in.Arrays {
			q := r.Param(r.Fun.Base(a), r.TypeOf(core.V(a)))
			q.Unique = true
			out = append(out, q)
			arrays[p.Type.Acc] = append(arrays[p.Type.Acc], q.Var)
		}
	}
	return out, arrays
}

func (r *inPlaceUpdates) types(ts []core.Type) []core.Type {
	var out []core.Type
	for _, t := range ts {
		in, ok := r.of(t)
		if !ok {
			out = append(out, t)
			continue
		}
		for _, a := range in.Arrays {
			out = append(out, r.TypeOf(core.V(a)))
		}
	}
	return out
}

// of is the accumulator of one thread that a type is of.
func (r *inPlaceUpdates) of(t core.Type) (core.AccInput, bool) {
	if t.Kind != core.KindAcc {
		return core.AccInput{}, false
	}
	in, ok := r.inputs[t.Acc]
	return in, ok
}

func (r *inPlaceUpdates) operands(xs []core.Operand) []core.Operand {
	var out []core.Operand
	for _, x := range xs {
		if t := r.TypeOf(x); t.Kind == core.KindAcc && r.arrays[t.Acc] != nil {
			out = append(out, core.Vars(r.arrays[t.Acc])...)
		} else {
			out = append(out, x)
		}
	}
	return out
}
