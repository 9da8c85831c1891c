package core

import (
	"strconv"
	"strings"
)

// Note [Text form]
//
// The text form of a program is, with x* for repetition and x,* for a list
// with commas:
//
//	prog   ::= "stage" stage type* ["consts" fun] fun* entry*
//	fun    ::= attr* ("fun" | "device") name "(" param,* ")" ":" "(" param,* ")"
//	           ["globals" "(" (number param),* ")"] "=" body
//	param  ::= var ":" ["*"] type
//	type   ::= ("[" operand "]")* prim [layout] | "acc" "(" var ")" | "cert" | "mem" "(" prim "," space ")"
//	layout ::= "@" var "{" poly ";" poly,* "}"
//	body   ::= "{" stm* "in" "(" operand,* ")" "}"
//	stm    ::= "let" "(" param,* ")" "=" exp ["certs" "(" var,* ")"] attr* ["at" string ("from" string)*]
//	lambda ::= "fn" "(" param,* ")" ":" "(" type,* ")" body
//
// A variable is written base_7: its printable base and its number. Constants
// are Futhark's literals with their types as suffixes. Scalar operators are
// written op.type; the other expressions start with a keyword (see
// expParsers). A comment runs from "--" to the end of its line.

// Parse reads the text form of a program: see Note [Text form].
func Parse(src string) (prog *Prog, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *syntaxError:
			err = e
		default:
			panic(e)
		}
	}()
	p := &parser{toks: lex(src)}
	return p.prog(), nil
}

func (p *parser) prog() *Prog {
	prog := &Prog{}
	p.expect("stage")
	prog.Stage = Stage(p.oneOf(stageNames[:]))
	for p.peek() != "" {
		switch {
		case p.accept("type"):
			prog.Types = append(prog.Types, p.opaque())
		case p.accept("consts"):
			prog.Consts = p.function()
		case p.accept("entry"):
			prog.Entries = append(prog.Entries, p.entry())
		default:
			prog.Funs = append(prog.Funs, p.function())
		}
	}
	return prog
}

// opaque reads an opaque type after its keyword.
func (p *parser) opaque() OpaqueType {
	t := OpaqueType{Name: p.str(), Parts: list(p, "(", ")", p.opaquePart)}
	for {
		switch {
		case p.accept("array"):
			t.Rank, t.Elem = p.int(), p.str()
		case p.accept("field"):
			t.Fields = append(t.Fields, OpaqueField{p.str(), p.str(), p.int(), p.int()})
		case p.accept("variant"):
			v := OpaqueVariant{Name: p.str(), Payload: list(p, "(", ")", p.str), Rep: p.ints()}
			t.Variants = append(t.Variants, v)
		default:
			return t
		}
	}
}

func (p *parser) opaquePart() OpaquePart {
	var part OpaquePart
	for p.accept("[") {
		part.Sizes = append(part.Sizes, p.int())
		p.expect("]")
	}
	part.Elem = p.prim()
	return part
}

// entry reads an entry point after its keyword.
func (p *parser) entry() Entry {
	e := Entry{Name: p.str(), Fun: p.next(), Doc: p.str()}
	for {
		switch {
		case p.accept("param"):
			e.Params = append(e.Params, p.entryValue())
		case p.accept("result"):
			e.Results = append(e.Results, p.entryValue())
		case p.accept("output"):
			e.Output = p.entryValue()
		case p.accept("attr"):
			e.Attrs = append(e.Attrs, Attr(p.str()))
		default:
			if len(e.Results) == 1 {
				e.Output = e.Results[0]
			}
			return e
		}
	}
}

func (p *parser) entryValue() EntryValue {
	v := EntryValue{Name: p.str(), Unique: p.accept("*")}
	v.Type, v.Opaque, v.First, v.Count = p.str(), p.int(), p.int(), p.int()
	return v
}

// attrs reads attributes, if there are any.
func (p *parser) attrs() []Attr {
	var as []Attr
	for strings.HasPrefix(p.peek(), "#[") {
		s := p.next()
		as = append(as, Attr(s[2:len(s)-1]))
	}
	return as
}

// function reads a function, whose variables get their names as they occur.
func (p *parser) function() *Fun {
	f := &Fun{Attrs: p.attrs(), Names: []string{""}}
	p.fun = f
	if f.DeviceFunction = p.accept("device"); !f.DeviceFunction {
		p.expect("fun")
	}
	f.Name = p.next()
	f.Params = p.paramsList()
	p.expect(":")
	f.Ret = p.paramsList()
	if p.accept("globals") {
		f.Globals = list(p, "(", ")", func() GlobalRef { return GlobalRef{Index: p.int(), Param: p.param()} })
	}
	p.expect("=")
	f.Body = p.body()
	p.fun = nil
	return f
}

func (p *parser) param() Param {
	v := p.v()
	p.expect(":")
	unique := p.accept("*")
	return Param{Var: v, Type: p.typ(), Unique: unique}
}

// typ reads a type, with its layout if there is one.
func (p *parser) typ() Type {
	switch {
	case p.accept("cert"):
		return CertType
	case p.accept("acc"):
		p.expect("(")
		t := AccType(p.v())
		p.expect(")")
		return t
	case p.accept("mem"):
		p.expect("(")
		elem := p.prim()
		p.expect(",")
		t := MemType(elem, MemSpace(p.oneOf(spaceNames[:])))
		p.expect(")")
		return t
	}
	var shape []Operand
	for p.accept("[") {
		shape = append(shape, p.op())
		p.expect("]")
	}
	t := ArrayOf(ScalarType(p.prim()), shape...)
	if p.accept("@") {
		t.Layout = p.layout()
	}
	return t
}

func (p *parser) layout() *Layout {
	l := &Layout{Mem: p.v()}
	p.expect("{")
	l.Offset = p.poly()
	l.Strides = list(p, ";", "}", p.poly)
	return l
}

// poly reads a sum of products; it need not be in canonical order.
func (p *parser) poly() Poly {
	sum := p.term()
	for p.accept("+") {
		sum = sum.Add(p.term())
	}
	return sum
}

func (p *parser) term() Poly {
	prod := p.factor()
	for p.accept("*") {
		prod = prod.Mul(p.factor())
	}
	return prod
}

func (p *parser) factor() Poly {
	if n, err := strconv.ParseInt(p.peek(), 10, 64); err == nil {
		p.next()
		return PolyConst(n)
	}
	return PolyVar(p.v())
}

func (p *parser) body() *Body {
	b := &Body{}
	p.expect("{")
	for p.peek() == "let" {
		b.Stms = append(b.Stms, p.stm())
	}
	p.expect("in")
	b.Res = p.ops()
	p.expect("}")
	return b
}

// stm reads a statement with what it carries besides its meaning.
func (p *parser) stm() *Stm {
	p.expect("let")
	s := &Stm{Dst: p.paramsList()}
	p.expect("=")
	s.Exp = p.exp()
	if p.accept("certs") {
		s.Aux.Certs = p.vars()
	}
	s.Aux.Attrs = p.attrs()
	if p.accept("at") {
		s.Aux.Where = p.site()
	}
	return s
}

// site reads a chain of call sites, innermost first.
func (p *parser) site() *Site {
	s := &Site{Loc: p.str()}
	if p.accept("from") {
		s.Caller = p.site()
	}
	return s
}

func (p *parser) lambda() *Lambda {
	p.expect("fn")
	l := &Lambda{Params: p.paramsList()}
	p.expect(":")
	l.Ret = p.typesList()
	l.Body = p.body()
	return l
}
