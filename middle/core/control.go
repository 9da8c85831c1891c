package core

import (
	"strconv"
	"strings"

	"skald/runtime/prim"
)

// Assert fails the program with a message when Cond is false; else it returns a
// certificate, which statements that rely on Cond list in Aux.Certs.
type Assert struct {
	Cond Operand
	Msg  []MsgPart
}

// MsgPart is a piece of a message: Text, or the value of X when IsOp.
type MsgPart struct {
	Text string
	X    Operand
	IsOp bool
}

// Text is a literal part of an assertion's message.
func Text(s string) MsgPart { return MsgPart{Text: s} }

// Value is a part of an assertion's message that prints a scalar.
func Value(o Operand) MsgPart { return MsgPart{X: o, IsOp: true} }

func (*Assert) isControl() {}

func (e *Assert) parts(m Mapper) Exp {
	cond, msg := m.operand(e.Cond), mapSlice(e.Msg, func(p MsgPart) MsgPart {
		if p.IsOp {
			p.X = m.operand(p.X)
		}
		return p
	}, equal)
	if cond == e.Cond && sameSlice(msg, e.Msg) {
		return e
	}
	return &Assert{cond, msg}
}

func (*Assert) binders() []Param                      { return nil }
func (*Assert) types(*Scope) ([]Type, bool)           { return oneType(CertType) }
func (*Assert) reads() []Var                          { return nil }
func (*Assert) consumes() []Var                       { return nil }
func (*Assert) aliases([]Param, func(Param, Operand)) {}
func (*Assert) mayFail() bool                         { return true }
func (*Assert) pure() bool                            { return true }
func (*Assert) parallel() bool                        { return false }
func (*Assert) allowed(place) bool                    { return true }

func (e *Assert) print(p *printer) {
	p.writef("assert %s (%s)", p.op(e.Cond), join(e.Msg, func(m MsgPart) string {
		if m.IsOp {
			return p.op(m.X)
		}
		return strconv.Quote(m.Text)
	}))
}

func (p *parser) msgPart() MsgPart {
	if strings.HasPrefix(p.peek(), `"`) {
		return Text(p.str())
	}
	return Value(p.op())
}

func (e *Assert) verify(v *verifier, _ *Stm) {
	v.want(e.Cond, BoolType, "condition")
	for _, m := range e.Msg {
		if m.IsOp {
			v.operand(m.X)
		}
	}
}

// Either is the attribute of an If whose alternatives give the same: where a device takes no kernel like one of an alternative, it has the
// other alone. Versions is that of one whose Else also runs where the device lacks the workgroup memory that a kernel of Then asks for.
const (
	Either   Attr = "either"
	Versions Attr = "versions"
)

// If runs one of two bodies. Results that differ in size return their sizes
// too, which the statement's Dst binds.
type If struct {
	Cond       Operand
	Then, Else *Body
}

func (*If) isControl() {}
func (e *If) parts(m Mapper) Exp {
	cond, yes, no := m.operand(e.Cond), m.body(e.Then), m.body(e.Else)
	if cond == e.Cond && yes == e.Then && no == e.Else {
		return e
	}
	return &If{cond, yes, no}
}

func (*If) binders() []Param            { return nil }
func (*If) types(*Scope) ([]Type, bool) { return nil, false }
func (*If) reads() []Var                { return nil }
func (*If) consumes() []Var             { return nil }

func (e *If) aliases(dst []Param, may func(Param, Operand)) {
	mayEach(dst, e.Then.Res, may)
	mayEach(dst, e.Else.Res, may)
}

func (*If) mayFail() bool      { return false }
func (*If) pure() bool         { return true }
func (*If) parallel() bool     { return false }
func (*If) allowed(place) bool { return true }

func (e *If) print(p *printer) {
	p.writef("if %s ", p.op(e.Cond))
	p.body(e.Then)
	p.out.WriteString(" else ")
	p.body(e.Else)
}

func (p *parser) ifExp() Exp {
	e := &If{Cond: p.op(), Then: p.body()}
	p.expect("else")
	e.Else = p.body()
	return e
}

func (e *If) verify(v *verifier, s *Stm) {
	v.want(e.Cond, BoolType, "condition")
	v.body(e.Then, ParamTypes(s.Dst), s.Dst)
	v.body(e.Else, ParamTypes(s.Dst), s.Dst)
}

// Switch runs the case whose value is On, an integer, or else Default.
type Switch struct {
	On      Operand
	Cases   []Case
	Default *Body
}

// Case is one alternative of a Switch.
type Case struct {
	Value prim.Value
	Body  *Body
}

func (*Switch) isControl() {}

// Bodies are the bodies of the cases, and that of the default.
func (e *Switch) Bodies() []*Body {
	bodies := make([]*Body, 0, len(e.Cases)+1)
	for _, c := range e.Cases {
		bodies = append(bodies, c.Body)
	}
	return append(bodies, e.Default)
}

func (e *Switch) parts(m Mapper) Exp {
	on := m.operand(e.On)
	cases := mapSlice(e.Cases, func(c Case) Case { return Case{c.Value, m.body(c.Body)} }, equal)
	rest := m.body(e.Default)
	if on == e.On && sameSlice(cases, e.Cases) && rest == e.Default {
		return e
	}
	return &Switch{on, cases, rest}
}

func (*Switch) binders() []Param            { return nil }
func (*Switch) types(*Scope) ([]Type, bool) { return nil, false }
func (*Switch) reads() []Var                { return nil }
func (*Switch) consumes() []Var             { return nil }

func (e *Switch) aliases(dst []Param, may func(Param, Operand)) {
	for _, c := range e.Cases {
		mayEach(dst, c.Body.Res, may)
	}
	mayEach(dst, e.Default.Res, may)
}

func (*Switch) mayFail() bool      { return false }
func (*Switch) pure() bool         { return true }
func (*Switch) parallel() bool     { return false }
func (*Switch) allowed(place) bool { return true }

func (e *Switch) print(p *printer) {
	p.writef("switch %s {", p.op(e.On))
	for _, c := range e.Cases {
		p.writef(" case %s ", c.Value)
		p.body(c.Body)
	}
	p.out.WriteString(" default ")
	p.body(e.Default)
	p.out.WriteString(" }")
}

func (p *parser) switchExp() Exp {
	e := &Switch{On: p.op()}
	p.expect("{")
	for p.accept("case") {
		e.Cases = append(e.Cases, Case{p.value(), p.body()})
	}
	p.expect("default")
	e.Default = p.body()
	p.expect("}")
	return e
}

func (e *Switch) verify(v *verifier, s *Stm) {
	t := v.operand(e.On)
	for _, c := range e.Cases {
		v.want(C(c.Value), t, "case")
		v.body(c.Body, ParamTypes(s.Dst), s.Dst)
	}
	v.body(e.Default, ParamTypes(s.Dst), s.Dst)
}
