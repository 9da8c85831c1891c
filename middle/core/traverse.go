package core

import "fmt"

// Mapper says what to do with the parts of an expression; nil fields leave
// parts as they are. It is the only traversal of expressions: what walks,
// renames or collects is written with it.
type Mapper struct {
	// Operand maps each operand and each array that is read. A variable that
	// names an array must stay a variable.
	Operand func(Operand) Operand
	// Bind maps binding occurrences: parameters of loops, the index and
	// parameters of lambdas, and the ids of spaces. Types are mapped before.
	Bind func(Var) Var
	// Body maps bodies, after the parameters that they see are bound.
	Body func(*Body) *Body
	// Lambda maps lambdas; when nil, a lambda's parts are mapped as above.
	Lambda func(*Lambda) *Lambda
}

func (m Mapper) operand(o Operand) Operand {
	if m.Operand == nil {
		return o
	}
	return m.Operand(o)
}

func (m Mapper) use(v Var) Var {
	if m.Operand == nil || v == 0 {
		return v
	}
	return m.Operand(V(v)).Var
}

func (m Mapper) bind(v Var) Var {
	if m.Bind == nil || v == 0 {
		return v
	}
	return m.Bind(v)
}

func (m Mapper) body(b *Body) *Body {
	if m.Body == nil || b == nil {
		return b
	}
	return m.Body(b)
}

func mapSlice[T any](xs []T, f func(T) T) []T {
	if xs == nil {
		return nil
	}
	ys := make([]T, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// Type maps the operands of a type, layout included.
func (m Mapper) Type(t Type) Type {
	if m.Operand == nil || t.Kind == KindScalar || t.Kind == KindCert {
		return t
	}
	t.Shape = mapSlice(t.Shape, m.operand)
	t.Acc = m.use(t.Acc)
	if t.Layout != nil {
		t.Layout = &Layout{
			Mem: m.use(t.Layout.Mem), Offset: m.poly(t.Layout.Offset),
			Strides: mapSlice(t.Layout.Strides, m.poly),
		}
	}
	return t
}

func (m Mapper) poly(p Poly) Poly {
	return p.Subst(func(v Var) Poly { return PolyOf(m.operand(V(v))) })
}

// Params maps parameters that may mention each other: all are bound first.
func (m Mapper) Params(ps []Param) []Param {
	out := mapSlice(ps, func(p Param) Param { p.Var = m.bind(p.Var); return p })
	for i := range out {
		out[i].Type = m.Type(out[i].Type)
	}
	return out
}

// LambdaParts maps the parts of a lambda.
func (m Mapper) LambdaParts(l *Lambda) *Lambda {
	params := m.Params(l.Params)
	// The types of accumulators that are results name parameters.
	ret := mapSlice(l.Ret, m.Type)
	return &Lambda{Params: params, Body: m.body(l.Body), Ret: ret}
}

func (m Mapper) lambda(l *Lambda) *Lambda {
	switch {
	case l == nil:
		return nil
	case m.Lambda != nil:
		return m.Lambda(l)
	}
	return m.LambdaParts(l)
}

func (m Mapper) operators(ops []Operator) []Operator {
	return mapSlice(ops, func(op Operator) Operator {
		return Operator{m.lambda(op.Lambda), mapSlice(op.Neutral, m.operand), op.Commutative}
	})
}

func (m Mapper) histOps(ops []HistOp) []HistOp {
	return mapSlice(ops, func(op HistOp) HistOp {
		return HistOp{
			Shape: mapSlice(op.Shape, m.operand), Dests: mapSlice(op.Dests, m.use),
			Neutral: mapSlice(op.Neutral, m.operand), Lambda: m.lambda(op.Lambda),
		}
	})
}

func (m Mapper) accInput(in AccInput) AccInput {
	return AccInput{
		Shape: mapSlice(in.Shape, m.operand), Arrays: mapSlice(in.Arrays, m.use),
		Op: m.lambda(in.Op), Neutral: mapSlice(in.Neutral, m.operand),
	}
}

func (m Mapper) space(s Space) Space {
	out := Space{Sizes: mapSlice(s.Sizes, m.operand)}
	if s.Slot != 0 {
		out.Slots, out.Slot = m.operand(s.Slots), m.bind(s.Slot)
	}
	out.Ids = mapSlice(s.Ids, m.bind)
	return out
}

func (m Mapper) slice(s Slice) Slice {
	return mapSlice(s, func(d Dim) Dim {
		if d.Fix {
			return Fix(m.operand(d.Off))
		}
		return Range(m.operand(d.Off), m.operand(d.Len), m.operand(d.Stride))
	})
}

func (m Mapper) loop(e *Loop) *Loop {
	init := mapSlice(e.Init, m.operand)
	bound := e.Bound
	if e.IsFor() {
		bound = m.operand(bound)
	}
	params := m.Params(e.Params)
	index := e.Index
	index.Var = m.bind(index.Var)
	return &Loop{Params: params, Init: init, Index: index, Bound: bound, While: m.use(e.While), Body: m.body(e.Body)}
}

// MapExp rebuilds e with its direct parts mapped. Operands come before
// binders, binders before the bodies that see them.
func MapExp(e Exp, m Mapper) Exp {
	switch e := e.(type) {
	case *Use:
		return &Use{m.operand(e.X)}
	case *Un:
		return &Un{e.Op, e.Type, m.operand(e.X)}
	case *Bin:
		return &Bin{e.Op, e.Type, m.operand(e.X), m.operand(e.Y)}
	case *Cmp:
		return &Cmp{e.Op, e.Type, m.operand(e.X), m.operand(e.Y)}
	case *Conv:
		return &Conv{e.From, e.To, m.operand(e.X)}
	case *CallFunc:
		return &CallFunc{e.Func, e.Type, mapSlice(e.Args, m.operand)}
	case *Assert:
		return &Assert{m.operand(e.Cond), mapSlice(e.Msg, func(p MsgPart) MsgPart {
			if p.IsOp {
				p.X = m.operand(p.X)
			}
			return p
		})}
	case *If:
		return &If{m.operand(e.Cond), m.body(e.Then), m.body(e.Else)}
	case *Switch:
		on := m.operand(e.On)
		cases := mapSlice(e.Cases, func(c Case) Case { return Case{c.Value, m.body(c.Body)} })
		return &Switch{on, cases, m.body(e.Default)}
	case *Loop:
		return m.loop(e)
	case *Call:
		return &Call{e.Fun, mapSlice(e.Args, m.operand)}
	default:
	}
	return mapArrayExp(e, m)
}

func mapArrayExp(e Exp, m Mapper) Exp {
	switch e := e.(type) {
	case *ArrayLit:
		return &ArrayLit{m.Type(e.Row), mapSlice(e.Elems, m.operand)}
	case *Index:
		return &Index{m.use(e.Array), m.slice(e.Slice)}
	case *Update:
		return &Update{m.use(e.Array), m.slice(e.Slice), m.operand(e.Value)}
	case *Concat:
		return &Concat{m.operand(e.Size), mapSlice(e.Arrays, m.use)}
	case *Iota:
		return &Iota{e.Type, m.operand(e.N), m.operand(e.Start), m.operand(e.Step)}
	case *Replicate:
		return &Replicate{mapSlice(e.Shape, m.operand), m.operand(e.X)}
	case *Scratch:
		return &Scratch{e.Elem, mapSlice(e.Shape, m.operand)}
	case *Rearrange:
		return &Rearrange{e.Perm, m.use(e.Array)}
	case *Reshape:
		return &Reshape{mapSlice(e.Shape, m.operand), m.use(e.Array)}
	case *Copy:
		return &Copy{m.use(e.Array)}
	case *Alloc:
		return &Alloc{e.Elem, m.operand(e.Count), e.Space}
	case *Tune, *Fact:
		return e
	default:
	}
	return mapParallelExp(e, m)
}

func mapParallelExp(e Exp, m Mapper) Exp {
	switch e := e.(type) {
	case *Screma:
		return &Screma{
			m.operand(e.Size), mapSlice(e.Arrays, m.use), m.lambda(e.Map),
			m.operators(e.Scans), m.operators(e.Reds), m.lambda(e.Post),
		}
	case *Hist:
		return &Hist{m.operand(e.Size), mapSlice(e.Arrays, m.use), m.histOps(e.Ops), m.lambda(e.Bucket)}
	case *WithAcc:
		return &WithAcc{mapSlice(e.Inputs, m.accInput), m.lambda(e.Lambda)}
	case *UpdateAcc:
		return &UpdateAcc{m.use(e.Acc), mapSlice(e.Index, m.operand), mapSlice(e.Values, m.operand)}
	case *SegMap:
		ret, space := mapSlice(e.Ret, m.Type), m.space(e.Space)
		return &SegMap{e.Level, space, m.body(e.Body), ret}
	case *SegRed:
		ret, ops, space := mapSlice(e.Ret, m.Type), m.operators(e.Ops), m.space(e.Space)
		return &SegRed{e.Level, space, ops, m.body(e.Body), ret}
	case *SegScan:
		ret, ops, space := mapSlice(e.Ret, m.Type), m.operators(e.Ops), m.space(e.Space)
		return &SegScan{e.Level, space, ops, m.body(e.Body), ret}
	case *SegHist:
		ret, ops, space := mapSlice(e.Ret, m.Type), m.histOps(e.Ops), m.space(e.Space)
		return &SegHist{e.Level, space, ops, m.body(e.Body), ret}
	default:
	}
	panic(fmt.Sprintf("core: no traversal for %T", e))
}

// MapOperands maps the operands that e itself has, not those of its bodies
// and lambdas.
func MapOperands(e Exp, f func(Operand) Operand) Exp {
	keep := func(l *Lambda) *Lambda { return l }
	return MapExp(e, Mapper{Operand: f, Lambda: keep})
}

// MapBodies maps the bodies of e, those of its lambdas included.
func MapBodies(e Exp, f func(*Body) *Body) Exp { return MapExp(e, Mapper{Body: f}) }

// MapStm maps the operands in a statement's types and certificates, then its
// expression, then what it binds.
func (m Mapper) MapStm(s *Stm) *Stm {
	aux := s.Aux
	aux.Certs = mapSlice(aux.Certs, m.use)
	exp := MapExp(s.Exp, m)
	return &Stm{Dst: m.Params(s.Dst), Exp: exp, Aux: aux}
}

// MapBody maps the statements of a body in order, then its results.
func (m Mapper) MapBody(b *Body) *Body {
	out := &Body{Stms: make([]*Stm, len(b.Stms))}
	for i, s := range b.Stms {
		out.Stms[i] = m.MapStm(s)
	}
	out.Res = mapSlice(b.Res, m.operand)
	return out
}

// Walk calls f for each statement of b in order, and, when f returns true, for
// the statements of its bodies.
func Walk(b *Body, f func(*Stm) bool) {
	for _, s := range b.Stms {
		if f(s) {
			MapBodies(s.Exp, func(inner *Body) *Body { Walk(inner, f); return inner })
		}
	}
}
