package wasm

import (
	"cmp"
	"slices"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Branches in vectors]
//
// A short branch whose bodies compute something and then set variables is no branch in vectors: both bodies run for all lanes, and each
// lane takes what its condition says; a branch that ends a body is what it sets, chosen by its condition. That needs no mask but where a
// variable is set, if nothing in the bodies can do harm: what they read is read by each iteration anyway (pointer.sure), or lies between
// what is.

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
			inner, ok := v.flatBranch(s)
			if !ok {
				return out, false
			}
			if slices.ContainsFunc(inner.sets, func(o *imp.Set) bool { return !bound[o.Var] }) {
				if len(out.sets) > 0 || slices.ContainsFunc(inner.sets, func(o *imp.Set) bool { return bound[o.Var] || mentions(s.Cond, o.Var) }) {
					return out, false
				}
				out.before, out.sets = append(out.before, inner.before...), inner.sets
				continue
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

// flatBranch takes a branch apart whose bodies are flat: each variable is set to what the condition chooses.
func (v *vectors) flatBranch(s *imp.If) (out flat, ok bool) {
	then, ok1 := v.flatten(s.Then)
	other, ok2 := v.flatten(s.Else)
	if !ok1 || !ok2 || !v.harmless(s.Cond) {
		return out, false
	}
	out.before = slices.Concat(then.before, other.before)
	for _, set := range slices.Concat(then.sets, other.sets) {
		if set := (&imp.Set{Var: set.Var}); out.value(set.Var) == nil {
			own := &imp.VarExp{Var: set.Var}
			set.Exp = &imp.Select{
				Type: v.kernel.Vars[set.Var].Type, Cond: s.Cond,
				Then: cmp.Or(then.value(set.Var), imp.Exp(own)), Else: cmp.Or(other.value(set.Var), imp.Exp(own)),
			}
			out.sets = append(out.sets, set)
		}
	}
	for _, set := range out.sets {
		for _, x := range []imp.Exp{then.value(set.Var), other.value(set.Var)} {
			if x != nil && slices.ContainsFunc(out.sets, func(o *imp.Set) bool { return o.Var != set.Var && mentions(x, o.Var) }) {
				return out, false
			}
		}
	}
	return out, true
}

// value is what a variable is set to; nil if it is not set.
func (f flat) value(x imp.Var) imp.Exp {
	for _, s := range f.sets {
		if s.Var == x {
			return s.Exp
		}
	}
	return nil
}

// convert writes a branch without branching, or reports that it cannot.
func (v *vectors) convert(s *imp.If) bool {
	if len(s.Then)+len(s.Else) > mostFlat {
		return false
	}
	f, ok := v.flatBranch(s)
	if !ok || slices.ContainsFunc(f.sets, func(s *imp.Set) bool { return v.values[s.Var] == nil }) {
		return false
	}
	taken := v.temps128() // first: what is set may be in the condition
	for r := range v.each {
		v.exp(s.Cond, r)
		v.set(taken[r])
	}
	v.stms(f.before)
	v.masks[s.Cond] = taken
	for _, set := range f.sets {
		v.change(set)
	}
	delete(v.masks, s.Cond)
	v.release(V128, taken...)
	return true
}

// choose pushes vector r of one of two values, by a mask.
func (v *vectors) choose(e *imp.Select, r int) {
	then, other := truth(e.Type, e.Then), truth(e.Type, e.Else)
	mask := func() {
		if taken := v.masks[e.Cond]; taken != nil {
			v.get(taken[r])
		} else {
			v.exp(e.Cond, r)
		}
	}
	switch {
	case then == "true":
		mask()
		v.exp(e.Else, r)
		v.emit(v128Or)
	case then == "false":
		v.exp(e.Else, r)
		mask()
		v.emit(v128AndNot)
	case other == "false":
		v.exp(e.Then, r)
		mask()
		v.emit(v128And)
	default:
		v.exp(e.Then, r)
		v.exp(e.Else, r)
		mask()
		v.emit(v128Bitselect)
	}
}

// truth is which constant a boolean is; empty if it is none.
func truth(t imp.Type, e imp.Exp) string {
	c, ok := e.(*imp.Const)
	if !ok || primOf(t) != prim.Bool {
		return ""
	}
	return c.Value.String()
}
