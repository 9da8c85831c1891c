package types

import "fmt"

// MapSizes replaces each size in t by what f returns for it, from the outside in and left to right. Sizes that a
// function type inside t binds itself, by the name of its parameter or as existential sizes of its result, are left alone.
func MapSizes(t Type, f func(Size) Size) Type { return sizeMapper{f: f}.typ(t) }

// SizesIn returns the sizes in t in the order in which MapSizes visits them.
func SizesIn(t Type) []Size {
	var sizes []Size
	MapSizes(t, func(d Size) Size {
		sizes = append(sizes, d)
		return d
	})
	return sizes
}

// sizeMapper is the state of MapSizes: the function, and the symbols bound by the function types around.
type sizeMapper struct {
	f     func(Size) Size
	bound []*Symbol
}

func (m sizeMapper) typ(t Type) Type {
	switch t := Force(t).(type) {
	case *Prim, *Var, *Meta:
		return t
	case *Array:
		size := m.size(t.Size)
		return &Array{t.Unique, size, m.typ(t.Elem)}
	case *Record:
		fields := make([]Field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = Field{f.Name, m.typ(f.Type)}
		}
		return &Record{fields}
	case *Sum:
		ctors := make([]Ctor, len(t.Ctors))
		for i, c := range t.Ctors {
			args := make([]Type, len(c.Args))
			for j, a := range c.Args {
				args[j] = m.typ(a)
			}
			ctors[i] = Ctor{c.Name, args}
		}
		return &Sum{ctors}
	case *Arrow:
		param := m.typ(t.Param)
		inner := sizeMapper{m.f, append(append([]*Symbol(nil), m.bound...), t.Ret.Ext...)}
		if t.Name != nil {
			inner.bound = append(inner.bound, t.Name)
		}
		return &Arrow{t.Name, param, RetType{t.Ret.Ext, inner.typ(t.Ret.Type)}}
	case *Con:
		args := make([]TypeArg, len(t.Args))
		for i, a := range t.Args {
			if a.Size != nil {
				args[i] = TypeArg{Size: m.size(a.Size)}
			} else {
				args[i] = TypeArg{Type: m.typ(a.Type)}
			}
		}
		return &Con{t.Unique, t.Con, args}
	default:
		panic(fmt.Sprintf("types.MapSizes: %T", t))
	}
}

func (m sizeMapper) size(d Size) Size {
	d = ForceSize(d)
	for _, s := range m.bound {
		if mentions(d, s) {
			return d
		}
	}
	return m.f(d)
}

// mentions reports whether d is or contains a reference to s.
func mentions(d Size, s *Symbol) bool {
	switch d := ForceSize(d).(type) {
	case *SizeName:
		return d.Sym == s
	case *SizeExp:
		found := false
		Walk(d.Exp, func(e Exp) bool {
			if ref, ok := e.(*Ref); ok && ref.Sym == s {
				found = true
			}
			return !found
		})
		return found
	default:
		return false
	}
}

// FuncOver returns the type of a function that takes an i64 for each of the named parameters and then is of type t, which may
// mention them.
func FuncOver(params []*Symbol, t Type) Type {
	for i := len(params) - 1; i >= 0; i-- {
		t = &Arrow{Name: params[i], Param: I64, Ret: RetType{Type: t}}
	}
	return t
}
