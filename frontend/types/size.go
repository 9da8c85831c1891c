package types

import (
	"fmt"
	"slices"

	"skald/frontend/source"
	"skald/runtime/prim"
)

// MakesSizes reports whether d is computed by an expression that makes sizes on its way (Info.Ext), such as length (xs[::2]).
func MakesSizes(d Size) bool {
	e, ok := d.(*SizeExp)
	if !ok {
		return false
	}
	found := false
	Walk(e.Exp, func(e Exp) bool {
		found = found || len(e.Base().Ext) > 0
		return !found
	})
	return found
}

// ExpToSize returns the size that e denotes: a constant or variable where e is one. What sizes are computed of may have another
// type than i64; a constant of another type is an expression, since a SizeConst has no type.
func ExpToSize(e Exp) Size {
	switch e := e.(type) {
	case *Const:
		if e.Value.Type() == prim.I64 {
			return &SizeConst{e.Value.Int()}
		}
	case *Ref:
		if len(e.Args) == 0 {
			return &SizeName{e.Sym}
		}
	default:
	}
	return &SizeExp{e}
}

// SizeToExp returns an expression of type i64 with the value of d; at is its place if d has none of its own. d must
// not be an AnySize.
func SizeToExp(d Size, at source.Span) Exp {
	info := Info{Type: I64, At: at}
	switch d := d.(type) {
	case *SizeConst:
		return &Const{info, prim.MakeI64(d.N)}
	case *SizeName:
		return &Ref{info, d.Sym, nil}
	case *SizeExp:
		return d.Exp
	case *AnySize:
		panic("types.SizeToExp: a size that is not known: " + d.String())
	default:
		panic(fmt.Sprintf("types.SizeToExp: %T", d))
	}
}

// EqualSize reports whether a and b are the same size as written: the same constant, the same variable, or
// expressions that EqualExp finds equal. An AnySize is equal to itself alone.
func EqualSize(a, b Size) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *SizeConst:
		b, ok := b.(*SizeConst)
		return ok && a.N == b.N
	case *SizeName:
		b, ok := b.(*SizeName)
		return ok && a.Sym == b.Sym
	case *SizeExp:
		b, ok := b.(*SizeExp)
		return ok && EqualExp(a.Exp, b.Exp)
	default:
		return false
	}
}

// EqualExp reports whether two size expressions are equal as written, up to places and types. Only the forms that are
// worth comparing are looked into; others are equal to themselves alone.
func EqualExp(a, b Exp) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *Const:
		b, ok := b.(*Const)
		return ok && a.Value == b.Value
	case *ArrayConst:
		b, ok := b.(*ArrayConst)
		return ok && slices.Equal(a.Values, b.Values)
	case *Ref:
		b, ok := b.(*Ref)
		return ok && a.Sym == b.Sym && equalArgs(a.Args, b.Args)
	case *Op:
		b, ok := b.(*Op)
		return ok && a.Op == b.Op && equalExps(a.Args, b.Args)
	case *Apply:
		b, ok := b.(*Apply)
		return ok && EqualExp(a.Fun, b.Fun) && equalExps(a.Args, b.Args)
	case *Builtin:
		b, ok := b.(*Builtin)
		return ok && a.Fn == b.Fn && equalExps(a.Args, b.Args)
	case *Project:
		b, ok := b.(*Project)
		return ok && a.Field == b.Field && EqualExp(a.Exp, b.Exp)
	case *Index:
		b, ok := b.(*Index)
		return ok && EqualExp(a.Array, b.Array) && equalDims(a.Dims, b.Dims)
	case *RecordLit:
		b, ok := b.(*RecordLit)
		return ok && equalFields(a.Fields, b.Fields)
	case *ArrayLit:
		b, ok := b.(*ArrayLit)
		return ok && equalExps(a.Elems, b.Elems)
	case *Construct:
		b, ok := b.(*Construct)
		return ok && a.Ctor == b.Ctor && equalExps(a.Args, b.Args)
	case *Lambda:
		b, ok := b.(*Lambda)
		return ok && equalLambdas(a, b)
	case *If:
		b, ok := b.(*If)
		return ok && EqualExp(a.Cond, b.Cond) && EqualExp(a.Then, b.Then) && EqualExp(a.Else, b.Else)
	default:
		return false
	}
}

func equalExps(as, bs []Exp) bool {
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		if !EqualExp(as[i], bs[i]) {
			return false
		}
	}
	return true
}

func equalArgs(as, bs []TypeArg) bool {
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		if (as[i].Size == nil) != (bs[i].Size == nil) {
			return false
		}
		if as[i].Size != nil && !EqualSize(as[i].Size, bs[i].Size) {
			return false
		}
	}
	return true
}

func equalDims(as, bs []Dim) bool {
	if len(as) != len(bs) {
		return false
	}
	for i, a := range as {
		b := bs[i]
		if !equalMaybe(a.Index, b.Index) || !equalMaybe(a.Start, b.Start) ||
			!equalMaybe(a.End, b.End) || !equalMaybe(a.Stride, b.Stride) {
			return false
		}
	}
	return true
}

func equalMaybe(a, b Exp) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return EqualExp(a, b)
}

// equalFields compares fields by name: {x = 1, y = 2} is {y = 2, x = 1}.
func equalFields(as, bs []FieldExp) bool {
	if len(as) != len(bs) {
		return false
	}
	for _, a := range as {
		i := slices.IndexFunc(bs, func(b FieldExp) bool { return b.Name == a.Name })
		if i < 0 || !EqualExp(a.Exp, bs[i].Exp) {
			return false
		}
	}
	return true
}

// equalLambdas compares functions of plain variables up to the names of these.
func equalLambdas(a, b *Lambda) bool {
	if len(a.Params) != len(b.Params) {
		return false
	}
	rename := Subst{Sizes: map[*Symbol]Size{}}
	for i := range a.Params {
		x, okX := a.Params[i].Pat.(*VarPat)
		y, okY := b.Params[i].Pat.(*VarPat)
		if !okX || !okY {
			return false
		}
		rename.Sizes[y.Sym] = &SizeName{x.Sym}
	}
	return EqualExp(a.Body, rename.Exp(b.Body))
}
