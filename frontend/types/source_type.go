package types

import (
	"fmt"
	"slices"
	"strings"
)

// Note [Sizes in printed source]
//
// The typed program has more names for sizes than the language: an expression of any kind may give birth to a size, which types mention
// from there on (Note [Existential sizes]), but source text can name it only where a let or a parameter binds it. The printer keeps the
// variables that are in scope in the text. It binds a size by the first let whose pattern shows it, and leaves out
// of types what is not in scope: the checker then finds the size again, or a fresh one in its place.

// bind says that symbols are in scope from here on.
func (s *sourcePrinter) bind(syms ...*Symbol) {
	for _, sym := range syms {
		if !s.inScope[sym] {
			s.inScope[sym] = true
			s.bound = append(s.bound, sym)
		}
	}
}

// scoped prints with f; what f binds is in scope only there.
func (s *sourcePrinter) scoped(f func()) {
	mark := len(s.bound)
	f()
	for _, sym := range s.bound[mark:] {
		delete(s.inScope, sym)
	}
	s.bound = s.bound[:mark]
}

// knows reports whether a size can be written: all that it mentions is in scope, and it binds no variables.
func (s *sourcePrinter) knows(d Size) bool {
	switch d := d.(type) {
	case *SizeName:
		return s.inScope[d.Sym]
	case *SizeExp:
		known := true
		Walk(d.Exp, func(e Exp) bool {
			switch e := e.(type) {
			case *Ref:
				known = known && s.inScope[e.Sym]
			case *Lambda, *Let, *LetFun, *Loop, *Match:
				known = false
			default:
			}
			return known
		})
		return known
	default:
		return true
	}
}

// visibleSizes lists the variables that are the size of an array in t outside of functions: those that a pattern of type t binds.
func visibleSizes(t Type) []*Symbol {
	var syms []*Symbol
	var walk func(Type)
	walk = func(t Type) {
		switch t := Force(t).(type) {
		case *Arrow:
			return
		case *Array:
			if name, ok := t.Size.(*SizeName); ok && !slices.Contains(syms, name.Sym) {
				syms = append(syms, name.Sym)
			}
		default:
		}
		AnyPart(t, func(part Type) bool {
			walk(part)
			return false
		})
	}
	walk(Represent(t))
	return syms
}

// newSizes binds the sizes that a pattern of type t shows and that nothing has bound, and prints their binders.
func (s *sourcePrinter) newSizes(t Type) string {
	var b strings.Builder
	for _, sym := range visibleSizes(t) {
		if !s.inScope[sym] {
			s.bind(sym)
			b.WriteString("[" + s.name(sym) + "] ")
		}
	}
	return b.String()
}

// typeParams prints the parameters of a polymorphic definition and binds them.
func (s *sourcePrinter) typeParams(ps []*TypeParam) string {
	var b strings.Builder
	for _, p := range ps {
		if p.IsSize() {
			s.bind(p.Size)
			b.WriteString(" [" + s.name(p.Size) + "]")
			continue
		}
		b.WriteString(" '" + [...]string{Unlifted: "", SizeLifted: "~", FullLifted: "^"}[p.Lifted] + s.typeName(p))
	}
	return b.String()
}

// typeName returns the printed name of a type parameter, which no other has.
func (s *sourcePrinter) typeName(p *TypeParam) string {
	if n, ok := s.typeNames[p]; ok {
		return n
	}
	base := Identifier(p.Name)
	n := base
	for i := 1; s.usedTypes[n] || reserved[n]; i++ {
		n = fmt.Sprintf("%s_%d", base, i)
	}
	s.usedTypes[n] = true
	s.typeNames[p] = n
	return n
}

// ret prints the type of a function's result. Sizes that its arrays show are named as existential ones.
func (s *sourcePrinter) ret(r RetType) string {
	var out string
	s.scoped(func() {
		var ext strings.Builder
		visible := visibleSizes(r.Type)
		for _, sym := range r.Ext {
			if slices.Contains(visible, sym) {
				s.bind(sym)
				ext.WriteString("[" + s.name(sym) + "]")
			}
		}
		out = s.typ(r.Type)
		if ext.Len() > 0 {
			out = "?" + ext.String() + "." + out
		}
	})
	return out
}

// typ prints a type. No module hides what abstract types stand for any longer, so that is what is printed.
func (s *sourcePrinter) typ(t Type) string { return s.typeText(Represent(t)) }

func (s *sourcePrinter) typeText(t Type) string {
	switch t := Force(t).(type) {
	case *Prim, *Meta:
		return t.String()
	case *Array:
		return star(t.Unique) + "[" + s.size(t.Size) + "]" + s.typeAtom(t.Elem)
	case *Record:
		tuple := t.IsTuple()
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = s.typeText(f.Type)
			if !tuple {
				parts[i] = f.Name + ": " + parts[i]
			}
		}
		return bracket(tuple, parts)
	case *Sum:
		return s.sumText(t)
	case *Arrow:
		return s.arrowText(t)
	case *Var:
		return star(t.Unique) + s.typeName(t.Param)
	case *Con:
		out := star(t.Unique) + "intrinsics." + t.Con.Name // the only ones that stand for nothing else
		for _, a := range t.Args {
			out += " " + s.argText(a)
		}
		return out
	default:
		panic(fmt.Sprintf("types.Source: %T", t))
	}
}

// sumText prints a sum type. Its payloads cannot be marked as unique one by one.
func (s *sourcePrinter) sumText(t *Sum) string {
	unique := IsUnique(t)
	ctors := make([]string, len(t.Ctors))
	for i, c := range t.Ctors {
		ctors[i] = "#" + c.Name
		for _, a := range c.Args {
			text := s.typeText(WithUnique(a, NotUnique))
			switch Force(a).(type) {
			case *Array, *Arrow, *Sum, *Con:
				text = "(" + text + ")"
			default:
			}
			ctors[i] += " " + text
		}
	}
	out := strings.Join(ctors, " | ")
	if unique {
		return "*(" + out + ")"
	}
	return out
}

func (s *sourcePrinter) arrowText(t *Arrow) string {
	param := s.typeText(t.Param)
	var out string
	s.scoped(func() {
		switch {
		case t.Name != nil:
			param = "(" + s.name(t.Name) + ": " + param + ")"
			s.bind(t.Name)
		default:
			switch Force(t.Param).(type) {
			case *Arrow, *Sum:
				param = "(" + param + ")"
			default:
			}
		}
		out = param + " -> " + s.ret(t.Ret)
	})
	return out
}

func (s *sourcePrinter) argText(a TypeArg) string {
	if a.Size != nil {
		return "[" + s.size(a.Size) + "]"
	}
	return "(" + s.typeText(a.Type) + ")"
}

// typeAtom prints t so that it can stand as an element type.
func (s *sourcePrinter) typeAtom(t Type) string {
	switch t := Force(t).(type) {
	case *Arrow, *Sum, *Con:
		return "(" + s.typeText(t) + ")"
	default:
		return s.typeText(t)
	}
}

// size prints what is between the brackets of an array type: nothing for a size that is not in scope.
func (s *sourcePrinter) size(d Size) string {
	if !s.knows(d) {
		return ""
	}
	switch d := d.(type) {
	case *SizeName:
		return s.name(d.Sym)
	case *SizeExp:
		inner := &sourcePrinter{inSize: true, printedNames: s.printedNames}
		return "(" + inner.exp(d.Exp) + ")"
	default:
		return d.String()
	}
}

// showsSizes reports whether the printed form of t has any size.
func (s *sourcePrinter) showsSizes(t Type) bool {
	return slices.ContainsFunc(SizesIn(Represent(t)), func(d Size) bool {
		_, open := d.(*AnySize)
		return !open && s.knows(d)
	})
}
