package wasm

import (
	"slices"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Branches in vectors]
//
// A short branch whose bodies compute something and then set variables is no branch in vectors: both bodies run for all lanes, and each
// lane takes what its condition says. That needs no mask but where a variable is set, if nothing in the bodies can do harm: what they read
// is read by each iteration anyway (pointer.sure), or lies between what is.

// flat is a body that computes something and then sets variables.
type flat struct {
	before []imp.Stm
	sets   []*imp.Set
}

// mostFlat is how many statements bodies may have that run for all lanes.
const mostFlat = 16

// flatten takes a body apart, if it is flat.
func (v *vectors) flatten(body []imp.Stm) (out flat, ok bool) {
	bound := map[imp.Var]bool{}
	for _, s := range body {
		switch s := imp.MatchStm(s).(type) {
		case *imp.Set:
			if !v.harmless(s.Exp) || slices.ContainsFunc(out.sets, func(o *imp.Set) bool { return o.Var == s.Var || mentions(s.Exp, o.Var) }) {
				return out, false
			}
			if !bound[s.Var] {
				out.sets = append(out.sets, s)
				continue
			}
		case *imp.Let:
			if !v.harmless(s.Exp) {
				return out, false
			}
			bound[s.Var] = true
		case *imp.If:
			then, ok1 := v.flatten(s.Then)
			other, ok2 := v.flatten(s.Else)
			inner := slices.Concat(then.sets, other.sets)
			if !ok1 || !ok2 || !v.harmless(s.Cond) || slices.ContainsFunc(inner, func(o *imp.Set) bool { return !bound[o.Var] }) {
				return out, false
			}
		case *imp.Comment:
		default:
			return out, false
		}
		if len(out.sets) > 0 { // What follows could read what was set.
			return out, false
		}
		out.before = append(out.before, s)
	}
	return out, true
}

func mentions(e imp.Exp, x imp.Var) bool {
	found := false
	imp.WalkExp(e, func(e imp.Exp) {
		v, ok := e.(*imp.VarExp)
		found = found || ok && v.Var == x
	})
	return found
}

// harmless reports whether an expression may be evaluated by lanes that do not need it.
func (v *vectors) harmless(e imp.Exp) bool {
	fine := true
	imp.WalkExp(e, func(e imp.Exp) {
		if l, ok := e.(*imp.Load); ok {
			fine = fine && v.certain(l.Mem, l.Index)
		}
	})
	return fine
}

// convert writes a branch without branching, or reports that it cannot.
func (v *vectors) convert(s *imp.If) bool {
	if len(s.Then)+len(s.Else) > mostFlat {
		return false
	}
	then, ok1 := v.flatten(s.Then)
	other, ok2 := v.flatten(s.Else)
	if !ok1 || !ok2 {
		return false
	}
	values := map[imp.Var][2]imp.Exp{}
	var order []imp.Var
	for i, sets := range [][]*imp.Set{then.sets, other.sets} {
		for _, set := range sets {
			pair, there := values[set.Var]
			if !there {
				order = append(order, set.Var)
				pair = [2]imp.Exp{&imp.VarExp{Var: set.Var}, &imp.VarExp{Var: set.Var}}
			}
			pair[i] = set.Exp
			values[set.Var] = pair
		}
	}
	for _, x := range order {
		if v.values[x] == nil || slices.ContainsFunc(order, func(o imp.Var) bool {
			return o != x && (mentions(values[x][0], o) || mentions(values[x][1], o))
		}) {
			return false
		}
	}
	taken := v.temps128()
	for r := range v.each {
		v.exp(s.Cond, r)
		v.set(taken[r])
	}
	v.stms(then.before)
	v.stms(other.before)
	for _, x := range order {
		for r, l := range v.values[x] {
			v.either(primOf(v.kernel.Vars[x].Type), values[x], taken[r], r)
			if v.mask != nil {
				v.get(l)
				v.get(v.mask[r])
				v.emit(v128Bitselect)
			}
			v.set(l)
		}
	}
	v.release(V128, taken...)
	return true
}

// either pushes one of two values by a mask.
func (v *vectors) either(t prim.Type, values [2]imp.Exp, mask uint64, r int) {
	then, other := truth(t, values[0]), truth(t, values[1])
	switch {
	case then == "true":
		v.get(mask)
		v.exp(values[1], r)
		v.emit(v128Or)
	case then == "false":
		v.exp(values[1], r)
		v.get(mask)
		v.emit(v128AndNot)
	case other == "false":
		v.exp(values[0], r)
		v.get(mask)
		v.emit(v128And)
	default:
		v.exp(values[0], r)
		v.exp(values[1], r)
		v.get(mask)
		v.emit(v128Bitselect)
	}
}

// truth is which constant a boolean is; empty if it is none.
func truth(t prim.Type, e imp.Exp) string {
	c, ok := e.(*imp.Const)
	if !ok || t != prim.Bool {
		return ""
	}
	return c.Value.String()
}
