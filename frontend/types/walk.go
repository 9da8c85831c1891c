package types

import (
	"fmt"
	"slices"
)

// Mapper says what MapExp does to the direct parts of an expression. A nil function leaves those parts alone.
type Mapper struct {
	Exp  func(Exp) Exp
	Type func(Type) Type
	Size func(Size) Size
	Pat  func(Pat) Pat
	Def  func(*Def) *Def
}

func (m Mapper) exp(e Exp) Exp {
	if e == nil || m.Exp == nil {
		return e
	}
	return m.Exp(e)
}

func (m Mapper) exps(es []Exp) []Exp {
	out := make([]Exp, len(es))
	for i, e := range es {
		out[i] = m.exp(e)
	}
	return out
}

func (m Mapper) typ(t Type) Type {
	if t == nil || m.Type == nil {
		return t
	}
	return m.Type(t)
}

func (m Mapper) info(i Info) Info { return Info{m.typ(i.Type), i.Ext, i.At} }

func (m Mapper) args(args []TypeArg) []TypeArg {
	out := make([]TypeArg, len(args))
	for i, a := range args {
		switch {
		case a.Type != nil:
			out[i] = TypeArg{Type: m.typ(a.Type)}
		case m.Size != nil:
			out[i] = TypeArg{Size: m.Size(a.Size)}
		default:
			out[i] = a
		}
	}
	return out
}

func (m Mapper) pat(p Pat) Pat {
	if m.Pat != nil {
		return m.Pat(p)
	}
	if m.Type != nil {
		return MapPat(p, m)
	}
	return p
}

func (m Mapper) ret(r RetType) RetType { return RetType{r.Ext, m.typ(r.Type)} }

func (m Mapper) params(ps []*Param) []*Param {
	out := make([]*Param, len(ps))
	for i, p := range ps {
		out[i] = &Param{p.Sizes, m.pat(p.Pat)}
	}
	return out
}

// Dims applies m.Exp to the parts of an index.
func (m Mapper) Dims(ds []Dim) []Dim {
	out := make([]Dim, len(ds))
	for i, d := range ds {
		out[i] = Dim{m.exp(d.Index), m.exp(d.Start), m.exp(d.End), m.exp(d.Stride)}
	}
	return out
}

// MapDef applies m to the direct parts of d: parameters, result type and body.
func MapDef(d *Def, m Mapper) *Def {
	out := *d
	out.Params, out.Ret, out.Body = m.params(d.Params), m.ret(d.Ret), m.exp(d.Body)
	return &out
}

// MapPat applies m to the type of p and to its parts, at every depth.
func MapPat(p Pat, m Mapper) Pat {
	info := PatInfo{m.typ(p.Base().Type), p.Base().At}
	switch p := p.(type) {
	case *VarPat:
		return &VarPat{info, p.Sym}
	case *WildPat:
		return &WildPat{info}
	case *RecordPat:
		fields := make([]FieldPat, len(p.Fields))
		for i, f := range p.Fields {
			fields[i] = FieldPat{f.Name, m.pat(f.Pat)}
		}
		return &RecordPat{info, fields}
	case *LitPat:
		return &LitPat{info, p.Value}
	case *CtorPat:
		args := make([]Pat, len(p.Args))
		for i, a := range p.Args {
			args[i] = m.pat(a)
		}
		return &CtorPat{info, p.Ctor, args}
	case *AttrPat:
		return &AttrPat{info, p.Attr, m.pat(p.Pat)}
	default:
		panic(fmt.Sprintf("types.MapPat: %T", p))
	}
}

// MapExp makes a copy of e in which m has been applied to its direct parts: subexpressions, types, patterns, sizes in type
// arguments. It is the one place that knows the shape of every expression.
func MapExp(e Exp, m Mapper) Exp {
	info := m.info(*e.Base())
	switch e := e.(type) {
	case *Const:
		return &Const{info, e.Value}
	case *ArrayConst:
		return &ArrayConst{info, e.Values}
	case *Ref:
		return &Ref{info, e.Sym, m.args(e.Args)}
	case *RecordLit:
		fields := make([]FieldExp, len(e.Fields))
		for i, f := range e.Fields {
			fields[i] = FieldExp{f.Name, m.exp(f.Exp)}
		}
		return &RecordLit{info, fields}
	case *ArrayLit:
		return &ArrayLit{info, m.exps(e.Elems)}
	case *Project:
		return &Project{info, m.exp(e.Exp), e.Field}
	case *Construct:
		return &Construct{info, e.Ctor, m.exps(e.Args)}
	case *Update:
		path := make([]Step, len(e.Path))
		for i, s := range e.Path {
			path[i] = s
			if s.Dims != nil {
				path[i].Dims = m.Dims(s.Dims)
			}
		}
		return &Update{info, m.exp(e.Src), path, m.exp(e.Value)}
	case *Index:
		return &Index{info, m.exp(e.Array), m.Dims(e.Dims)}
	case *Op:
		return &Op{info, e.Op, m.exps(e.Args)}
	case *Equal:
		return &Equal{info, m.exp(e.X), m.exp(e.Y), e.Negate}
	case *Builtin:
		return &Builtin{info, e.Fn, m.args(e.TypeArgs), m.exps(e.Args)}
	case *Range:
		return &Range{info, e.Kind, m.exp(e.First), m.exp(e.Second), m.exp(e.Last)}
	case *Coerce:
		return &Coerce{info, m.exp(e.Exp)}
	case *Assert:
		return &Assert{info, m.exp(e.Cond), m.exp(e.Body), e.Text}
	case *Attributed:
		return &Attributed{info, e.Attr, m.exp(e.Exp)}
	case *Hole:
		return &Hole{info}
	default:
		return mapControl(e, info, m)
	}
}

// mapControl is MapExp for functions, binders and control flow.
func mapControl(e Exp, info Info, m Mapper) Exp {
	switch e := e.(type) { //nolint:gochecksumtype // the second half of MapExp's switch
	case *Lambda:
		return &Lambda{info, m.params(e.Params), m.ret(e.Ret), m.exp(e.Body)}
	case *Apply:
		return &Apply{info, m.exp(e.Fun), m.exps(e.Args)}
	case *If:
		return &If{info, m.exp(e.Cond), m.exp(e.Then), m.exp(e.Else)}
	case *Match:
		cases := make([]Case, len(e.Cases))
		for i, c := range e.Cases {
			cases[i] = Case{m.pat(c.Pat), m.exp(c.Body), c.At}
		}
		return &Match{info, m.exp(e.Exp), cases}
	case *Let:
		return &Let{info, e.Sizes, m.pat(e.Pat), m.exp(e.Exp), m.exp(e.Body)}
	case *LetFun:
		def := e.Def
		if m.Def != nil {
			def = m.Def(def)
		} else {
			def = MapDef(def, m)
		}
		return &LetFun{info, def, m.exp(e.Body)}
	case *Loop:
		return &Loop{info, e.Sizes, m.pat(e.Pat), m.exp(e.Init), m.form(e.Form), m.exp(e.Body)}
	default:
		panic(fmt.Sprintf("types.MapExp: %T", e))
	}
}

func (m Mapper) form(f LoopForm) LoopForm {
	switch f := f.(type) {
	case *For:
		return &For{f.Sym, m.exp(f.Bound)}
	case *ForIn:
		return &ForIn{m.pat(f.Pat), m.exp(f.Array)}
	case *While:
		return &While{m.exp(f.Cond)}
	default:
		panic(fmt.Sprintf("types.MapExp: %T", f))
	}
}

// MapParts returns t with typ applied to the types directly in it and size, unless it is nil, to the sizes: t itself where they stay. Names
// that a function type binds stay. AnyPart asks about parts.
func MapParts(t Type, typ func(Type) Type, size func(Size) Size) Type {
	m := Mapper{Type: typ, Size: size}
	switch t := Force(t).(type) {
	case *Prim, *Var, *Meta:
		return t
	case *Array:
		d := t.Size
		if size != nil {
			d = size(d)
		}
		elem := typ(t.Elem)
		if d == t.Size && elem == t.Elem {
			return t
		}
		return &Array{t.Unique, d, elem}
	case *Record:
		fields := t.Fields
		for i, f := range t.Fields {
			if u := typ(f.Type); u != f.Type {
				fields = unshared(fields, t.Fields)
				fields[i].Type = u
			}
		}
		if sameList(fields, t.Fields) {
			return t
		}
		return &Record{fields}
	case *Sum:
		return mapSum(t, typ)
	case *Arrow:
		param, ret := typ(t.Param), typ(t.Ret.Type)
		if param == t.Param && ret == t.Ret.Type {
			return t
		}
		return &Arrow{t.Name, param, RetType{t.Ret.Ext, ret}}
	case *Con:
		if len(t.Args) == 0 {
			return t
		}
		return &Con{t.Unique, t.Con, m.args(t.Args)}
	default:
		panic(fmt.Sprintf("types.MapParts: %T", t))
	}
}

// mapSum is MapParts for a sum.
func mapSum(t *Sum, typ func(Type) Type) Type {
	ctors := t.Ctors
	for i, c := range t.Ctors {
		args := c.Args
		for j, a := range c.Args {
			if u := typ(a); u != a {
				args = unshared(args, c.Args)
				args[j] = u
			}
		}
		if !sameList(args, c.Args) {
			ctors = unshared(ctors, t.Ctors)
			ctors[i].Args = args
		}
	}
	if sameList(ctors, t.Ctors) {
		return t
	}
	return &Sum{ctors}
}

// unshared is a list that is going to change: a copy, if it still is the list that others have.
func unshared[T any](list, others []T) []T {
	if sameList(list, others) {
		return slices.Clone(others)
	}
	return list
}

// sameList reports whether one list is the other, and not a copy of it.
func sameList[T any](xs, ys []T) bool { return len(xs) == 0 || &xs[0] == &ys[0] }

// AnyPart reports whether f holds for one of the types directly in t, and asks no further when it does. Unsolved variables have no parts.
func AnyPart(t Type, f func(Type) bool) bool {
	switch t := Force(t).(type) {
	case *Prim, *Var, *Meta:
		return false
	case *Array:
		return f(t.Elem)
	case *Record:
		return slices.ContainsFunc(t.Fields, func(field Field) bool { return f(field.Type) })
	case *Sum:
		return slices.ContainsFunc(t.Ctors, func(c Ctor) bool { return slices.ContainsFunc(c.Args, f) })
	case *Arrow:
		return f(t.Param) || f(t.Ret.Type)
	case *Con:
		return slices.ContainsFunc(t.Args, func(a TypeArg) bool { return a.Type != nil && f(a.Type) })
	default:
		panic(fmt.Sprintf("types.AnyPart: %T", t))
	}
}

// Children calls f on each direct subexpression of e in order of evaluation; the body of a LetFun's definition included.
func Children(e Exp, f func(Exp)) {
	MapExp(e, Mapper{Exp: func(c Exp) Exp { f(c); return c }})
}

// Walk calls f on e and, as long as f returns true, on everything below it.
func Walk(e Exp, f func(Exp) bool) {
	if f(e) {
		Children(e, func(c Exp) { Walk(c, f) })
	}
}

// Variable returns the variable that a pattern is as a whole, or nil.
func Variable(p Pat) *Symbol {
	switch p := p.(type) {
	case *VarPat:
		return p.Sym
	case *AttrPat:
		return Variable(p.Pat)
	default:
		return nil
	}
}

// PatSymbols returns the variables that p binds, from left to right.
func PatSymbols(p Pat) []*Symbol {
	var syms []*Symbol
	var walk func(Pat)
	walk = func(p Pat) {
		switch p := p.(type) {
		case *VarPat:
			syms = append(syms, p.Sym)
		case *RecordPat:
			for _, f := range p.Fields {
				walk(f.Pat)
			}
		case *CtorPat:
			for _, a := range p.Args {
				walk(a)
			}
		case *AttrPat:
			walk(p.Pat)
		case *WildPat, *LitPat:
		default:
			panic(fmt.Sprintf("types.PatSymbols: %T", p))
		}
	}
	walk(p)
	return syms
}

// BoundHere returns the symbols that e itself binds, not those that its subexpressions do. A LetFun's definition counts as one.
func BoundHere(e Exp) []*Symbol {
	syms := append([]*Symbol(nil), e.Base().Ext...)
	switch e := e.(type) {
	case *Let:
		syms = append(syms, e.Sizes...)
		syms = append(syms, PatSymbols(e.Pat)...)
	case *LetFun:
		syms = append(syms, e.Def.Sym)
	case *Lambda:
		syms = append(syms, paramBinders(e.Params)...)
		syms = append(syms, e.Ret.Ext...)
	case *Loop:
		syms = append(syms, e.Sizes...)
		syms = append(syms, PatSymbols(e.Pat)...)
		syms = append(syms, formBinders(e.Form)...)
	case *Match:
		for _, c := range e.Cases {
			syms = append(syms, PatSymbols(c.Pat)...)
		}
	default:
	}
	return syms
}
