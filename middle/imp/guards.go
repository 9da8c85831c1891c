package imp

import (
	"slices"

	"skald/runtime/prim"
)

// unguarded is host code whose readings are under no condition, where this is that there are elements: see Note [Reading together].
func unguarded(body []Stm) []Stm {
	g := &guards{lets: map[Var]Exp{}, made: map[Var]*Alloc{}, some: map[Var]bool{}}
	Walk(body, func(s Stm) bool {
		switch s := MatchStm(s).(type) {
		case *Let:
			g.lets[s.Var] = s.Exp
		case *Alloc:
			g.made[s.Var] = s
		default:
		}
		return true
	})
	for v := range setIn(body) {
		delete(g.lets, v)
	}
	if body = g.body(body); len(g.some) == 0 {
		return body
	}
	return g.nonEmpty(body)
}

// guards are the branches of a function that ask whether there are elements.
type guards struct {
	lets map[Var]Exp // what variables are that are never set
	made map[Var]*Alloc
	some map[Var]bool // blocks that must have an element
}

// body takes readings out of such branches in a body.
func (g *guards) body(body []Stm) []Stm {
	out, inside := make([]Stm, 0, len(body)), g.body
	for _, s := range body {
		s = mapBodies(s, inside)
		if b, ok := s.(*If); ok {
			reads, rest := g.taken(b)
			for _, r := range reads {
				out = append(out, r)
			}
			s = rest
		}
		out = append(out, s)
	}
	return out
}

// taken are the readings that are taken out of a branch, and the branch without them.
func (g *guards) taken(b *If) ([]*ReadScalar, *If) {
	if !g.asksForNone(b.Cond) || !computesOrReads(b.Then) || !computesOrReads(b.Else) || slices.ContainsFunc(b.Then, isRead) {
		return nil, b
	}
	rest := *b
	rest.Else = nil
	var reads []*ReadScalar
	inside := changedIn(b.Else)
	for _, s := range b.Else {
		r, ok := s.(*ReadScalar)
		if !ok {
			rest.Else = append(rest.Else, s)
			continue
		}
		at, ok := g.outside(r.Index, inside)
		if !ok || !g.canHaveOne(r.Block) {
			return nil, b
		}
		if _, constant := at.(*Const); !constant {
			at = &Select{Type: I64, Cond: b.Cond, Then: &Const{I64, prim.MakeI64(0)}, Else: at}
		}
		reads = append(reads, &ReadScalar{Var: r.Var, Elem: r.Elem, Block: r.Block, Index: at})
	}
	for _, r := range reads {
		g.some[r.Block] = true
	}
	return reads, &rest
}

// asksForNone reports whether a condition is that some number is zero.
func (g *guards) asksForNone(cond Exp) bool {
	if v, ok := cond.(*VarExp); ok {
		cond = g.lets[v.Var]
	}
	e, ok := cond.(*Cmp)
	if !ok || e.Op != prim.Eq || e.Type != I64 {
		return false
	}
	none, ok := e.Y.(*Const)
	return ok && none.Value.Int() == 0
}

// computesOrReads reports whether statements only compute, or read.
func computesOrReads(body []Stm) bool {
	return !slices.ContainsFunc(body, func(s Stm) bool { return !isRead(s) && !onlyComputes(s) })
}

// outside is an expression by what is known outside of a body that changes some variables.
func (g *guards) outside(e Exp, inside map[Var]bool) (Exp, bool) {
	known := true
	var in Mapper
	in.Exp = func(e Exp) Exp {
		if v, ok := e.(*VarExp); ok && inside[v.Var] {
			let := g.lets[v.Var]
			if known = known && let != nil; !known {
				return e
			}
			return in.Exp(let)
		}
		return e.parts(in)
	}
	out := in.Exp(e)
	return out, known
}

// canHaveOne reports whether a block can be made with one element at least.
func (g *guards) canHaveOne(block Var) bool {
	a := g.made[block]
	return a != nil && atLeastOne(a.Count) != nil
}

// atLeastOne is a size, but one where it is zero: of a constant, or of a variable, perhaps times constants; nil for others. A product stays
// one, as what makes a block of so many elements fails where there are too many.
func atLeastOne(n Exp) Exp {
	one := &Const{I64, prim.MakeI64(1)}
	switch n := Match(n).(type) {
	case *Const:
		if n.Value.Int() > 0 {
			return n
		}
	case *VarExp:
		return &Bin{Op: prim.Max, Type: I64, X: n, Y: one}
	case *Bin:
		c, ok := n.Y.(*Const)
		if x := atLeastOne(n.X); n.Op == prim.Mul && ok && c.Value.Int() > 0 && x != nil {
			return &Bin{Op: prim.Mul, Type: n.Type, X: x, Y: c}
		}
	default:
	}
	return nil
}

// nonEmpty has the blocks that must have an element made with one.
func (g *guards) nonEmpty(body []Stm) []Stm {
	out, inside := make([]Stm, len(body)), g.nonEmpty
	for i, s := range body {
		out[i] = mapBodies(s, inside)
		if a, ok := s.(*Alloc); ok && g.some[a.Var] {
			b := *a
			b.Count = atLeastOne(a.Count)
			out[i] = &b
		}
	}
	return out
}
