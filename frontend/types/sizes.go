package types

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
	arrow, ok := Force(t).(*Arrow)
	if !ok {
		return MapParts(t, m.typ, m.size)
	}
	inner := sizeMapper{m.f, append(append([]*Symbol(nil), m.bound...), arrow.Ret.Ext...)}
	if arrow.Name != nil {
		inner.bound = append(inner.bound, arrow.Name)
	}
	return &Arrow{arrow.Name, m.typ(arrow.Param), RetType{arrow.Ret.Ext, inner.typ(arrow.Ret.Type)}}
}

func (m sizeMapper) size(d Size) Size {
	for _, s := range m.bound {
		if mentions(d, s) {
			return d
		}
	}
	return m.f(d)
}

// mentions reports whether d is or contains a reference to s.
func mentions(d Size, s *Symbol) bool {
	switch d := d.(type) {
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
