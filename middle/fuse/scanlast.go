package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// lasts has scans with a post lambda store the last element alone of arrays of which nothing else is used: Note [Maps of scans].
func (f *scanFuser) lasts(stms []*core.Stm, res []core.Operand) []*core.Stm {
	for i := 0; i < len(stms); i++ {
		for {
			next, ok := f.lastOf(stms, i, res)
			if !ok {
				break
			}
			stms = next
		}
	}
	return stms
}

// lastOf does so for one array that statement i makes.
func (f *scanFuser) lastOf(stms []*core.Stm, i int, res []core.Operand) ([]*core.Stm, bool) {
	s := stms[i]
	for k, q := range s.Dst {
		t, r := scanMaking(s, k)
		if t == nil {
			continue
		}
		scan := t.Exp.(*core.SegScan)
		if scan.Post == nil || scan.Level != core.LevelGrid || len(scan.Space.Sizes) != 1 || !q.Type.IsArray() {
			continue
		}
		last := core.Param{Var: f.fun.Fresh("last"), Type: core.ArrayOf(core.ScalarType(q.Type.Elem), core.Int(1))}
		rest, ok := f.withLast(stms[i+1:], q.Var, last.Var, scan.Space.Sizes[0])
		if !ok || slices.ContainsFunc(res, func(o core.Operand) bool { return o.IsVar(q.Var) }) {
			continue
		}
		made, ok := f.storingLast(s, k, t, r, last)
		if !ok {
			continue
		}
		return slices.Concat(stms[:i], made, rest), true
	}
	return nil, false
}

// scanMaking is the scan that makes result k of a statement: the statement, or one in the lambda of a WithAcc, where nothing else uses the
// result, whose number there is r.
func scanMaking(s *core.Stm, k int) (t *core.Stm, r int) {
	switch e := core.Match(s.Exp).(type) {
	case *core.SegScan:
		if slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.Kind == core.KindAcc }) {
			return nil, 0
		}
		return s, k
	case *core.WithAcc:
		extra := k - (len(s.Dst) - len(e.Lambda.Ret) + len(e.Inputs))
		if extra < 0 {
			return nil, 0
		}
		x := e.Lambda.Body.Res[len(e.Inputs)+extra]
		for _, in := range e.Lambda.Body.Stms {
			if core.FreeInStm(in).Has(x.Var) {
				return nil, 0
			}
		}
		for _, in := range e.Lambda.Body.Stms {
			at := slices.IndexFunc(in.Dst, func(p core.Param) bool { return x.IsVar(p.Var) })
			if _, ok := in.Exp.(*core.SegScan); ok && at >= 0 {
				return in, at
			}
		}
	default:
	}
	return nil, 0
}

// withLast are statements with reads of the last of n elements of an array replaced by reads of the one of another array. It
// reports false where they use the array otherwise, or not at all.
func (f *scanFuser) withLast(stms []*core.Stm, array, last core.Var, n core.Operand) ([]*core.Stm, bool) {
	var replaced func(b *core.Body) *core.Body
	found := false
	replaced = func(b *core.Body) *core.Body {
		out := &core.Body{Stms: slices.Clone(b.Stms), Res: b.Res}
		for i, s := range b.Stms {
			t := *s
			if e, ok := s.Exp.(*core.Index); ok && e.Array == array && len(e.Slice) == 1 && e.Slice[0].Fix && f.isLast(e.Slice[0].Off, n) {
				found = true
				t.Exp = &core.Index{Array: last, Slice: core.Slice{core.Fix(core.Int(0))}}
			} else {
				t.Exp = core.MapBodies(s.Exp, replaced)
			}
			out.Stms[i] = &t
		}
		return out
	}
	out := &core.Body{Stms: slices.Clone(stms)}
	for i, s := range stms {
		if f.freeIn(s).Has(array) {
			out.Stms[i] = replaced(&core.Body{Stms: []*core.Stm{s}}).Stms[0]
			if f.freeIn(out.Stms[i]).Has(array) {
				return nil, false
			}
		}
	}
	return out.Stms, found
}

// isLast reports whether an index is known to be n - 1.
func (f *fuser) isLast(at, n core.Operand) bool {
	if i, ok := at.ConstInt(); ok {
		size, known := n.ConstInt()
		return known && i == size-1
	}
	e, ok := f.defined(at).(*core.Bin)
	if !ok || e.X != n {
		return false
	}
	by, constant := e.Y.ConstInt()
	return constant && (e.Op == prim.Sub && by == 1 || e.Op == prim.Add && by == -1)
}

// storingLast is statement s, with result k made by scan t as its result r, where only the last element of that result is stored, in an
// array of one element.
func (f *scanFuser) storingLast(s *core.Stm, k int, t *core.Stm, r int, last core.Param) ([]*core.Stm, bool) {
	acc, isAcc := s.Exp.(*core.WithAcc)
	if !isAcc { // a WithAcc without inputs, whose lambda is the scan
		none := &core.WithAcc{Lambda: &core.Lambda{Body: &core.Body{}}}
		s = f.sunk(s, &core.Stm{Exp: none, Aux: core.Aux{Where: s.Aux.Where}}, none, func(core.Param) bool { return true })
		acc = s.Exp.(*core.WithAcc)
		t = acc.Lambda.Body.Stms[0]
	}
	ni := len(acc.Inputs)
	na := len(s.Dst) - len(acc.Lambda.Ret) + ni
	scratch := core.Param{Var: f.fun.Fresh("scratch"), Type: last.Type}
	param := f.fun.Fresh("acc")
	accType := core.AccType(param)
	made := core.Param{Var: f.fun.Fresh("acc"), Type: accType}
	input := core.AccInput{Shape: []core.Operand{core.Int(1)}, Arrays: []core.Var{scratch.Var}}
	f.inputs[param] = input

	stms := slices.Clone(acc.Lambda.Body.Stms)
	stms[slices.Index(stms, t)] = f.updatingLast(t, r, param, made)
	l, e := acc.Lambda, ni+k-na
	out := &core.WithAcc{
		Inputs: append(slices.Clip(acc.Inputs), input),
		Lambda: &core.Lambda{
			Params: append(slices.Clip(l.Params), core.Param{Var: param, Type: accType}),
			Ret:    replacedBy(l.Ret, ni, e, accType),
			Body:   &core.Body{Stms: stms, Res: replacedBy(l.Body.Res, ni, e, core.V(made.Var))},
		},
	}
	first := &core.Stm{Dst: []core.Param{scratch}, Exp: &core.Scratch{Elem: last.Type.Elem, Shape: last.Type.Shape}}
	first.Aux.Where = s.Aux.Where
	return []*core.Stm{first, {Dst: replacedBy(s.Dst, na, k, last), Exp: out, Aux: s.Aux}}, true
}

// replacedBy is xs with x inserted at a place and the element at another one, behind it, left out.
func replacedBy[T any](xs []T, at, without int, x T) []T {
	return slices.Concat(xs[:at], []T{x}, xs[at:without], xs[without+1:])
}

// updatingLast is a scan that updates an accumulator of one element by the last element of its result r, instead of returning that.
func (f *scanFuser) updatingLast(t *core.Stm, r int, acc core.Var, made core.Param) *core.Stm {
	scan := *t.Exp.(*core.SegScan)
	post := *scan.Post
	b := core.NewBuilder(f.fun, f.scope)
	b.Where = t.Aux.Where
	f.scope.Bind(core.Param{Var: scan.Space.Ids[0], Type: core.I64})
	f.scope.Bind(core.Param{Var: acc, Type: made.Type})
	isLast := b.Cmp(prim.Eq, core.V(scan.Space.Ids[0]), b.Sub64(scan.Space.Sizes[0], core.Int(1)))
	at := b.If("at", isLast, []core.Type{core.I64}, func(*core.Builder) []core.Operand { return []core.Operand{core.Int(0)} },
		func(*core.Builder) []core.Operand { return []core.Operand{core.Int(-1)} })[0]
	updated := b.Let("acc", &core.UpdateAcc{Acc: acc, Index: []core.Operand{at}, Values: []core.Operand{post.Body.Res[r]}})
	post.Body = &core.Body{Stms: slices.Concat(post.Body.Stms, b.Stms()), Res: slices.Clone(post.Body.Res)}
	post.Body.Res[r] = updated
	post.Ret = slices.Clone(post.Ret)
	post.Ret[r] = made.Type
	scan.Post = &post
	dst := slices.Clone(t.Dst)
	dst[r] = made
	return &core.Stm{Dst: dst, Exp: &scan, Aux: t.Aux}
}
