package types

import (
	"fmt"
	"strconv"
	"strings"
)

// Types print as source text: with parentheses only where the grammar wants them. Symbols print by name alone.

func (t *Prim) String() string { return t.Kind.String() }

func (t *Array) String() string {
	return star(t.Unique) + "[" + t.Size.String() + "]" + typeAtom(t.Elem)
}

func (t *Record) String() string {
	var b strings.Builder
	tuple := t.IsTuple()
	open, end := "{", "}"
	if tuple {
		open, end = "(", ")"
	}
	b.WriteString(open)
	for i, f := range t.Fields {
		if i > 0 {
			b.WriteString(", ")
		}
		if !tuple {
			b.WriteString(f.Name + ": ")
		}
		b.WriteString(f.Type.String())
	}
	b.WriteString(end)
	return b.String()
}

func (t *Sum) String() string {
	ctors := make([]string, len(t.Ctors))
	for i, c := range t.Ctors {
		s := "#" + c.Name
		for _, a := range c.Args {
			s += " " + typeAtom(a)
		}
		ctors[i] = s
	}
	return strings.Join(ctors, " | ")
}

func (t *Arrow) String() string {
	param := t.Param.String()
	switch Force(t.Param).(type) {
	case *Arrow, *Sum:
		param = "(" + param + ")"
	default:
	}
	if t.Name != nil {
		param = "(" + t.Name.Name + ": " + t.Param.String() + ")"
	}
	return param + " -> " + t.Ret.String()
}

// String prints the existential sizes, if any, before the type.
func (r RetType) String() string {
	if len(r.Ext) == 0 {
		return r.Type.String()
	}
	var b strings.Builder
	b.WriteByte('?')
	for _, s := range r.Ext {
		b.WriteString("[" + s.Name + "]")
	}
	return b.String() + "." + r.Type.String()
}

func (t *Var) String() string { return star(t.Unique) + t.Param.Name }

func (t *Con) String() string {
	var b strings.Builder
	b.WriteString(star(t.Unique) + t.Con.Name)
	for _, a := range t.Args {
		if a.Size != nil {
			b.WriteString(" [" + a.Size.String() + "]")
		} else {
			b.WriteString(" " + typeAtom(a.Type))
		}
	}
	return b.String()
}

func (t *Meta) String() string {
	if t.Bound != nil {
		return t.Bound.String()
	}
	if info, ok := t.Info.(fmt.Stringer); ok {
		return info.String()
	}
	return "t" + strconv.Itoa(t.ID)
}

func (s *SizeConst) String() string { return strconv.FormatInt(s.N, 10) }
func (s *SizeName) String() string  { return s.Sym.Name }
func (s *SizeExp) String() string   { return ExpText(s.Exp) }
func (s *AnySize) String() string   { return "" }

func star(unique bool) string {
	if unique {
		return "*"
	}
	return ""
}

// typeAtom prints t so that it can stand as an argument or an element type.
func typeAtom(t Type) string {
	switch t := Force(t).(type) {
	case *Arrow, *Sum:
		return "(" + t.String() + ")"
	case *Con:
		if len(t.Args) > 0 {
			return "(" + t.String() + ")"
		}
		return t.String()
	default:
		return t.String()
	}
}
