package core

import "skald/runtime/prim"

// Builder makes bodies statement by statement: each method that computes
// something adds a statement and returns the operand that holds the result.
// Types follow from the scope, so callers state them only where results have
// sizes of their own (If, Loop, Call).
type Builder struct {
	Fun   *Fun   // whose variables are made
	Scope *Scope // grows with what is bound
	Where *Site  // goes into each statement made
	Attrs []Attr
	Certs []Var
	stms  []*Stm
}

// NewBuilder makes a builder for code of f, with f's variables in scope.
func NewBuilder(f *Fun, scope *Scope) *Builder {
	if scope == nil {
		scope = &Scope{}
	}
	return &Builder{Fun: f, Scope: scope}
}

// Nested makes a builder for a body inside the code of b. It starts without
// attributes and certificates.
func (b *Builder) Nested() *Builder {
	return &Builder{Fun: b.Fun, Scope: b.Scope, Where: b.Where}
}

// Build runs f with a nested builder and returns the body of its statements,
// with the results that f returns.
func (b *Builder) Build(f func(b *Builder) []Operand) *Body {
	in := b.Nested()
	res := f(in)
	return in.Body(res...)
}

// Body is the body of the statements made so far, with the given results.
func (b *Builder) Body(res ...Operand) *Body { return &Body{Stms: b.stms, Res: res} }

// Stms are the statements made so far.
func (b *Builder) Stms() []*Stm { return b.stms }

// Add appends finished statements.
func (b *Builder) Add(stms ...*Stm) {
	for _, s := range stms {
		b.Scope.BindAll(s.Dst)
		b.stms = append(b.stms, s)
	}
}

// Param makes a fresh variable of type t and puts it in scope, unbound yet.
func (b *Builder) Param(base string, t Type) Param {
	p := Param{Var: b.Fun.Fresh(base), Type: t}
	b.Scope.Bind(p)
	return p
}

// Bind adds a statement that binds dst.
func (b *Builder) Bind(dst []Param, e Exp) {
	b.Scope.BindAll(dst)
	aux := Aux{Where: b.Where, Attrs: b.Attrs, Certs: b.Certs}
	b.stms = append(b.stms, &Stm{Dst: dst, Exp: e, Aux: aux})
}

// LetN binds the results of e, whose types must be inferable, to fresh
// variables with a base name.
func (b *Builder) LetN(base string, e Exp) []Operand {
	ts, ok := b.Scope.Infer(e)
	if !ok {
		panic("core: Builder.LetN: the types of this expression must be given")
	}
	return b.LetTypes(base, ts, e)
}

// LetTypes binds the results of e, of the given types, to fresh variables.
func (b *Builder) LetTypes(base string, ts []Type, e Exp) []Operand {
	dst := make([]Param, len(ts))
	for i, t := range ts {
		dst[i] = b.Param(base, t)
	}
	b.Bind(dst, e)
	return Vars(ParamVars(dst))
}

// Let binds the one result of e to a fresh variable.
func (b *Builder) Let(base string, e Exp) Operand { return b.LetN(base, e)[0] }

// LetVar is Let for results that are arrays, accumulators or certificates.
func (b *Builder) LetVar(base string, e Exp) Var { return b.Let(base, e).Var }

// TypeOf is the type of an operand.
func (b *Builder) TypeOf(o Operand) Type { return b.Scope.OperandType(o) }

// Rows are the types of the elements of arrays.
func (b *Builder) Rows(arrays []Var) []Type {
	ts := make([]Type, len(arrays))
	for i, a := range arrays {
		ts[i] = b.Scope.TypeOf(a).Row(1)
	}
	return ts
}

// Un applies a unary operator; constants fold.
func (b *Builder) Un(op prim.UnOp, x Operand) Operand {
	t := b.Scope.scalarOf(x)
	if x.IsConst() {
		return C(prim.EvalUn(op, x.Const))
	}
	return b.Let("t", &Un{op, t, x})
}

// Bin applies a binary operator at the type of x; constants fold.
func (b *Builder) Bin(op prim.BinOp, x, y Operand) Operand {
	t := b.Scope.scalarOf(x)
	if x.IsConst() && y.IsConst() {
		if v, err := prim.EvalBin(op, x.Const, y.Const); err == nil {
			return C(v)
		}
	}
	return b.Let("t", &Bin{op, t, x, y})
}

// Cmp compares at the type of x; constants fold.
func (b *Builder) Cmp(op prim.CmpOp, x, y Operand) Operand {
	t := b.Scope.scalarOf(x)
	if x.IsConst() && y.IsConst() {
		return Bool(prim.EvalCmp(op, x.Const, y.Const))
	}
	return b.Let("c", &Cmp{op, t, x, y})
}

// Conv converts a scalar; constants fold, and nothing happens when it already
// has the type.
func (b *Builder) Conv(x Operand, to prim.Type) Operand {
	from := b.Scope.scalarOf(x)
	switch {
	case from == to:
		return x
	case x.IsConst():
		return C(prim.Convert(to, x.Const))
	}
	return b.Let("t", &Conv{from, to, x})
}

// Add64 is x + y for sizes and indices, which are i64.
func (b *Builder) Add64(x, y Operand) Operand { return b.size(prim.Add, x, y, 0) }

// Sub64 is x - y.
func (b *Builder) Sub64(x, y Operand) Operand { return b.size(prim.Sub, x, y, 0) }

// Mul64 is x * y.
func (b *Builder) Mul64(x, y Operand) Operand { return b.size(prim.Mul, x, y, 1) }

func (b *Builder) size(op prim.BinOp, x, y Operand, unit int64) Operand {
	if n, ok := y.ConstInt(); ok && n == unit {
		return x
	}
	if n, ok := x.ConstInt(); ok && n == unit && op != prim.Sub {
		return y
	}
	return b.Bin(op, x, y)
}

// Product multiplies sizes.
func (b *Builder) Product(sizes ...Operand) Operand {
	p := Int(1)
	for _, s := range sizes {
		p = b.Mul64(p, s)
	}
	return p
}

// Index reads array at the given outer indices: a scalar, or a row.
func (b *Builder) Index(base string, array Var, is ...Operand) Operand {
	if len(is) == 0 {
		return V(array)
	}
	return b.Let(base, &Index{array, FullSlice(b.Scope.TypeOf(array), is...)})
}

// Update writes value at the given outer indices of array, in place.
func (b *Builder) Update(array Var, value Operand, is ...Operand) Var {
	sl := FullSlice(b.Scope.TypeOf(array), is...)
	return b.LetVar(b.Fun.Base(array), &Update{array, sl, value})
}

// Compose returns the slice of an array that outer selects of what inner selects of it.
func (b *Builder) Compose(inner, outer Slice) Slice {
	sl := make(Slice, len(inner))
	k := 0
	for d, dim := range inner {
		if dim.Fix {
			sl[d] = dim
			continue
		}
		o := outer[k]
		k++
		off := b.Add64(dim.Off, b.Mul64(o.Off, dim.Stride))
		if o.Fix {
			sl[d] = Fix(off)
		} else {
			sl[d] = Range(off, o.Len, b.Mul64(o.Stride, dim.Stride))
		}
	}
	return sl
}

// FullSlice fixes the outer indices of an array of type t and takes all of
// its other dimensions.
func FullSlice(t Type, is ...Operand) Slice {
	sl := make(Slice, 0, len(t.Shape))
	for _, i := range is {
		sl = append(sl, Fix(i))
	}
	for _, n := range t.Shape[len(is):] {
		sl = append(sl, Range(Int(0), n, Int(1)))
	}
	return sl
}

// If adds a conditional whose results have types ret; result types may not
// have sizes of their own: use IfParams for that.
func (b *Builder) If(base string, cond Operand, ret []Type, then, els func(b *Builder) []Operand) []Operand {
	return b.LetTypes(base, ret, &If{cond, b.Build(then), b.Build(els)})
}

// IfParams adds a conditional that binds dst, whose types may mention each
// other.
func (b *Builder) IfParams(dst []Param, cond Operand, then, els func(b *Builder) []Operand) {
	b.Bind(dst, &If{cond, b.Build(then), b.Build(els)})
}

// Lambda makes a lambda with fresh parameters of the given types.
func (b *Builder) Lambda(base string, params, ret []Type, f func(b *Builder, ps []Operand) []Operand) *Lambda {
	ps := make([]Param, len(params))
	for i, t := range params {
		ps[i] = b.Param(base, t)
	}
	return b.LambdaOf(ps, ret, f)
}

// LambdaOf makes a lambda with the given parameters.
func (b *Builder) LambdaOf(ps []Param, ret []Type, f func(b *Builder, ps []Operand) []Operand) *Lambda {
	b.Scope.BindAll(ps)
	body := b.Build(func(b *Builder) []Operand { return f(b, Vars(ParamVars(ps))) })
	return &Lambda{Params: ps, Body: body, Ret: ret}
}

// Identity is the lambda that returns its parameters.
func (b *Builder) Identity(ts []Type) *Lambda {
	return b.Lambda("x", ts, ts, func(_ *Builder, ps []Operand) []Operand { return ps })
}

// Apply adds the code of a lambda applied to arguments and returns its results;
// the lambda must not be used elsewhere unless fresh says to rename it.
func (b *Builder) Apply(l *Lambda, fresh bool, args ...Operand) []Operand {
	sub := Subst{}
	for i, p := range l.Params {
		sub[p.Var] = args[i]
	}
	if fresh {
		return b.Splice(l.Body, sub)
	}
	return b.splice(sub.Body(l.Body))
}

// Splice adds a copy of a body of b's function, with fresh names, in which variables are replaced, and returns its results.
func (b *Builder) Splice(body *Body, sub Subst) []Operand {
	return b.splice(NewRenamer(b.Fun, b.Fun, sub).Body(body))
}

// splice adds a body that is used nowhere else.
func (b *Builder) splice(body *Body) []Operand {
	b.Scope.BindBody(body)
	b.Add(body.Stms...)
	return body.Res
}

// ForLoop adds a counting loop over i64. The parameters and init are given;
// f makes the body from the index and the parameters.
func (b *Builder) ForLoop(ps []Param, init []Operand, bound Operand,
	f func(b *Builder, i Operand, ps []Operand) []Operand,
) []Operand {
	i := b.Param("i", I64)
	b.Scope.BindAll(ps)
	body := b.Build(func(b *Builder) []Operand { return f(b, V(i.Var), Vars(ParamVars(ps))) })
	loop := &Loop{Params: ps, Init: init, Index: i, Bound: bound, Body: body}
	return Vars(ParamVars(b.bindLike(ps, loop)))
}

// WhileLoop adds a loop that runs as long as parameter cond is true.
func (b *Builder) WhileLoop(ps []Param, init []Operand, cond Var,
	f func(b *Builder, ps []Operand) []Operand,
) []Operand {
	b.Scope.BindAll(ps)
	body := b.Build(func(b *Builder) []Operand { return f(b, Vars(ParamVars(ps))) })
	return Vars(ParamVars(b.bindLike(ps, &Loop{Params: ps, Init: init, While: cond, Body: body})))
}

// bindLike binds e to fresh variables named and typed like ps, where types
// that mention ps mention the fresh variables instead.
func (b *Builder) bindLike(ps []Param, e Exp) []Param {
	dst := FreshParams(b.Fun, ps)
	b.Bind(dst, e)
	return dst
}

// FreshParams copies parameters that may mention each other, with new names.
func FreshParams(f *Fun, ps []Param) []Param { return NewRenamer(f, f, nil).mapper().Params(ps) }

// Assert adds a check and returns its certificate.
func (b *Builder) Assert(cond Operand, msg ...MsgPart) Var {
	return b.LetVar("ok", &Assert{cond, msg})
}

// WithCerts runs f while statements made by b list more certificates.
func (b *Builder) WithCerts(certs []Var, f func()) {
	old := b.Certs
	b.Certs = append(append([]Var(nil), old...), certs...)
	f()
	b.Certs = old
}
