package types

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Source prints a program as Futhark source that can be read and checked again, after any surface pass. Every symbol gets a name of its
// own; primitive operations are written as operators or as members of `intrinsics`. See Note [Sizes in printed source].
func Source(p *Prog) string {
	s := &sourcePrinter{printedNames: &printedNames{
		names: map[*Symbol]string{}, used: map[string]bool{},
		typeNames: map[*TypeParam]string{}, usedTypes: map[string]bool{},
		inScope: map[*Symbol]bool{},
	}}
	for _, d := range p.Defs {
		s.scoped(func() { s.def(d) })
		s.bind(d.Sym)
		s.line("")
	}
	return s.b.String()
}

// sourcePrinter is the state of Source: the text so far, and the names in it.
type sourcePrinter struct {
	b      strings.Builder
	indent int
	inSize bool // within a size, where no coercion may stand
	*printedNames
}

// printedNames are the names that symbols and type parameters have in the text, and the symbols that are in scope at its end.
type printedNames struct {
	names     map[*Symbol]string
	used      map[string]bool
	typeNames map[*TypeParam]string
	usedTypes map[string]bool
	inScope   map[*Symbol]bool
	bound     []*Symbol // those in scope, in the order in which they were bound
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
	n := s.fresh(Identifier(sym.Name), sym.ID)
	s.names[sym] = n
	return n
}

// fresh returns base if no other name is like it, else base with a number.
func (s *sourcePrinter) fresh(base string, number int) string {
	n := base
	if s.used[n] || reserved[n] {
		n = base + "_" + strconv.Itoa(number)
	}
	for s.used[n] {
		n += "'"
	}
	s.used[n] = true
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
	if d.Recursive {
		s.bind(d.Sym)
	}
	s.line(keyword + s.head(d) + " =")
	s.indent++
	s.block(d.Body)
	s.indent--
}

// head prints a definition up to its `=` and binds its parameters.
func (s *sourcePrinter) head(d *Def) string {
	out := s.name(d.Sym) + s.typeParams(d.TypeParams)
	for _, p := range d.Params {
		for _, size := range p.Sizes {
			s.bind(size)
			out += " [" + s.name(size) + "]"
		}
	}
	for _, p := range d.Params {
		out += " " + s.param(p)
	}
	if len(d.Params) == 0 && len(d.TypeParams) == 0 {
		return out + " : " + s.typ(d.Ret.Type) // its sizes stay in scope, but nothing can name them
	}
	return out + " : " + s.ret(d.Ret)
}

// param prints a parameter and binds what its pattern does.
func (s *sourcePrinter) param(p *Param) string {
	out := "(" + s.patAtom(p.Pat) + " : " + s.typ(p.Pat.Base().Type) + ")"
	s.bind(PatSymbols(p.Pat)...)
	return out
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
			s.scoped(func() {
				s.bind(PatSymbols(c.Pat)...)
				s.nested(c.Body)
			})
		}
	default:
		s.line(s.exp(e))
	}
}

// nested prints a block in parentheses, one step further in.
func (s *sourcePrinter) nested(e Exp) {
	s.indent++
	s.line("(")
	s.scoped(func() { s.block(e) })
	s.line(")")
	s.indent--
}

// let prints a let up to its `in`. What is bound is not in scope of it.
func (s *sourcePrinter) let(b *Let) {
	value := ""
	compound := false
	switch b.Exp.(type) {
	case *If, *Loop, *Match, *Let, *LetFun:
		compound = true
	default:
		value = " " + s.exp(b.Exp)
	}
	t := b.Pat.Base().Type
	inner := &sourcePrinter{indent: s.indent, printedNames: s.printedNames}
	if compound {
		inner.nested(b.Exp)
	}
	s.line("let " + s.newSizes(t) + "(" + s.patAtom(b.Pat) + " : " + s.typ(t) + ") =" + value)
	s.b.WriteString(inner.b.String())
	s.line("in")
	s.bind(PatSymbols(b.Pat)...)
}

func (s *sourcePrinter) letFun(b *LetFun) {
	s.scoped(func() {
		s.line("let " + s.head(b.Def) + " =")
		s.nested(b.Def.Body)
	})
	s.line("in")
	s.bind(b.Def.Sym)
}

// loop prints a loop. The language has no binders for sizes that change from one iteration to the next: they are left out of the type
// of the loop's value, and a let in the body (and the condition) binds them, and again the variables whose shapes show them.
func (s *sourcePrinter) loop(e *Loop) {
	rebound := s.resized(PatSymbols(e.Pat))
	var head string
	outer := s.renamed(rebound, func() {
		head = "loop (" + s.patAtom(e.Pat) + " : " + s.typ(e.Pat.Base().Type) + ") = " + s.exp(e.Init)
	})
	block := func(body Exp, binders ...*Symbol) {
		s.indent++
		s.line("(")
		s.scoped(func() {
			s.bind(PatSymbols(e.Pat)...)
			s.bind(binders...)
			s.rebind(rebound, outer)
			s.block(body)
		})
		s.line(")")
		s.indent--
	}
	switch f := e.Form.(type) {
	case *For:
		s.line(head + " for " + s.name(f.Sym) + " < " + s.exp(f.Bound) + " do")
		block(e.Body, f.Sym)
	case *ForIn:
		s.line(head + " for " + s.pat(f.Pat) + " in " + s.exp(f.Array) + " do")
		block(e.Body, PatSymbols(f.Pat)...)
	case *While:
		s.line(head + " while")
		block(f.Cond)
		s.line("do")
		block(e.Body)
	default:
		panic(fmt.Sprintf("types.Source: %T", f))
	}
}

// resized lists those of some variables whose shapes show sizes that nothing has bound.
func (s *sourcePrinter) resized(syms []*Symbol) []*Symbol {
	var out []*Symbol
	for _, sym := range syms {
		if slices.ContainsFunc(visibleSizes(sym.Type), func(size *Symbol) bool { return !s.inScope[size] }) {
			out = append(out, sym)
		}
	}
	return out
}

// renamed prints with f, where variables that are to be bound again have other names, which it returns.
func (s *sourcePrinter) renamed(syms []*Symbol, f func()) []string {
	own := make([]string, len(syms))
	names := make([]string, len(syms))
	for i, sym := range syms {
		own[i] = s.name(sym)
		names[i] = s.fresh("old_"+strings.TrimLeft(own[i], "_"), sym.ID)
		s.names[sym] = names[i]
	}
	f()
	for i, sym := range syms {
		s.names[sym] = own[i]
	}
	return names
}

// rebind prints a let of variables, and of the sizes in their types that nothing has bound, to the variables with the given names.
func (s *sourcePrinter) rebind(syms []*Symbol, from []string) {
	if len(syms) == 0 {
		return
	}
	var sizes strings.Builder
	for _, sym := range syms {
		sizes.WriteString(s.newSizes(sym.Type))
	}
	pats := make([]string, len(syms))
	for i, sym := range syms {
		pats[i] = "(" + s.name(sym) + " : " + s.typ(WithUnique(sym.Type, NotUnique)) + ")"
	}
	s.line("let " + sizes.String() + tuple(pats) + " = " + tuple(from))
	s.line("in")
}

// tuple prints a tuple; one element is without parentheses.
func tuple(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return bracket(asTuple, parts)
}

// patAtom prints a pattern so that a type can follow it.
func (s *sourcePrinter) patAtom(p Pat) string {
	switch p.(type) {
	case *CtorPat, *AttrPat:
		return "(" + s.pat(p) + ")"
	default:
		return s.pat(p)
	}
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

// An argument of bracket.
const asTuple = true

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
