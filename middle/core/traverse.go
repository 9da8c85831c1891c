package core

import "slices"

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

func (m Mapper) accInput(in AccInput) AccInput {
	return AccInput{
		Shape: mapSlice(in.Shape, m.operand), Arrays: mapSlice(in.Arrays, m.use),
		Op: m.lambda(in.Op), Neutral: mapSlice(in.Neutral, m.operand),
	}
}

func (m Mapper) slice(s Slice) Slice {
	return mapSlice(s, func(d Dim) Dim {
		if d.Fix {
			return Fix(m.operand(d.Off))
		}
		return Range(m.operand(d.Off), m.operand(d.Len), m.operand(d.Stride))
	})
}

// MapExp rebuilds e with its direct parts mapped; it may return e itself where none changes. Operands come before
// binders, binders before the bodies that see them.
func MapExp(e Exp, m Mapper) Exp { return e.parts(m) }

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

// VisitStm calls what the mapper has on all that MapStm maps, in the same order, and makes no statement of it.
func (m Mapper) VisitStm(s *Stm) {
	for _, c := range s.Aux.Certs {
		m.use(c)
	}
	MapExp(s.Exp, m)
	for _, p := range s.Dst {
		m.bind(p.Var)
	}
	for _, p := range s.Dst {
		m.Type(p.Type)
	}
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

// Kept are the elements of a list, such as results or parameters of a node, that keep says.
func Kept[T any](xs []T, keep []bool) []T {
	var out []T
	for i, x := range xs {
		if keep[i] {
			out = append(out, x)
		}
	}
	return out
}

// Needed are those of some statements that compute variables, or what these statements need, in their order. What they need is added to
// the variables.
func Needed(stms []*Stm, vars *VarSet) []*Stm {
	var out []*Stm
	for _, s := range slices.Backward(stms) {
		if slices.ContainsFunc(s.Dst, func(p Param) bool { return vars.Has(p.Var) }) {
			vars.AddAll(FreeInStm(s))
			out = append(out, s)
		}
	}
	slices.Reverse(out)
	return out
}

// CountStms is how many statements a body has, with those inside.
func CountStms(b *Body) int {
	n := 0
	Walk(b, func(*Stm) bool { n++; return true })
	return n
}

// Walk calls f for each statement of b in order, and, when f returns true, for
// the statements of its bodies.
func Walk(b *Body, f func(*Stm) bool) {
	var m Mapper
	m.Body = func(inner *Body) *Body {
		for _, s := range inner.Stms {
			if f(s) {
				MapExp(s.Exp, m)
			}
		}
		return inner
	}
	m.Body(b)
}
