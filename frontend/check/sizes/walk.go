package sizes

import (
	"fmt"
	"slices"

	"skald/frontend/types"
)

// mapSizes applies f to every size in t; parts without sizes are shared.
func mapSizes(t types.Type, f func(types.Size) types.Size) types.Type {
	return sizeMapper{f, func(s *types.Symbol) *types.Symbol { return s }}.typ(t)
}

// sizeMapper applies functions to every size in a type, and to the parameters (nil where they have no name) that function types in it bind.
type sizeMapper struct {
	size   func(types.Size) types.Size
	binder func(*types.Symbol) *types.Symbol
}

// typ returns t with the functions applied; parts without sizes are shared.
func (m sizeMapper) typ(t types.Type) types.Type {
	switch t := types.Force(t).(type) {
	case *types.Prim, *types.Var, *types.Meta:
		return t
	case *types.Array:
		size, elem := m.size(t.Size), m.typ(t.Elem)
		if size == t.Size && elem == t.Elem {
			return t
		}
		return &types.Array{Unique: t.Unique, Size: size, Elem: elem}
	case *types.Record:
		return m.record(t)
	case *types.Sum:
		ctors := make([]types.Ctor, len(t.Ctors))
		for i, c := range t.Ctors {
			args := make([]types.Type, len(c.Args))
			for j, a := range c.Args {
				args[j] = m.typ(a)
			}
			ctors[i] = types.Ctor{Name: c.Name, Args: args}
		}
		return &types.Sum{Ctors: ctors}
	case *types.Arrow:
		return &types.Arrow{
			Name: m.binder(t.Name), Param: m.typ(t.Param),
			Ret: types.RetType{Ext: t.Ret.Ext, Type: m.typ(t.Ret.Type)},
		}
	case *types.Con:
		if len(t.Args) == 0 {
			return t
		}
		args := make([]types.TypeArg, len(t.Args))
		for i, a := range t.Args {
			args[i] = m.arg(a)
		}
		return &types.Con{Unique: t.Unique, Con: t.Con, Args: args}
	default:
		panic(fmt.Sprintf("sizes.mapSizes: %T", t))
	}
}

func (m sizeMapper) record(t *types.Record) types.Type {
	changed := false
	fields := make([]types.Field, len(t.Fields))
	for i, field := range t.Fields {
		fields[i] = types.Field{Name: field.Name, Type: m.typ(field.Type)}
		changed = changed || fields[i].Type != field.Type
	}
	if !changed {
		return t
	}
	return &types.Record{Fields: fields}
}

func (m sizeMapper) arg(a types.TypeArg) types.TypeArg {
	if a.Size != nil {
		return types.TypeArg{Size: m.size(a.Size)}
	}
	return types.TypeArg{Type: m.typ(a.Type)}
}

// position says where in a type a size occurs.
type position uint8

const (
	immediate position = iota // the shape of a value shows it
	inParam                   // in the parameter of a function
	inResult                  // in the result of a function
)

// eachSize calls f for every size in t from left to right, except those that are bound inside t, which f sees as
// bound.
func eachSize(t types.Type, f func(d types.Size, pos position, bound []*types.Symbol)) {
	walkSizes(t, immediate, nil, f)
}

func walkSizes(t types.Type, pos position, bound []*types.Symbol,
	f func(types.Size, position, []*types.Symbol),
) {
	switch t := types.Force(t).(type) {
	case *types.Prim, *types.Var, *types.Meta:
	case *types.Array:
		f(t.Size, pos, bound)
		walkSizes(t.Elem, pos, bound, f)
	case *types.Record:
		for _, field := range t.Fields {
			walkSizes(field.Type, pos, bound, f)
		}
	case *types.Sum:
		for _, c := range t.Ctors {
			for _, a := range c.Args {
				walkSizes(a, pos, bound, f)
			}
		}
	case *types.Arrow:
		walkSizes(t.Param, inParam, bound, f)
		inner := bound
		if len(t.Ret.Ext) > 0 || t.Name != nil {
			inner = append(append([]*types.Symbol{}, bound...), t.Ret.Ext...)
			if t.Name != nil {
				inner = append(inner, t.Name)
			}
		}
		walkSizes(t.Ret.Type, inResult, inner, f)
	case *types.Con:
		for _, a := range t.Args {
			if a.Size != nil {
				f(a.Size, pos, bound)
			} else {
				walkSizes(a.Type, pos, bound, f)
			}
		}
	default:
		panic(fmt.Sprintf("sizes.walkSizes: %T", t))
	}
}

// Whether expSymbols lists the sizes in type arguments, too.
const withArgs, withoutArgs = true, false

// expSymbols lists the variables that e mentions, and with args also those in the sizes at which it uses polymorphic
// functions. What binds variables in e are only functions that stand for operators.
func expSymbols(e types.Exp, args bool) []*types.Symbol {
	var syms, bound []*types.Symbol
	types.Walk(e, func(e types.Exp) bool {
		switch e := e.(type) {
		case *types.Lambda:
			for _, p := range e.Params {
				bound = append(bound, types.PatSymbols(p.Pat)...)
			}
		case *types.Ref:
			if !slices.Contains(bound, e.Sym) {
				syms = append(syms, e.Sym)
			}
			for _, a := range e.Args {
				if a.Size != nil && args {
					syms = append(syms, sizeSymbols(a.Size)...)
				}
			}
		default:
		}
		return true
	})
	return syms
}

// writtenSymbols lists the variables that d mentions, without the sizes at which polymorphic functions in it are
// used.
func writtenSymbols(d types.Size) []*types.Symbol {
	if x, ok := d.(*types.SizeExp); ok {
		return expSymbols(x.Exp, withoutArgs)
	}
	return sizeSymbols(d)
}

// sizeSymbols lists the variables that d mentions.
func sizeSymbols(d types.Size) []*types.Symbol {
	switch d := d.(type) {
	case *types.SizeName:
		return []*types.Symbol{d.Sym}
	case *types.SizeExp:
		return expSymbols(d.Exp, withArgs)
	default:
		return nil
	}
}

// freeSymbols lists the variables that the sizes of t mention, each once, without those bound in t.
func freeSymbols(t types.Type) []*types.Symbol {
	var syms []*types.Symbol
	eachSize(t, func(d types.Size, _ position, bound []*types.Symbol) {
		if n, ok := d.(*types.SizeName); ok {
			if !slices.Contains(syms, n.Sym) && !slices.Contains(bound, n.Sym) {
				syms = append(syms, n.Sym)
			}
			return
		}
		for _, sym := range sizeSymbols(d) {
			if !slices.Contains(syms, sym) && !slices.Contains(bound, sym) {
				syms = append(syms, sym)
			}
		}
	})
	return syms
}

// sizeUses returns the variables that t mentions as sizes of the value itself, and those in parameters of functions.
func sizeUses(t types.Type) (shown, params map[*types.Symbol]bool) {
	shown, params = map[*types.Symbol]bool{}, map[*types.Symbol]bool{}
	eachSize(t, func(d types.Size, pos position, bound []*types.Symbol) {
		for _, sym := range sizeSymbols(d) {
			if slices.Contains(bound, sym) {
				continue
			}
			switch pos {
			case immediate:
				shown[sym] = true
			case inParam:
				params[sym] = true
			case inResult:
			}
		}
	})
	return shown, params
}

// witnesses returns the variables that are by themselves a size of the value, so that its shape shows their
// value.
func witnesses(t types.Type) map[*types.Symbol]bool {
	w := map[*types.Symbol]bool{}
	eachSize(t, func(d types.Size, pos position, bound []*types.Symbol) {
		if n, ok := d.(*types.SizeName); ok && pos == immediate {
			w[n.Sym] = true
		}
	})
	return w
}

// isOperator reports whether a lambda stands for an operator in the source, so that its parameters are not names
// there.
func isOperator(e *types.Lambda) bool {
	for _, p := range e.Params {
		if p.Pat.Base().At != e.At {
			return false
		}
	}
	return true
}

// hasBinding reports whether e binds variables, so that it cannot be a size.
func hasBinding(e types.Exp) bool {
	found := false
	types.Walk(e, func(e types.Exp) bool {
		switch e := e.(type) {
		case *types.Lambda:
			found = found || !isOperator(e)
		case *types.Let, *types.LetFun, *types.Loop, *types.Match:
			found = true
		default:
		}
		return !found
	})
	return found
}
