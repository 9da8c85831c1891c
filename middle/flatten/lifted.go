package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Moving arrays in nests]
//
// What only moves arrays (copies, concatenations, updates in the same place at all points, results that are views such as
// transpositions, initial values of loops, destinations of histograms and scatters) is parallel over their elements, also
// inside of a nest: one thread for each element, not for each point of the nest. Copies, concatenations and updates between
// sequential code stay where they are: there the thread's own memory serves better than arrays over the nest. But a large copy of which
// some elements are updated, and which is a result, has no other memory than the result's: the copy is a kernel over its elements, and the
// updates are one over the points.

// moves reports whether a statement moves so large an array, of the same size at all points of n, that it should be a kernel. Pending are
// the statements of the body before it that are in no kernel yet; copied says that it is one of a copied result (copiedResults). See Note
// [Moving arrays in nests].
func (f *flattener) moves(n *nest, pending []*core.Stm, s *core.Stm, copied bool) bool {
	if attrSequential.in(s.Aux.Attrs) {
		return false
	}
	switch e := core.Match(s.Exp).(type) {
	case *core.Copy:
		return largeProduct(s.Dst[0].Type.Shape)
	case *core.Concat:
		return n.invariant(e.Size) && largeProduct(s.Dst[0].Type.Shape)
	case *core.Update:
		return (copied || n.samePlace(e)) && largeProduct(s.Dst[0].Type.Shape) && f.storedUnder(n.with(pending...), e.Array) != 0
	default:
	}
	return false
}

// samePlace reports whether an update in place is one of the same elements at all points of n.
func (n *nest) samePlace(e *core.Update) bool {
	return !slices.ContainsFunc(e.Slice, func(d core.Dim) bool { return n.variant(d.Off) || n.variant(d.Len) || n.variant(d.Stride) })
}

// bindsFirst reports whether the first variable that a statement binds is among some.
func bindsFirst(s *core.Stm, vars *core.VarSet) bool { return len(s.Dst) > 0 && vars.Has(s.Dst[0].Var) }

// copiedResults are the results of a body that are large copies of which elements are updated, with what they are before each update.
func (n *nest) copiedResults(b *core.Body) *core.VarSet {
	chains, updated := map[core.Var][]core.Var{}, map[core.Var]bool{}
	n = n.binding()
	for _, s := range b.Stms {
		switch e := core.Match(s.Exp).(type) {
		case *core.Copy:
			if d := s.Dst[0]; n.regular(s.Dst) && largeProduct(d.Type.Shape) && !attrSequential.in(s.Aux.Attrs) {
				chains[d.Var] = []core.Var{d.Var}
			}
		case *core.Update:
			if c := chains[e.Array]; c != nil {
				chains[s.Dst[0].Var], updated[s.Dst[0].Var] = append(c, s.Dst[0].Var), true
			}
		default:
		}
		n.bind(s)
	}
	found := &core.VarSet{}
	for _, r := range b.Res {
		if updated[r.Var] {
			for _, v := range chains[r.Var] {
				found.Add(v)
			}
		}
	}
	return found
}

// movesResults reports whether the body of a loop inside n returns large arrays only moved: as views of arrays, or as copies of which it
// has updated elements.
func (f *flattener) movesResults(n *nest, e *core.Loop) bool {
	n = n.binding(&core.Stm{Dst: append(slices.Clip(e.Params), e.Index)})
	if len(n.copiedResults(e.Body).List()) > 0 {
		return true
	}
	for _, s := range e.Body.Stms {
		switch core.Match(s.Exp).(type) {
		case *core.Rearrange, *core.Reshape:
			if d := s.Dst[0]; n.regular(s.Dst) && resultOf(e.Body, d.Var) && largeProduct(d.Type.Shape) {
				return true
			}
		default:
		}
		n.bind(s)
	}
	return false
}

// largeProduct reports whether there may be more than smallSize elements.
func largeProduct(shape []core.Operand) bool {
	product := int64(1)
	for _, n := range shape {
		c, ok := n.ConstInt()
		if !ok {
			return true
		}
		product *= c
	}
	return product > smallSize
}

// rich reports whether a body inside n has a statement that becomes kernels of its own.
func (f *flattener) rich(n *nest, b *core.Body) bool {
	n = n.binding()
	for _, s := range b.Stms {
		if n.regular(s.Dst) && f.exploitable(n, s) {
			return true
		}
		n.bind(s)
	}
	return false
}

// copiedTogether is how many arrays one kernel copies at most; it reads and writes each.
const copiedTogether = 4

// copyAll makes kernels that give xs at each point of n: one for all scalars, and one for arrays of one shape, element by element.
func (f *flattener) copyAll(n *nest, xs []core.Operand, outs []core.Param) {
	done := make([]bool, len(xs))
	for i, x := range xs {
		if done[i] {
			continue
		}
		t := f.TypeOf(x)
		var alike []core.Operand
		var to []core.Param
		for k := i; k < len(xs); k++ {
			u := f.TypeOf(xs[k])
			if !done[k] && u.Kind == t.Kind && slices.Equal(u.Shape, t.Shape) && (!t.IsArray() || len(alike) < copiedTogether) {
				alike, to, done[k] = append(alike, xs[k]), append(to, outs[k]), true
			}
		}
		f.copiesAlike(n, alike, to)
	}
}

// views splits off the results of a nest that are large views of what is there before the kernel: of arrays outside of the
// nest, or of elements of arrays over it. It returns, for each of the results, the nest that computes the view, or nil.
// See Note [Moving arrays in nests].
func (f *flattener) views(n *nest, pending []*core.Stm, res []core.Operand, outs []core.Param) []*nest {
	found := make([]*nest, len(res))
	if n.depth() == 0 || f.consumes(&core.Loop{Body: &core.Body{Stms: pending}}) {
		return found // an array may change between the kernel and the copy
	}
	made := map[core.Var]bool{} // by what is not cheap, or follows from it
	var cheap []*core.Stm
	for _, s := range pending {
		// The kernel before establishes what is checked.
		uses := core.FreeInStm(&core.Stm{Dst: s.Dst, Exp: s.Exp})
		ok := f.cheap(s) && !slices.ContainsFunc(uses.List(), func(v core.Var) bool { return made[v] })
		if ok {
			cheap = append(cheap, s)
			continue
		}
		for _, p := range s.Dst {
			made[p.Var] = true
		}
	}
	m := n.with(cheap...)
	for i, r := range res {
		if outs[i].Type.Rank() > n.depth() && !made[r.Var] && largeProduct(f.TypeOf(r).Shape) {
			found[i] = m
		}
	}
	return found
}

// storedUnder finds the array over n, made by a kernel of this nest, whose element at each point is an array, under whatever shape; zero
// when there is none.
func (f *flattener) storedUnder(n *nest, array core.Var) core.Var {
	for _, s := range slices.Backward(n.prologue) {
		if e, ok := s.Exp.(*core.Reshape); ok && s.Dst[0].Var == array {
			array = e.Array
		}
	}
	return f.stored(n, core.V(array))
}

// updateInNest updates, at all points of a nest at once, the array over it that holds the arrays to update.
func (f *flattener) updateInNest(n *nest, e *core.Update, outs []core.Param) {
	if !n.samePlace(e) {
		f.nestedWithAcc(n, f.accOfUpdate(f.Nested(), e), outs)
		return
	}
	array := f.storedUnder(n, e.Array)
	if t := core.ArrayOf(f.TypeOf(core.V(e.Array)), n.sizes...); !slices.Equal(f.TypeOf(core.V(array)).Shape, t.Shape) {
		array = f.LetVar(f.Fun.Base(e.Array), &core.Reshape{Shape: t.Shape, Array: array})
	}
	values := f.stored(n, e.Value)
	if values == 0 {
		t := core.ArrayOf(f.TypeOf(e.Value), n.sizes...)
		p := f.Param("values", t)
		f.copyAll(n, []core.Operand{e.Value}, []core.Param{p})
		values = p.Var
	}
	points := core.FullSlice(f.TypeOf(core.V(array)))[:n.depth()]
	f.Bind(outs, &core.Update{Array: array, Slice: slices.Concat(points, e.Slice), Value: core.V(values)})
}

// concatInNest joins arrays in one kernel, in which each element finds out which array it is of.
func (f *flattener) concatInNest(n *nest, e *core.Concat, outs []core.Param) {
	t := outs[0].Type.Row(n.depth())
	ids := make([]core.Operand, t.Rank())
	for d, size := range t.Shape {
		id := f.Param("i", core.I64)
		n = n.extend(id.Var, size)
		ids[d] = core.V(id.Var)
	}
	in := f.Nested()
	x := f.joined(in, e.Arrays, ids, t.Row(t.Rank()))
	f.segMap(n.binding(in.Stms()...), in.Stms(), []core.Operand{x}, outs)
}

// joined is the element at ids of joined arrays.
func (f *flattener) joined(b *core.Builder, arrays []core.Var, ids []core.Operand, t core.Type) core.Operand {
	if len(arrays) == 1 {
		return b.Index("x", arrays[0], ids...)
	}
	size := f.TypeOf(core.V(arrays[0])).Shape[0]
	first := b.Cmp(prim.Lt, ids[0], size)
	return b.If("x", first, []core.Type{t}, func(b *core.Builder) []core.Operand {
		return []core.Operand{b.Index("x", arrays[0], ids...)}
	}, func(b *core.Builder) []core.Operand {
		rest := append([]core.Operand{b.Sub64(ids[0], size)}, ids[1:]...)
		return []core.Operand{f.joined(b, arrays[1:], rest, t)}
	})[0]
}

// accumulates reports whether a WithAcc inside n can be one WithAcc around the nest: the operators and sizes are the same at all
// points, and its updates are worth kernels of their own.
func (f *flattener) accumulates(n *nest, e *core.WithAcc) bool {
	for _, in := range e.Inputs {
		if slices.ContainsFunc(in.Shape, n.variant) || slices.ContainsFunc(in.Neutral, n.variant) || !n.sharedOperator(in) {
			return false
		}
		for _, a := range in.Arrays {
			t := f.TypeOf(core.V(a))
			if !n.regular([]core.Param{{Type: t}}) || t.Rank() != len(in.Shape) {
				return false
			}
		}
	}
	return hasParallelism(e)
}

// nestedWithAcc moves a WithAcc out of the maps around it: each point updates arrays of its own among arrays over n.
func (f *flattener) nestedWithAcc(n *nest, e *core.WithAcc, outs []core.Param) {
	inputs := slices.Clone(e.Inputs)
	body := e.Lambda.Body
	ret := slices.Clone(e.Lambda.Ret)
	results := make([]core.Param, len(ret))
	k := 0
	for i, in := range e.Inputs {
		inputs[i].Arrays = f.consumed(n, in.Arrays)
		inputs[i].Shape = slices.Concat(n.sizes, in.Shape)
		if in.Op != nil {
			inputs[i].Op = f.sequentialLambda(in.Op)
			f.accs[e.Lambda.Params[i].Var] = inputs[i]
		}
		body = f.updatesAt(body, e.Lambda.Params[i].Var, n.ids)
		results[i] = f.Param("acc", ret[i])
		k += len(in.Arrays)
	}
	for i, o := range outs[k:] {
		results[len(inputs)+i] = f.Param(f.Fun.Base(o.Var), o.Type)
		ret[len(inputs)+i] = o.Type
	}
	host := f.builtBody(core.Vars(core.ParamVars(results)), func() {
		f.Scope.BindAll(e.Lambda.Params)
		f.nestBody(n, body, results)
	})
	f.Bind(outs, &core.WithAcc{Inputs: inputs, Lambda: &core.Lambda{Params: e.Lambda.Params, Body: host, Ret: ret}})
}

// consumed returns arrays over n of arrays that a construct in it overwrites: those that kernels of the nest have stored, which are its
// own, and copies of others.
func (f *flattener) consumed(n *nest, arrays []core.Var) []core.Var {
	out := make([]core.Var, len(arrays))
	var copied []core.Operand
	var copies []core.Param
	for i, a := range arrays {
		if out[i] = f.stored(n, core.V(a)); out[i] == 0 {
			c := f.outputs(n, []core.Param{{Var: a, Type: f.TypeOf(core.V(a))}})[0]
			copied, copies = append(copied, core.V(a)), append(copies, c)
			out[i] = c.Var
		}
	}
	f.copyAll(n, copied, copies)
	return out
}

// updatesAt puts the ids of a nest in front of the indices of an accumulator's updates.
func (f *flattener) updatesAt(b *core.Body, acc core.Var, ids []core.Var) *core.Body {
	return f.mapUpdates(b, acc, func(in *core.Builder, s *core.Stm, up *core.UpdateAcc) {
		at := &core.UpdateAcc{Acc: up.Acc, Index: slices.Concat(core.Vars(ids), up.Index), Values: up.Values}
		in.Add(&core.Stm{Dst: s.Dst, Exp: at, Aux: s.Aux})
	})
}
