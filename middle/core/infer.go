package core

import "skald/runtime/prim"

// Scope has the types of variables: what is in scope at some place, or all
// variables of a function. It is indexed by Var; types are where they are bound, so that a scope is small.
type Scope struct{ types []*Type }

// Bind records the type of a variable.
func (s *Scope) Bind(p Param) { s.bind(p.Var, &p.Type) }

// BindAll records the types of ps, which must not change afterwards.
func (s *Scope) BindAll(ps []Param) {
	for i := range ps {
		s.bind(ps[i].Var, &ps[i].Type)
	}
}

func (s *Scope) bind(v Var, t *Type) {
	if int(v) >= len(s.types) {
		s.types = append(s.types, make([]*Type, int(v)+1-len(s.types))...)
	}
	s.types[v] = t
}

// BeginsWith is the accumulator that code begins with, of those of a type named after acc, by the variables that are free in the code. Each
// statement that mentions the type has acc itself among them: where there is another one, acc has been updated since.
func (s *Scope) BeginsWith(free *VarSet, acc Var) Var {
	for _, v := range free.List() {
		if t := s.TypeOf(v); v != acc && t.Kind == KindAcc && t.Acc == acc {
			return v
		}
	}
	return acc
}

// TypeOf is the type of a variable.
func (s *Scope) TypeOf(v Var) Type {
	if int(v) >= len(s.types) || s.types[v] == nil {
		return Type{}
	}
	return *s.types[v]
}

// OperandType is the type of an operand.
func (s *Scope) OperandType(o Operand) Type {
	if o.Var == 0 {
		return ScalarType(o.Const.Type())
	}
	return s.TypeOf(o.Var)
}

// BindBody records the types of everything that b binds, at any depth.
func (s *Scope) BindBody(b *Body) {
	m := Mapper{}
	m.Body = func(b *Body) *Body {
		for _, st := range b.Stms {
			s.BindAll(st.Dst)
			if isLeaf(st.Exp) {
				continue
			}
			s.BindAll(st.Exp.binders())
			MapExp(st.Exp, m)
		}
		return b
	}
	m.Lambda = func(l *Lambda) *Lambda {
		s.BindAll(l.Params)
		m.Body(l.Body)
		return l
	}
	m.Body(b)
}

// BindLambda records the types of everything that l binds.
func (s *Scope) BindLambda(l *Lambda) {
	s.BindAll(l.Params)
	s.BindBody(l.Body)
}

// ScopeOf is the scope of all variables of a function.
func ScopeOf(f *Fun) *Scope {
	s := &Scope{types: make([]*Type, len(f.Names), len(f.Names)*9/8)} // passes make some more
	for _, g := range f.Globals {
		s.Bind(g.Param)
	}
	s.BindAll(f.Params)
	s.BindBody(f.Body)
	return s
}

// SliceType is the type of the part of an array of type t that sl selects.
func SliceType(t Type, sl Slice) Type {
	var shape []Operand
	for _, d := range sl {
		if !d.Fix {
			shape = append(shape, d.Len)
		}
	}
	return ArrayOf(ScalarType(t.Elem), shape...)
}

// Infer returns the types of e's results, layouts left out. Only expressions
// whose results may have sizes of their own have none: If, Switch, Loop and
// Call, for which ok is false; what a statement binds says their types.
func (s *Scope) Infer(e Exp) (ts []Type, ok bool) { return e.types(s) }

// oneType is the answer of nodes with one result.
func oneType(t Type) ([]Type, bool) {
	t.Layout = nil
	return []Type{t}, true
}

func (s *Scope) bare(v Var) Type {
	t := s.TypeOf(v)
	t.Layout = nil
	return t
}

func shaped(ts []Type, sizes []Operand) []Type {
	out := make([]Type, len(ts))
	for i, t := range ts {
		t.Layout = nil
		out[i] = ArrayOf(t, sizes...)
	}
	return out
}

// scalarOf is the primitive type of a scalar operand.
func (s *Scope) scalarOf(o Operand) prim.Type { return s.OperandType(o).Elem }
