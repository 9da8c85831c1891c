package core

import "strconv"

// Trace prints a value: #[trace]. Text says what is traced, Form how the value consists of Values (runtime/describe). Its result, a
// certificate, says nothing; like an assertion, it is neither left out nor moved.
//
// What the host runs is printed: Note [Traces in kernels] in middle/flatten.
type Trace struct {
	Text, Form string
	Values     []Operand
}

func (*Trace) isControl() {}

func (e *Trace) parts(m Mapper) Exp { return &Trace{e.Text, e.Form, m.operands(e.Values)} }

func (*Trace) binders() []Param                      { return nil }
func (*Trace) types(*Scope) ([]Type, bool)           { return oneType(CertType) }
func (e *Trace) reads() []Var                        { return varsOf(e.Values) }
func (*Trace) consumes() []Var                       { return nil }
func (*Trace) aliases([]Param, func(Param, Operand)) {}

// mayFail is true of what must not be left out.
func (*Trace) mayFail() bool         { return true }
func (*Trace) pure() bool            { return true }
func (*Trace) parallel() bool        { return false }
func (*Trace) allowed(at place) bool { return !at.kernel && !at.group }

func (e *Trace) print(p *printer) {
	p.writef("trace %s %s (%s)", strconv.Quote(e.Text), strconv.Quote(e.Form), p.ops(e.Values))
}

func (e *Trace) verify(v *verifier, _ *Stm) {
	for _, x := range e.Values {
		v.operand(x)
	}
}
