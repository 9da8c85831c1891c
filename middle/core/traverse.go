package core

import (
	"slices"
	"sync"
)

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

// mapSlice maps the elements of a list; the list itself is the result where none changes, as in most traversals.
func mapSlice[T any](xs []T, f func(T) T, same func(x, y T) bool) []T {
	for i, x := range xs {
		if y := f(x); !same(x, y) {
			ys := slices.Clone(xs)
			ys[i] = y
			for j := i + 1; j < len(xs); j++ {
				ys[j] = f(xs[j])
			}
			return ys
		}
	}
	return slices.Clip(xs)
}

func equal[T comparable](x, y T) bool { return x == y }

// sameSlice reports whether one list is the other, and not a copy of it.
func sameSlice[T any](xs, ys []T) bool {
	return len(xs) == len(ys) && (len(xs) == 0 || &xs[0] == &ys[0])
}

func (m Mapper) operands(os []Operand) []Operand {
	if m.Operand == nil {
		return slices.Clip(os)
	}
	return mapSlice(os, m.Operand, equal)
}

func (m Mapper) uses(vs []Var) []Var {
	if m.Operand == nil {
		return slices.Clip(vs)
	}
	return mapSlice(vs, m.use, equal)
}

func (m Mapper) types(ts []Type) []Type {
	if m.Operand == nil {
		return slices.Clip(ts)
	}
	return mapSlice(ts, m.Type, sameType)
}

// Type maps the operands of a type, layout included.
func (m Mapper) Type(t Type) Type {
	if m.Operand == nil || isConstant(&t) {
		return t
	}
	t.Shape = m.operands(t.Shape)
	t.Acc = m.use(t.Acc)
	if t.Layout != nil {
		t.Layout = m.layout(t.Layout)
	}
	return t
}

// sameType reports whether a type is what Type returned of another that it left as it was.
func sameType(t, u Type) bool {
	return t.Acc == u.Acc && t.Layout == u.Layout && sameSlice(t.Shape, u.Shape)
}

func (m Mapper) layout(l *Layout) *Layout {
	mem, offset, strides := m.use(l.Mem), m.poly(l.Offset), mapSlice(l.Strides, m.poly, samePoly)
	if mem == l.Mem && samePoly(offset, l.Offset) && sameSlice(strides, l.Strides) {
		return l
	}
	return &Layout{Mem: mem, Offset: offset, Strides: strides}
}

func (m Mapper) poly(p Poly) Poly {
	var space [8]Operand
	mapped, changed := space[:0], false
	for _, t := range p.Terms {
		for _, v := range t.Vars {
			o := m.operand(V(v))
			mapped, changed = append(mapped, o), changed || o != V(v)
		}
	}
	if !changed {
		return p
	}
	return p.Subst(func(Var) Poly {
		o := mapped[0]
		mapped = mapped[1:]
		return PolyOf(o)
	})
}

func samePoly(p, q Poly) bool { return sameSlice(p.Terms, q.Terms) }

// Params maps parameters that may mention each other: all are bound first.
func (m Mapper) Params(ps []Param) []Param {
	out := slices.Clip(ps)
	if m.Bind != nil {
		for i := range ps {
			if v := m.bind(ps[i].Var); v != ps[i].Var {
				out = copied(out, ps)
				out[i].Var = v
			}
		}
	}
	if m.Operand != nil {
		for i := range ps {
			if isConstant(&ps[i].Type) {
				continue
			}
			if t := m.Type(ps[i].Type); !sameType(t, ps[i].Type) {
				out = copied(out, ps)
				out[i].Type = t
			}
		}
	}
	return out
}

// copied is a copy of a list in place of the list itself.
func copied(out, ps []Param) []Param {
	if sameSlice(out, ps) {
		return slices.Clone(ps)
	}
	return out
}

// LambdaParts maps the parts of a lambda.
func (m Mapper) LambdaParts(l *Lambda) *Lambda {
	params := m.Params(l.Params)
	// The types of accumulators that are results name parameters.
	ret := m.types(l.Ret)
	body := m.body(l.Body)
	if body == l.Body && sameSlice(params, l.Params) && sameSlice(ret, l.Ret) {
		return l
	}
	return &Lambda{Params: params, Body: body, Ret: ret}
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
		return Operator{m.lambda(op.Lambda), m.operands(op.Neutral), op.Commutative}
	}, func(x, y Operator) bool { return x.Lambda == y.Lambda && sameSlice(x.Neutral, y.Neutral) })
}

func (m Mapper) accInput(in AccInput) AccInput {
	return AccInput{
		Shape: m.operands(in.Shape), Arrays: m.uses(in.Arrays),
		Op: m.lambda(in.Op), Neutral: m.operands(in.Neutral),
	}
}

func sameAccInput(x, y AccInput) bool {
	return x.Op == y.Op && sameSlice(x.Shape, y.Shape) && sameSlice(x.Arrays, y.Arrays) && sameSlice(x.Neutral, y.Neutral)
}

func (m Mapper) slice(s Slice) Slice {
	if m.Operand == nil {
		return slices.Clip(s)
	}
	return mapSlice(s, func(d Dim) Dim {
		if d.Fix {
			return Fix(m.operand(d.Off))
		}
		return Range(m.operand(d.Off), m.operand(d.Len), m.operand(d.Stride))
	}, equal)
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
	aux.Certs = m.uses(aux.Certs)
	exp := MapExp(s.Exp, m)
	return &Stm{Dst: m.Params(s.Dst), Exp: exp, Aux: aux}
}

// VisitStm calls what the mapper has on all that MapStm maps, in the same order, and makes no statement of it.
func (m Mapper) VisitStm(s *Stm) {
	for _, c := range s.Aux.Certs {
		m.use(c)
	}
	MapExp(s.Exp, m)
	for i := range s.Dst {
		m.bind(s.Dst[i].Var)
	}
	m.visitTypes(s.Dst)
}

// visitTypes calls what the mapper has on the operands of the types of parameters.
func (m Mapper) visitTypes(ps []Param) {
	for i := range ps {
		if t := &ps[i].Type; !isConstant(t) {
			m.Type(*t)
		}
	}
}

// MapBody maps the statements of a body in order, then its results.
func (m Mapper) MapBody(b *Body) *Body {
	out := &Body{Stms: make([]*Stm, len(b.Stms))}
	for i, s := range b.Stms {
		out.Stms[i] = m.MapStm(s)
	}
	out.Res = m.operands(b.Res)
	return out
}

// mapBeside is MapBody for the body of a whole function, where kernels are mapped at the same time, until wait is over: the functions of
// the mapper are called from several goroutines.
func (m Mapper) mapBeside(b *Body, wait *sync.WaitGroup) *Body {
	out := &Body{Stms: make([]*Stm, len(b.Stms))}
	for i, s := range b.Stms {
		if _, ok := s.Exp.(Seg); ok {
			wait.Go(func() { out.Stms[i] = m.MapStm(s) })
		} else {
			out.Stms[i] = m.MapStm(s)
		}
	}
	out.Res = m.operands(b.Res)
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
	return NeededOr(stms, vars, func(*Stm) bool { return false })
}

// NeededOr is Needed with the statements besides that stay in any case, and what these need.
func NeededOr(stms []*Stm, vars *VarSet, stays func(*Stm) bool) []*Stm {
	var out []*Stm
	for _, s := range slices.Backward(stms) {
		if stays(s) || slices.ContainsFunc(s.Dst, func(p Param) bool { return vars.Has(p.Var) }) {
			vars.AddFree(s)
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
			if f(s) && !isLeaf(s.Exp) {
				MapExp(s.Exp, m)
			}
		}
		return inner
	}
	m.Body(b)
}

// isLeaf reports whether e is one of the nodes that most statements are: they have no bodies, and bind nothing.
func isLeaf(e Exp) bool {
	switch Match(e).(type) {
	case *Un, *Bin, *Cmp, *Conv, *Index:
		return true
	default:
		return false
	}
}
