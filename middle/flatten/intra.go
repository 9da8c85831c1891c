package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Note [Versions inside a workgroup]
//
// The body of a map whose inner parallel operations hand arrays to each other, or stand in a loop or branch, has a version in which a
// workgroup has each point: the inner operations are shared among its threads, and what they hand on lies in its memory (Note [Workgroup
// kernels] in package core). The body is flattened as the host's code would be, with the workgroup in the host's place. The version runs
// where the outer one does not, its cost is less than that of the full one (Note [Costs of versions]; or the inner operations have as many
// points as suff_intra_par says, if that is set), and its arrays fit: lowering decides that (core.Versions).
//
// It is not made where the size of an array, or an accumulator that the body updates, is not the workgroup's affair.

// inWorkgroups makes the version inside a workgroup, where the attribute only_intra asks for it, and the one that runs where its arrays
// do not fit. Where there is no such version, it reports false: another one runs.
func (f *flattener) inWorkgroups(n *nest, b *core.Body, outs []core.Param) bool {
	if !f.only(attrOnlyIntra) {
		return false
	}
	v, ok := f.insideGroup(n, b)
	if !ok {
		return false
	}
	f.Add(v.before...)
	// The condition always holds, which only lowering may know: it decides whether the arrays fit.
	cond := f.Cmp(cmpLe, core.Int(1), f.Let("size", &core.Fact{Name: "group_size"}))
	whole := f.workgroupKernel(v, n, outs)
	f.orDistributed(&guarded{whole, func(*core.Body) core.Operand { return cond }}, n, b, outs)
	return true
}

// workgroupVersion is the version of a body inside n in which each point is a workgroup; nil where there is none.
func (f *flattener) workgroupVersion(n *nest, b *core.Body, outs []core.Param) *guarded {
	if n.intras == mostVersions || f.inGroup || n.depth() == 0 || !f.mayPayInside(b) || f.noWorkgroups() || f.fewer() {
		return nil
	}
	v, ok := f.insideGroup(n, b)
	if !ok || !v.large() {
		return nil
	}
	f.Add(v.before...)
	limit, whole := f.innerLimit(), f.workgroupKernel(v, n, outs)
	return &guarded{whole, func(other *core.Body) core.Operand { return f.pays(limit, f.inside(v), whole, other) }}
}

// noWorkgroups reports whether the device is a processor whose tasks are single threads: there is nobody to share work with.
func (f *flattener) noWorkgroups() bool {
	if f.tasks == nil {
		tasks := pass.Ask(f.ctx, facts.Facts.HasTasks)
		f.tasks = &tasks
	}
	return *f.tasks
}

// workgroupKernel is the kernel of a version, which makes outs.
func (f *flattener) workgroupKernel(v *insideVersion, n *nest, outs []core.Param) *core.Body {
	factors := slices.DeleteFunc(slices.Clone(f.Attrs), func(a core.Attr) bool { _, ok := a.SeqFactor(); return !ok })
	return f.version(outs, func(outs []core.Param) {
		attrs := f.Attrs
		f.Attrs = append(slices.Clip(attrs), factors...)
		f.Bind(outs, &core.SegMap{Level: core.LevelGroup, Space: v.space, Body: v.body, Ret: n.pointTypes(outs)})
		f.Attrs = attrs
	})
}

// mayPayInside reports whether the version inside a workgroup of a body may be better than others: the body holds several parallel
// statements, or one in a loop or branch, and no attribute forbids it.
func (f *flattener) mayPayInside(b *core.Body) bool {
	if f.only(attrNoIntra) || f.only(attrInner) || f.only(attrSequentialInner) {
		return false
	}
	operations := 0
	for _, s := range b.Stms {
		if attrSequential.in(s.Aux.Attrs) {
			continue
		}
		switch e := core.Match(s.Exp).(type) {
		case *core.Screma:
			if !isSmall(e.Size, s) {
				operations++
			}
		case *core.Hist:
			if !isSmall(e.Size, s) {
				operations++
			}
		case *core.WithAcc:
			if hasParallelism(e) {
				operations++
			}
		case *core.Loop, *core.If, *core.Switch:
			if hasParallelism(s.Exp) {
				return true
			}
		default:
		}
	}
	return operations > 1
}

// insideVersion is the body of a map made for a workgroup.
type insideVersion struct {
	space core.Space
	body  *core.Body
	// before are scalar statements that are the same in all workgroups.
	before []*core.Stm
	// sizes are the index spaces of the operations inside that are known before the kernel.
	sizes [][]core.Operand
}

// large reports whether some operation inside has enough points for a workgroup, as far as is known.
func (v *insideVersion) large() bool {
	large := false
	for _, sizes := range v.sizes {
		product := int64(1)
		for _, n := range sizes {
			c, ok := n.ConstInt()
			if !ok {
				c = leastSize
			}
			product *= c
		}
		large = large || product >= leastSize
	}
	return large
}

// insideGroup flattens a body inside n for a workgroup; ok is false when it has no such form: inside a workgroup already, outside of maps,
// on a processor, or because of what it does.
func (f *flattener) insideGroup(n *nest, b *core.Body) (v *insideVersion, ok bool) {
	if f.inGroup || n.depth() == 0 || f.noWorkgroups() {
		return nil, false
	}
	pre := core.Needed(n.prologue, core.FreeInBody(b))
	whole := withoutCerts(&core.Body{Stms: append(pre, b.Stms...), Res: b.Res}, n.bound)
	space, sub := f.freshSpace(n)
	v = &insideVersion{space: space}
	whole = core.NewRenamer(f.Fun, f.Fun, sub).Body(whole)
	f.Scope.BindBody(whole)
	f.note(whole)
	v.before, whole = hoistScalars(v.space.Ids, whole)

	updates, blocked, attrs, certs, where := f.updates, f.blocked, f.Attrs, f.Certs, f.Where
	f.inGroup, f.blocked = true, ""
	v.body = f.hostBody(whole)
	ok = f.blocked == ""
	f.inGroup, f.updates, f.blocked, f.Attrs, f.Certs, f.Where = false, updates, blocked, attrs, certs, where
	return v, ok && f.workgroups(v)
}

// hoistScalars takes out of a body the statements of its outer level that compute numbers from what is outside of it and cannot fail.
func hoistScalars(ids []core.Var, b *core.Body) (before []*core.Stm, rest *core.Body) {
	inside := &core.VarSet{}
	for _, id := range ids {
		inside.Add(id)
	}
	rest = &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		if len(s.Aux.Certs) == 0 && computes(s.Exp) &&
			!slices.ContainsFunc(core.FreeInStm(s).List(), inside.Has) {
			before = append(before, s)
			continue
		}
		for _, p := range s.Dst {
			inside.Add(p.Var)
		}
		rest.Stms = append(rest.Stms, s)
	}
	return before, rest
}

// computes reports whether an expression computes a number and cannot fail, nor divide by zero.
func computes(e core.Exp) bool {
	switch e := core.Match(e).(type) {
	case *core.Un, *core.Cmp, *core.Conv:
		return true
	case *core.Bin:
		switch e.Op {
		case prim.Div, prim.Mod, prim.Quot, prim.Rem, prim.Pow:
			return e.Y.IsConst() && !e.Y.Const.IsZero()
		default:
			return true
		}
	default:
	}
	return false
}

// workgroups looks at the body of a version: whether a workgroup can run it, and what operations are inside.
func (f *flattener) workgroups(v *insideVersion) bool {
	z := core.NewSizing(v.space.Ids, v.body)
	ok := true
	inside := map[core.Var]bool{}
	known := func(ps []core.Param) {
		for _, p := range ps {
			inside[p.Var] = true
			ok = ok && (!p.Type.IsArray() || z.Outside(p.Type.Shape))
		}
	}
	core.Walk(v.body, func(s *core.Stm) bool {
		switch e := s.Exp.(type) {
		case *core.Loop:
			known(e.Params)
			known(s.Dst)
		case *core.Reshape:
			ok = ok && (z.Outside(s.Dst[0].Type.Shape) || z.Outside(f.TypeOf(core.V(e.Array)).Shape))
		case core.Scalar, core.View:
		case core.Seg:
			known(s.Dst)
			v.operation(z, e)
		case *core.WithAcc:
			for _, p := range e.Lambda.Params {
				inside[p.Var] = true
			}
			known(s.Dst)
		case *core.UpdateAcc:
			ok = ok && inside[s.Dst[0].Type.Acc]
		case core.Memory, core.Control, core.SOAC:
			known(s.Dst)
		}
		return ok
	})
	return ok
}

// operation notes an operation that the threads share.
func (v *insideVersion) operation(z *core.Sizing, e core.Seg) {
	sizes := e.SpaceOf().Sizes
	if z.Outside(sizes) && !slices.ContainsFunc(v.sizes, func(other []core.Operand) bool { return slices.Equal(sizes, other) }) {
		v.sizes = append(v.sizes, sizes)
	}
}

// inside is how many points the largest operation of a version has.
func (f *flattener) inside(v *insideVersion) core.Operand {
	par := core.Int(1)
	for _, sizes := range v.sizes {
		par = f.Bin(prim.Max, par, f.Product(sizes...))
	}
	return par
}
