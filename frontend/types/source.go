package types

import (
	"fmt"
	"strconv"
	"strings"
)

// Source prints a program without type parameters (as the surface passes leave it) as Futhark source that can be read and checked
// again. Every symbol gets a name of its own; primitive operations are written as operators or as members of `intrinsics`.
func Source(p *Prog) string {
	s := &sourcePrinter{names: map[*Symbol]string{}, used: map[string]bool{}}
	for _, d := range p.Defs {
		s.def(d)
		s.line("")
	}
	return s.b.String()
}

// sourcePrinter is the state of Source.
type sourcePrinter struct {
	b      strings.Builder
	indent int
	names  map[*Symbol]string
	used   map[string]bool
}

func (s *sourcePrinter) line(text string) {
	if text != "" {
		s.b.WriteString(strings.Repeat("  ", s.indent))
	}
	s.b.WriteString(text)
	s.b.WriteByte('\n')
}

// name returns the printed name of sym: its own if that is an identifier that no other symbol has, else one with a number.
func (s *sourcePrinter) name(sym *Symbol) string {
	if n, ok := s.names[sym]; ok {
		return n
	}
	base := Identifier(sym.Name)
	n := base
	if s.used[n] || reserved[n] {
		n = base + "_" + strconv.Itoa(sym.ID)
	}
	s.used[n] = true
	s.names[sym] = n
	return n
}

// Identifier returns name if it is an identifier, else one that says that it was an operator.
func Identifier(name string) string {
	for i, c := range name {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c != '\'' && (c < '0' || c > '9')) {
			return "op"
		}
	}
	if name == "" || name == "_" {
		return "x"
	}
	return name
}

// reserved holds the names that a printed program must not bind: keywords, and the modules of the primitive types.
var reserved = func() map[string]bool {
	words := "true false if then else def let loop in val for do with local open include import type entry module while " +
		"assert match case intrinsics i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool"
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}()

func (s *sourcePrinter) def(d *Def) {
	for _, a := range d.Attrs {
		s.line("#[" + a.String() + "]")
	}
	keyword := "def "
	if d.Entry != nil {
		keyword = "entry "
	}
	var sizes strings.Builder
	for _, p := range d.Params {
		for _, size := range p.Sizes {
			sizes.WriteString(" [" + s.name(size) + "]")
		}
	}
	head := keyword + s.name(d.Sym) + sizes.String()
	for _, p := range d.Params {
		head += " " + s.param(p)
	}
	s.line(head + " : " + s.ret(d.Ret) + " =")
	s.indent++
	s.block(d.Body)
	s.indent--
}

func (s *sourcePrinter) param(p *Param) string {
	return "(" + s.pat(p.Pat) + " : " + s.typ(p.Pat.Base().Type) + ")"
}

func (s *sourcePrinter) ret(r RetType) string {
	if len(r.Ext) == 0 {
		return s.typ(r.Type)
	}
	var b strings.Builder
	b.WriteByte('?')
	for _, sym := range r.Ext {
		b.WriteString("[" + s.name(sym) + "]")
	}
	return b.String() + "." + s.typ(r.Type)
}

// typ prints a type with the printed names of its symbols.
func (s *sourcePrinter) typ(t Type) string {
	renamed := MapSizes(t, func(d Size) Size {
		switch d := ForceSize(d).(type) {
		case *SizeName:
			return &SizeName{&Symbol{Name: s.name(d.Sym)}}
		case *SizeExp:
			return &SizeName{&Symbol{Name: "(" + s.exp(d.Exp) + ")"}}
		default:
			return d
		}
	})
	return renamed.String()
}

// block prints an expression on lines of its own: a sequence of lets and what they lead to.
func (s *sourcePrinter) block(e Exp) {
	for {
		switch b := e.(type) {
		case *Let:
			s.let(b)
			e = b.Body
			continue
		case *LetFun:
			s.letFun(b)
			e = b.Body
			continue
		default:
		}
		break
	}
	switch e := e.(type) {
	case *If:
		s.line("if " + s.exp(e.Cond) + " then")
		s.nested(e.Then)
		s.line("else")
		s.nested(e.Else)
	case *Loop:
		s.loop(e)
	case *Match:
		s.line("match " + s.atom(e.Exp))
		for _, c := range e.Cases {
			s.line("case " + s.pat(c.Pat) + " ->")
			s.nested(c.Body)
		}
	default:
		s.line(s.exp(e))
	}
}

// nested prints a block in parentheses, one step further in.
func (s *sourcePrinter) nested(e Exp) {
	s.indent++
	s.line("(")
	s.block(e)
	s.line(")")
	s.indent--
}

func (s *sourcePrinter) let(b *Let) {
	var sizes strings.Builder
	for _, size := range b.Sizes {
		sizes.WriteString("[" + s.name(size) + "] ")
	}
	head := "let " + sizes.String() + "(" + s.pat(b.Pat) + " : " + s.typ(b.Pat.Base().Type) + ") ="
	switch b.Exp.(type) {
	case *If, *Loop, *Match, *Let, *LetFun:
		s.line(head)
		s.nested(b.Exp)
	default:
		s.line(head + " " + s.exp(b.Exp))
	}
	s.line("in")
}

func (s *sourcePrinter) letFun(b *LetFun) {
	head := "let " + s.name(b.Def.Sym)
	for _, p := range b.Def.Params {
		head += " " + s.param(p)
	}
	s.line(head + " : " + s.ret(b.Def.Ret) + " =")
	s.nested(b.Def.Body)
	s.line("in")
}

// loop prints a loop. The language has no binders for sizes that change from one iteration to the next: where there are any, the
// loop's value gets another name and a type without those sizes, and a let in the body (and the condition) binds both.
func (s *sourcePrinter) loop(e *Loop) {
	pat, t := s.pat(e.Pat), s.typ(e.Pat.Base().Type)
	rebind := func() {}
	if len(e.Sizes) > 0 {
		let := "let "
		for _, size := range e.Sizes {
			let += "[" + s.name(size) + "] "
		}
		whole := s.name(&Symbol{Name: "whole", ID: e.Sizes[0].ID})
		let += "(" + pat + " : " + t + ") = " + whole
		rebind = func() {
			s.line(let)
			s.line("in")
		}
		pat, t = whole, s.typ(withoutSizes(e.Pat.Base().Type, e.Sizes))
	}
	block := func(e Exp) {
		s.indent++
		s.line("(")
		rebind()
		s.block(e)
		s.line(")")
		s.indent--
	}
	head := "loop (" + pat + " : " + t + ") = " + s.exp(e.Init)
	switch f := e.Form.(type) {
	case *For:
		s.line(head + " for " + s.name(f.Sym) + " < " + s.exp(f.Bound) + " do")
	case *ForIn:
		s.line(head + " for " + s.pat(f.Pat) + " in " + s.exp(f.Array) + " do")
	case *While:
		s.line(head + " while")
		block(f.Cond)
		s.line("do")
	default:
		panic(fmt.Sprintf("types.Source: %T", f))
	}
	block(e.Body)
}

// withoutSizes leaves the given sizes out of t.
func withoutSizes(t Type, sizes []*Symbol) Type {
	return MapSizes(t, func(d Size) Size {
		if name, ok := ForceSize(d).(*SizeName); ok {
			for _, s := range sizes {
				if s == name.Sym {
					return &AnySize{}
				}
			}
		}
		return d
	})
}

func (s *sourcePrinter) pat(p Pat) string {
	switch p := p.(type) {
	case *VarPat:
		return s.name(p.Sym)
	case *WildPat:
		return "_"
	case *LitPat:
		return p.Value.String()
	case *AttrPat:
		return "#[" + p.Attr.String() + "] " + s.pat(p.Pat)
	case *CtorPat:
		out := "#" + p.Ctor
		for _, a := range p.Args {
			out += " (" + s.pat(a) + ")"
		}
		return out
	case *RecordPat:
		tuple := Force(p.Type).(*Record).IsTuple()
		parts := make([]string, len(p.Fields))
		for i, f := range p.Fields {
			parts[i] = s.pat(f.Pat)
			if !tuple {
				parts[i] = f.Name + " = " + parts[i]
			}
		}
		return bracket(tuple, parts)
	default:
		panic(fmt.Sprintf("types.Source: %T", p))
	}
}

func bracket(tuple bool, parts []string) string {
	if tuple {
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// String prints an attribute without its brackets.
func (a Attr) String() string {
	if len(a.Args) == 0 {
		return a.Name
	}
	args := make([]string, len(a.Args))
	for i, arg := range a.Args {
		args[i] = arg.String()
	}
	return a.Name + "(" + strings.Join(args, ", ") + ")"
}
