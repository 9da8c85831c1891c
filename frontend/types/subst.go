package types

import (
	"fmt"
	"slices"
)

// Subst says what type parameters and size symbols stand for. A nil map stands for nothing.
type Subst struct {
	Types map[*TypeParam]Type
	Sizes map[*Symbol]Size
}

// Bind makes the substitution of params by the arguments args, which correspond one to one.
func Bind(params []*TypeParam, args []TypeArg) Subst {
	s := Subst{map[*TypeParam]Type{}, map[*Symbol]Size{}}
	for i, p := range params {
		if p.IsSize() {
			s.Sizes[p.Size] = args[i].Size
		} else {
			s.Types[p] = args[i].Type
		}
	}
	return s
}

// Type applies s to t. A unique occurrence of a parameter makes what it stands for unique (WithUnique). Parts of t
// that s does not touch are shared.
func (s Subst) Type(t Type) Type {
	switch t := Force(t).(type) {
	case *Array:
		size, elem := s.Size(t.Size), s.Type(t.Elem)
		if size == t.Size && elem == t.Elem {
			return t
		}
		return &Array{t.Unique, size, elem}
	case *Arrow:
		name, param, ret := s.binder(t.Name), s.Type(t.Param), s.RetType(t.Ret)
		if name == t.Name && param == t.Param && ret.Type == t.Ret.Type && slices.Equal(ret.Ext, t.Ret.Ext) {
			return t
		}
		return &Arrow{name, param, ret}
	case *Var:
		to, ok := s.Types[t.Param]
		switch {
		case !ok:
			return t
		case t.Unique:
			return WithUnique(to, MadeUnique)
		default:
			return to
		}
	default:
		return MapParts(t, s.Type, s.Size)
	}
}

// RetType applies s to r. Where s renames r's own existential sizes, they are renamed where they are bound, too.
func (s Subst) RetType(r RetType) RetType {
	if len(r.Ext) == 0 {
		return RetType{r.Ext, s.Type(r.Type)}
	}
	ext := make([]*Symbol, len(r.Ext))
	for i, sym := range r.Ext {
		ext[i] = s.binder(sym)
	}
	return RetType{ext, s.Type(r.Type)}
}

// binder is the symbol that s renames sym to, if it does.
func (s Subst) binder(sym *Symbol) *Symbol {
	if to, ok := s.Sizes[sym].(*SizeName); ok && sym != nil {
		return to.Sym
	}
	return sym
}

// Arg applies s to a type argument.
func (s Subst) Arg(a TypeArg) TypeArg {
	if a.Size != nil {
		return TypeArg{Size: s.Size(a.Size)}
	}
	return TypeArg{Type: s.Type(a.Type)}
}

// Size applies s to d.
func (s Subst) Size(d Size) Size {
	switch d := d.(type) {
	case *SizeConst, *AnySize:
		return d
	case *SizeName:
		if to, ok := s.Sizes[d.Sym]; ok {
			return to
		}
		return d
	case *SizeExp:
		if s.opens(d.Exp) {
			return &AnySize{}
		}
		return ExpToSize(s.Exp(d.Exp))
	default:
		panic(fmt.Sprintf("types.Subst: %T", d))
	}
}

// opens reports whether s leaves out a size that e is computed from.
func (s Subst) opens(e Exp) bool {
	open := false
	Walk(e, func(e Exp) bool {
		if ref, ok := e.(*Ref); ok {
			_, left := s.Sizes[ref.Sym].(*AnySize)
			open = open || left
		}
		return !open
	})
	return open
}

// Exp applies s to the types and sizes inside e, and replaces references to size symbols by what they stand for. A parameter
// that s renames is renamed where a lambda in e binds it, too.
func (s Subst) Exp(e Exp) Exp {
	if len(s.Types) == 0 && len(s.Sizes) == 0 {
		return e
	}
	if ref, ok := e.(*Ref); ok && len(ref.Args) == 0 {
		if to, ok := s.Sizes[ref.Sym]; ok {
			if n, ok := to.(*SizeName); ok {
				// What a size expression is about need not be an i64: [length xs].
				return &Ref{Info{Type: s.Type(ref.Type), At: ref.At}, n.Sym, nil}
			}
			return SizeToExp(to, ref.At)
		}
	}
	return MapExp(e, Mapper{Exp: s.Exp, Type: s.Type, Size: s.Size, Pat: s.pat})
}

func (s Subst) pat(p Pat) Pat {
	if v, ok := p.(*VarPat); ok {
		return &VarPat{PatInfo{s.Type(v.Type), v.At}, s.binder(v.Sym)}
	}
	return MapPat(p, Mapper{Type: s.Type, Pat: s.pat})
}

// What WithUnique makes of a type.
const (
	MadeUnique = true
	NotUnique  = false
)

// WithUnique returns t with uniqueness set or cleared on every array, parameter and abstract type in it that is not
// below a function arrow: what a `*` in front of t means.
func WithUnique(t Type, unique bool) Type {
	switch t := Force(t).(type) {
	case *Array:
		return &Array{unique, t.Size, t.Elem}
	case *Var:
		return &Var{unique, t.Param}
	case *Con:
		return &Con{unique, t.Con, t.Args}
	case *Arrow:
		return t
	default:
		return MapParts(t, func(t Type) Type { return WithUnique(t, unique) }, nil)
	}
}

// IsUnique reports whether any part of t outside functions is marked unique: a parameter of such a type is consumed.
func IsUnique(t Type) bool {
	switch t := Force(t).(type) {
	case *Array:
		return t.Unique
	case *Var:
		return t.Unique
	case *Con:
		return t.Unique
	case *Record:
		for _, f := range t.Fields {
			if IsUnique(f.Type) {
				return true
			}
		}
	case *Sum:
		for _, c := range t.Ctors {
			for _, a := range c.Args {
				if IsUnique(a) {
					return true
				}
			}
		}
	default:
	}
	return false
}

// HasFunctions reports whether values of t contain functions.
func HasFunctions(t Type) bool {
	switch t := Force(t).(type) {
	case *Arrow:
		return true
	case *Record:
		for _, f := range t.Fields {
			if HasFunctions(f.Type) {
				return true
			}
		}
	case *Sum:
		for _, c := range t.Ctors {
			for _, a := range c.Args {
				if HasFunctions(a) {
					return true
				}
			}
		}
	default:
	}
	return false
}

// Represent expands the abstract types in t to what they stand for, at every depth.
func Represent(t Type) Type {
	con, ok := Force(t).(*Con)
	if !ok || con.Con.Repr == nil {
		return MapParts(t, Represent, nil)
	}
	r := Represent(Bind(con.Con.Params, con.Args).Type(con.Con.Repr))
	if con.Unique {
		return WithUnique(r, MadeUnique)
	}
	return r
}
