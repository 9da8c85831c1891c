package core

import (
	"fmt"

	"skald/runtime/prim"
)

// Scope gives the types of variables: what is in scope at some place, or all
// variables of a function. It is indexed by Var.
type Scope struct{ types []Type }

// Bind records the type of a variable.
func (s *Scope) Bind(p Param) {
	for int(p.Var) >= len(s.types) {
		s.types = append(s.types, make([]Type, int(p.Var)+1-len(s.types))...)
	}
	s.types[p.Var] = p.Type
}

// BindAll records the types of ps.
func (s *Scope) BindAll(ps []Param) {
	for _, p := range ps {
		s.Bind(p)
	}
}

// TypeOf is the type of a variable.
func (s *Scope) TypeOf(v Var) Type {
	if int(v) >= len(s.types) {
		return Type{}
	}
	return s.types[v]
}

// OperandType is the type of an operand.
func (s *Scope) OperandType(o Operand) Type {
	if o.Var == 0 {
		return Scalar(o.Const.Type())
	}
	return s.TypeOf(o.Var)
}

// BindBody records the types of everything that b binds, at any depth.
func (s *Scope) BindBody(b *Body) {
	m := Mapper{}
	m.Body = func(b *Body) *Body {
		for _, st := range b.Stms {
			s.BindAll(st.Dst)
			s.bindExp(st.Exp, m)
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

// bindExp records what an expression binds itself, then goes into its bodies.
func (s *Scope) bindExp(e Exp, m Mapper) {
	switch e := e.(type) {
	case *Loop:
		s.BindAll(e.Params)
		if e.IsFor() {
			s.Bind(e.Index)
		}
	case *SegMap:
		s.bindSpace(e.Space)
	case *SegRed:
		s.bindSpace(e.Space)
	case *SegScan:
		s.bindSpace(e.Space)
	case *SegHist:
		s.bindSpace(e.Space)
	default:
	}
	MapExp(e, m)
}

func (s *Scope) bindSpace(sp Space) {
	for _, v := range sp.Binds() {
		s.Bind(Param{Var: v, Type: I64})
	}
}

// BindLambda records the types of everything that l binds.
func (s *Scope) BindLambda(l *Lambda) {
	s.BindAll(l.Params)
	s.BindBody(l.Body)
}

// ScopeOf is the scope of all variables of a function.
func ScopeOf(f *Fun) *Scope {
	s := &Scope{types: make([]Type, len(f.Names))}
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
	return ArrayOf(Scalar(t.Elem), shape...)
}

// Infer gives the types of e's results, layouts left out. Only expressions
// whose results may have sizes of their own have none: If, Switch, Loop and
// Call, for which ok is false; what a statement binds says their types.
func (s *Scope) Infer(e Exp) (ts []Type, ok bool) {
	one := func(t Type) ([]Type, bool) { t.Layout = nil; return []Type{t}, true }
	switch e := e.(type) {
	case *Use:
		return one(s.OperandType(e.X))
	case *Un:
		return one(Scalar(e.Type))
	case *Bin:
		return one(Scalar(e.Type))
	case *Cmp:
		return one(BoolType)
	case *Conv:
		return one(Scalar(e.To))
	case *CallFunc:
		return one(Scalar(e.Func.Result(e.Type)))
	case *Assert:
		return one(CertType)
	case *If, *Switch, *Loop, *Call:
		return nil, false
	case *Alloc:
		return one(MemType(e.Elem, e.Space))
	case *Tune, *Fact:
		return one(I64)
	case *UpdateAcc:
		return one(s.TypeOf(e.Acc))
	default:
	}
	if t, ok := s.inferArray(e); ok {
		return one(t)
	}
	return s.inferParallel(e), true
}

func (s *Scope) inferArray(e Exp) (Type, bool) {
	switch e := e.(type) {
	case *ArrayLit:
		return ArrayOf(e.Row, Int(int64(len(e.Elems)))), true
	case *Index:
		return SliceType(s.TypeOf(e.Array), e.Slice), true
	case *Update:
		return s.TypeOf(e.Array), true
	case *Concat:
		return ArrayOf(s.TypeOf(e.Arrays[0]).Row(1), e.Size), true
	case *Iota:
		return ArrayOf(Scalar(e.Type), e.N), true
	case *Replicate:
		return ArrayOf(s.OperandType(e.X), e.Shape...), true
	case *Scratch:
		return ArrayOf(Scalar(e.Elem), e.Shape...), true
	case *Rearrange:
		t := s.TypeOf(e.Array)
		shape := make([]Operand, len(e.Perm))
		for i, p := range e.Perm {
			shape[i] = t.Shape[p]
		}
		return t.WithShape(shape), true
	case *Reshape:
		return s.TypeOf(e.Array).WithShape(e.Shape), true
	case *Copy:
		return s.TypeOf(e.Array), true
	default:
	}
	return Type{}, false
}

func (s *Scope) inferParallel(e Exp) []Type {
	switch e := e.(type) {
	case *Screma:
		return s.inferScrema(e)
	case *Hist:
		return s.destTypes(e.Ops)
	case *SegHist:
		return s.destTypes(e.Ops)
	case *WithAcc:
		var ts []Type
		for _, in := range e.Inputs {
			for _, a := range in.Arrays {
				ts = append(ts, s.bare(a))
			}
		}
		return append(ts, e.Lambda.Ret[len(e.Inputs):]...)
	case *SegMap:
		return shaped(e.Ret, e.Space.Sizes)
	case *SegRed:
		w := Width(e.Ops)
		segs := e.Space.Sizes[:len(e.Space.Sizes)-1]
		return append(shaped(e.Ret[:w], segs), shaped(e.Ret[w:], e.Space.Sizes)...)
	case *SegScan:
		return shaped(e.Ret, e.Space.Sizes)
	default:
	}
	panic(fmt.Sprintf("core: no types for %T", e))
}

func (s *Scope) inferScrema(e *Screma) []Type {
	ns, nr := Width(e.Scans), Width(e.Reds)
	ts := append([]Type(nil), e.Map.Ret[ns:ns+nr]...)
	if e.Post != nil {
		return append(ts, shaped(e.Post.Ret, []Operand{e.Size})...)
	}
	ts = append(ts, shaped(e.Map.Ret[:ns], []Operand{e.Size})...)
	return append(ts, shaped(e.Map.Ret[ns+nr:], []Operand{e.Size})...)
}

func (s *Scope) destTypes(ops []HistOp) []Type {
	var ts []Type
	for _, op := range ops {
		for _, d := range op.Dests {
			ts = append(ts, s.bare(d))
		}
	}
	return ts
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
