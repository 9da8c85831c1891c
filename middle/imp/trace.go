package imp

import (
	"fmt"

	"skald/runtime/describe"
	"skald/runtime/prim"
)

// Trace waits for the device and prints a value: #[trace]. Form says how it consists of Parts (runtime/describe), and Text what is traced.
type Trace struct {
	Text, Form string
	Parts      []TracePart
}

// TracePart is a scalar, the value of X, or, when Block is not 0, an array at the start of a block, with X its sizes.
type TracePart struct {
	Elem  prim.Type
	Block Var
	X     []Exp
}

func (*Trace) isHost() {}

func (s *Trace) exps() []Exp {
	var es []Exp
	for _, p := range s.Parts {
		es = append(es, p.X...)
	}
	return es
}

func (*Trace) bodies() [][]Stm { return nil }
func (*Trace) binds() []Var    { return nil }

func (s *Trace) parts(m Mapper) Stm {
	out := &Trace{Text: s.Text, Form: s.Form}
	for _, p := range s.Parts {
		out.Parts = append(out.Parts, TracePart{p.Elem, p.Block, m.exps(p.X)})
	}
	return out
}

func (s *Trace) blocks() []Var {
	var bs []Var
	for _, p := range s.Parts {
		if p.Block != 0 {
			bs = append(bs, p.Block)
		}
	}
	return bs
}

func (p *printer) traceParts(parts []TracePart) []string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = fmt.Sprintf("%s value %s", part.Elem, p.exps(part.X))
		if part.Block != 0 {
			texts[i] = fmt.Sprintf("%s %s [%s]", part.Elem, p.v(part.Block), p.exps(part.X))
		}
	}
	return texts
}

func (p *parser) tracePart() TracePart {
	part := TracePart{Elem: p.prim()}
	if p.accept("value") {
		part.X = []Exp{p.exp()}
		return part
	}
	part.Block = p.v(p.word())
	p.expect("[")
	part.X = items(&p.lexer, p.exp)
	p.expect("]")
	return part
}

func (v *verifier) trace(s *Trace) {
	f, err := describe.Parse(s.Form)
	if err != nil {
		v.fail("%v", err)
		return
	}
	if n := f.Width(); n != len(s.Parts) {
		v.fail("a trace of %d parts with a form of %d", len(s.Parts), n)
	}
	for _, p := range s.Parts {
		t := Of(p.Elem)
		if p.Block != 0 {
			v.block(p.Block)
			t = I64
		}
		for _, e := range p.X {
			v.want(e, t)
		}
	}
}
