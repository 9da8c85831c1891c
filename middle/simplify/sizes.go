package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Branches that decide sizes]
//
// A branch in a map may decide how large an array is, and nothing of that depends on the point: sorting pads rows to a power of two, unless
// their length is one. Then all rows have one size, which flattening knows only if it is from outside of the map. So such a branch becomes
// two, one before the map of what is scalar and depends on no point, and the rest:
//
//	map (\xs -> let (n, ys: [n]t) = if c then (m, xs) else { let p = loop ...; let zs = ...; in (p, zs) } in ...)
//
//	let (n, q) = if c then (m, 0) else { let p = loop ...; in (p, p) }
//	map (\xs -> let ys: [n]t = if c then reshape [n] xs else { let zs = ...; in reshape [n] zs } in ...)
//
// Scalars go from the first to the rest as results, q above. Assertions whose certificates the rest needs are made there as well. The first
// may fail and may take long, so it runs only if the map has points. It is made if a size depends on it, or a loop is in it, which points
// would run again and again, and how often other loops run and what is how large may follow from that.

// before is a branch in a body that is being divided.
type before struct {
	*simplifier
	h *hoister
	// freed are the variables of statements that do not depend on the body.
	freed []core.Var
	// loops says that there are loops among these statements.
	loops bool
}

// decideSizes takes the part of a branch that depends on nothing bound in a body to the code around it, and returns the rest, or nil if
// there is none: see Note [Branches that decide sizes].
func (s *simplifier) decideSizes(h *hoister, st *core.Stm) *core.Stm {
	e, ok := st.Exp.(*core.If)
	if !ok || s.stage != core.StageSOACS || h.counts == nil || len(st.Aux.Certs) > 0 || s.isBound(h, e.Cond) {
		return st
	}
	d := &before{simplifier: s, h: h}
	first, rest := d.branch(st, e)
	if first == nil || !d.loops && !slices.ContainsFunc(st.Dst, func(p core.Param) bool { return decides(p, first.Dst) }) {
		for _, v := range d.freed {
			s.binders.bind(h, v)
		}
		return st
	}
	s.changed = true
	s.add(s.unlessIdle(h, first, core.Zeros(first.Dst)))
	return rest
}

// decides reports whether a size of p is one of some scalars.
func decides(p core.Param, scalars []core.Param) bool {
	return slices.ContainsFunc(p.Type.Shape, func(n core.Operand) bool {
		return slices.ContainsFunc(scalars, func(q core.Param) bool { return n.IsVar(q.Var) })
	})
}

func (s *simplifier) isBound(h *hoister, x core.Operand) bool {
	return int(x.Var) < len(s.binders.of) && s.binders.of[x.Var] == h
}

// branch divides a branch whose condition does not depend on the body. Nothing comes first if nothing can.
func (d *before) branch(st *core.Stm, e *core.If) (first, rest *core.Stm) {
	sides := []*core.Body{e.Then, e.Else}
	var early, late [2][]*core.Stm
	for k, side := range sides {
		early[k], late[k] = d.side(side)
	}
	var dst, remain []core.Param
	var res, others [2][]core.Operand // of the first part, and of the rest
	for i, p := range st.Dst {
		moves := p.Type.IsScalar() && !d.isBound(d.h, e.Then.Res[i]) && !d.isBound(d.h, e.Else.Res[i])
		for k, side := range sides {
			if moves {
				res[k] = append(res[k], side.Res[i])
			} else {
				others[k] = append(others[k], side.Res[i])
			}
		}
		if moves {
			dst = append(dst, p)
			d.free(p)
		} else {
			remain = append(remain, p)
		}
	}
	var pass [2]core.Subst
	for k := range sides {
		pass[k] = core.Subst{}
		late[k] = d.checked(early[k], late[k])
		for _, p := range d.passed(early[k], late[k], others[k]) {
			q := d.Param(d.Fun.Base(p.Var), p.Type)
			d.Scope.Bind(q)
			dst = append(dst, q)
			pass[k][p.Var] = core.V(q.Var)
			res[k], res[1-k] = append(res[k], core.V(p.Var)), append(res[1-k], core.C(prim.Zero(p.Type.Elem)))
		}
	}
	if len(dst) == 0 {
		return nil, st
	}
	bodies := [2]*core.Body{}
	for k := range sides {
		bodies[k] = core.NewRenamer(d.Fun, d.Fun, nil).Body(&core.Body{Stms: early[k], Res: res[k]})
		d.Scope.BindBody(bodies[k])
	}
	first = &core.Stm{Dst: dst, Exp: &core.If{Cond: e.Cond, Then: bodies[0], Else: bodies[1]}, Aux: st.Aux}
	if len(remain) == 0 && len(late[0])+len(late[1]) == 0 {
		return first, nil
	}
	for k := range sides {
		bodies[k] = pass[k].Body(d.shaped(late[k], others[k], remain, dst))
	}
	return first, &core.Stm{Dst: remain, Exp: &core.If{Cond: e.Cond, Then: bodies[0], Else: bodies[1]}, Aux: st.Aux}
}

// side divides a side of a branch.
func (d *before) side(b *core.Body) (early, late []*core.Stm) {
	for _, st := range b.Stms {
		e, isIf := st.Exp.(*core.If)
		switch {
		case isIf && len(st.Aux.Certs) == 0 && !d.isBound(d.h, e.Cond):
			first, rest := d.branch(st, e)
			if first != nil {
				early = append(early, first)
				d.free(first.Dst...)
			}
			if rest == nil {
				continue
			}
			st = rest
		case core.OnlyScalars(scalarsOrCerts(st.Dst)) && !isIf && d.scalar(st.Exp) && !d.binders.binds(d.h, st):
			_, loop := st.Exp.(*core.Loop)
			d.loops = d.loops || loop
			early = append(early, st)
			d.free(st.Dst...)
			continue
		}
		late = append(late, st)
		d.bind(d.h, st.Dst...)
	}
	return early, late
}

// scalarsOrCerts are the types of ps but for certificates.
func scalarsOrCerts(ps []core.Param) []core.Type {
	return slices.DeleteFunc(core.ParamTypes(ps), func(t core.Type) bool { return t.Kind == core.KindCert })
}

// free notes that variables do not depend on the body.
func (d *before) free(ps ...core.Param) {
	for _, p := range ps {
		if d.isBound(d.h, core.V(p.Var)) {
			d.freed = append(d.freed, p.Var)
			d.binders.bind(nil, p.Var)
		}
	}
}

// scalar reports whether an expression computes scalars from scalars.
func (d *before) scalar(e core.Exp) bool {
	inside := func(b *core.Body) bool {
		return !slices.ContainsFunc(b.Stms, func(st *core.Stm) bool {
			return !core.OnlyScalars(scalarsOrCerts(st.Dst)) || !d.scalar(st.Exp)
		})
	}
	switch e := core.Match(e).(type) {
	case *core.Use, *core.Un, *core.Bin, *core.Cmp, *core.Conv, *core.CallFunc, *core.Assert:
		return true
	case *core.If:
		return inside(e.Then) && inside(e.Else)
	case *core.Loop:
		return core.OnlyScalars(core.ParamTypes(e.Params)) && inside(e.Body)
	default:
		return false
	}
}

// checked is the rest of a side with the assertions whose certificates it needs.
func (d *before) checked(early, late []*core.Stm) []*core.Stm {
	free := core.FreeInBody(&core.Body{Stms: late})
	var checks []*core.Stm
	for _, st := range early {
		if _, ok := st.Exp.(*core.Assert); ok && free.Has(st.Dst[0].Var) {
			checks = append(checks, st)
		}
	}
	return append(checks, late...)
}

// passed lists what early statements bind that the rest of their side uses.
func (d *before) passed(early, late []*core.Stm, res []core.Operand) []core.Param {
	free := core.FreeInBody(&core.Body{Stms: late, Res: res})
	var out []core.Param
	for _, st := range early {
		for _, p := range st.Dst {
			if p.Type.IsScalar() && free.Has(p.Var) {
				out = append(out, p)
			}
		}
	}
	return out
}

// shaped is the rest of a side, whose results have the sizes of remain; some of them are now from outside.
func (d *before) shaped(late []*core.Stm, res []core.Operand, remain, outside []core.Param) *core.Body {
	out := &core.Body{Stms: slices.Clip(late), Res: slices.Clone(res)}
	for i, p := range remain {
		if !decides(p, outside) {
			continue
		}
		q := d.Param(d.Fun.Base(p.Var), p.Type)
		d.Scope.Bind(q)
		out.Stms = append(out.Stms, &core.Stm{Dst: []core.Param{q}, Exp: &core.Reshape{Shape: p.Type.Shape, Array: res[i].Var}})
		out.Res[i] = core.V(q.Var)
	}
	return out
}
