package wgsl

import (
	"fmt"

	"skald/middle/imp"
	"skald/runtime/prim"
)

var atomicFuncs = map[imp.AtomicOp]string{
	imp.AtomicAdd: "atomicAdd", imp.AtomicMin: "atomicMin", imp.AtomicMax: "atomicMax", imp.AtomicAnd: "atomicAnd",
	imp.AtomicOr: "atomicOr", imp.AtomicXor: "atomicXor", imp.AtomicExchange: "atomicExchange",
}

// atomic prints an atomic operation.
func (p *printer) atomic(s *imp.Atomic) {
	if p.forms[s.Mem].kind == pairForm && !p.pairHas(s) {
		p.Limit("the device has no atomic %s on %s", s.Op, p.Kernel.Mems[s.Mem].Elem)
		return
	}
	call := p.atomicCall(s, p.Plain(p.inside(s.Mem, s.Index)), p.Plain(s.Value))
	if p.forms[s.Mem].kind == pairForm {
		p.Line("%s;", call)
		return
	}
	p.result(s.Old, call)
}

// atomicCall is an atomic operation on element i: the device's own where it has one on the array's form, else a function. It
// returns what was there before, or nothing when that lies in two words.
func (p *printer) atomicCall(s *imp.Atomic, i, x string) string {
	f, d, name := p.forms[s.Mem], p.Kernel.Mems[s.Mem], p.Mems[s.Mem]
	fn := fmt.Sprintf("atomic_%s_%s", s.Op, name)
	switch {
	case p.chunks[s.Mem] > 1:
		p.atomicChunk(fn, s)
	case f.kind == atomicForm && d.Elem != prim.Bool:
		return fmt.Sprintf("%s(&%s[%s], %s)", atomicFuncs[s.Op], name, i, x)
	case f.kind == longForm && d.Elem == prim.U64, f.kind == longForm && d.Elem == prim.I64 && s.Op == imp.AtomicAdd:
		return p.fromBits64(fmt.Sprintf("%s(&%s[%s], %s)", atomicFuncs[s.Op], name, i, p.toBits64(x, d.Elem)), d.Elem)
	case f.kind == pairForm:
		p.accessor(fn, func() string { return p.pairText(fn, s.Mem, s.Op) })
	default:
		p.accessor(fn, func() string { return p.casText(fn, s.Mem, s.Op) })
	}
	return fmt.Sprintf("%s(%s, %s)", fn, i, x)
}

// result binds what a call returns to v, or drops it.
func (p *printer) result(v imp.Var, call string) {
	if v == 0 {
		p.Line("_ = %s;", call)
		return
	}
	p.Declare(v, call)
}

// pairHas reports whether an operation on a 64-bit integer that lies in two words can be done: what was there before is not
// known.
func (p *printer) pairHas(s *imp.Atomic) bool {
	ok := s.Op == imp.AtomicAdd || s.Op == imp.AtomicAnd || s.Op == imp.AtomicOr || s.Op == imp.AtomicXor
	return ok && s.Old == 0 && p.Kernel.Mems[s.Mem].Elem.IsInt()
}

// pairText is a function that updates a 64-bit integer that lies in two words. An addition adds
// the low words and then the carry, which no other addition can take away;
// bitwise operations have no carry.
func (p *printer) pairText(fn string, m imp.Mem, op imp.AtomicOp) string {
	d, name := p.Kernel.Mems[m], p.Mems[m]
	head := fmt.Sprintf("fn %s(i: i32, x: %s) {\n  let w = %s;\n", fn, p.RegType(imp.Of(d.Elem)), p.toPair("x", d.Elem))
	if op != imp.AtomicAdd {
		f := atomicFuncs[op]
		return head + fmt.Sprintf("  %s(&%s[2 * i], w.x);\n  %s(&%s[2 * i + 1], w.y);\n}\n", f, name, f, name)
	}
	return head + fmt.Sprintf(`  let low = atomicAdd(&%s[2 * i], w.x);
  let high = w.y + select(0u, 1u, low + w.x < low);
  if (high != 0u) { atomicAdd(&%s[2 * i + 1], high); }
}
`, name, name)
}

// cas is how a compare-and-swap loop reaches an element: the word it lies in,
// how its value is cut out of a word, and how a word with a new value is made.
type cas struct {
	setup  string // statements before the loop, with i the index
	word   string // the atomic word
	decode string // of word "w"
	encode func(x string) string
}

func (p *printer) casOf(m imp.Mem, i, w, shift string) cas {
	f, d, name := p.forms[m], p.Kernel.Mems[m], p.Mems[m]
	switch f.kind {
	case atomicForm:
		if d.Elem == prim.Bool {
			return cas{"", name + "[" + i + "]", "(" + w + " != 0u)", func(x string) string { return p.encode(prim.Bool, x) }}
		}
		return cas{"", name + "[" + i + "]", w, func(x string) string { return x }}
	case bitsForm:
		return cas{"", name + "[" + i + "]", p.decode(d.Elem, w), func(x string) string { return p.encode(d.Elem, x) }}
	case longForm:
		return cas{"", name + "[" + i + "]", p.fromBits64(w, d.Elem), func(x string) string { return p.toBits64(x, d.Elem) }}
	default:
	}
	per, bits := 4/max(d.Elem.Size(), 1), d.Elem.Bits()
	return cas{
		fmt.Sprintf("let %s = (u32(%s) %% %du) * %du;", shift, i, max(per, 1), bits),
		fmt.Sprintf("%s[u32(%s) / %du]", name, i, max(per, 1)),
		p.decode(d.Elem, fmt.Sprintf("extractBits(%s, %s, %du)", w, shift, bits)),
		func(x string) string {
			return fmt.Sprintf("insertBits(%s, %s, %s, %du)", w, p.encode(d.Elem, x), shift, bits)
		},
	}
}

// casText is a function that updates an element by an operator. Here as in atomicUpdate a word that stays as it is is not
// written: once maxima have been found, threads only read.
func (p *printer) casText(fn string, m imp.Mem, op imp.AtomicOp) string {
	d, c := p.Kernel.Mems[m], p.casOf(m, "i", "w", "shift")
	t := p.RegType(imp.Of(d.Elem))
	next := "x"
	if bin, ok := op.Operator(d.Elem); ok {
		next = p.bin(bin, imp.Of(d.Elem), "old", "x", nil)
	}
	if c.setup != "" {
		c.setup = "  " + c.setup + "\n"
	}
	return fmt.Sprintf(`fn %s(i: i32, x: %s) -> %s {
%s  var w = atomicLoad(&%s);
  loop {
    let old = %s;
    let next = %s;
    if (next == w) { return old; }
    let swap = atomicCompareExchangeWeak(&%s, w, next);
    if (swap.exchanged) { return old; }
    w = swap.old_value;
  }
  return %s();
}
`, fn, t, t, c.setup, c.word, c.decode, c.encode(next), c.word, t)
}

// atomicUpdate prints a compare-and-swap loop around a computation.
func (p *printer) atomicUpdate(s *imp.AtomicUpdate) {
	if p.forms[s.Mem].kind == pairForm {
		p.Limit("the device has no atomic update of %s", p.Kernel.Mems[s.Mem].Elem)
		return
	}
	p.Line("{")
	p.Depth++
	i, w, swap := p.Temp("at"), p.Temp("word"), p.Temp("swap")
	p.Line("let %s = %s;", i, p.Initial(p.inside(s.Mem, s.Index)))
	c := p.casOf(s.Mem, i, w, p.Temp("shift"))
	if c.setup != "" {
		p.Line("%s", c.setup)
	}
	split := p.chunks[s.Mem] > 1
	if split {
		p.Line("var %s = %s;", w, p.wordChunk(s.Mem, i))
	} else {
		p.Line("var %s = atomicLoad(&%s);", w, c.word)
	}
	p.Line("loop {")
	p.Depth++
	p.Declare(s.Old, c.decode)
	p.Stms(s.Body)
	next := p.Temp("next")
	p.Line("let %s = %s;", next, c.encode(p.Plain(s.New)))
	p.Line("if (%s == %s) { break; }", next, w)
	if split {
		p.Line("let %s = %s;", swap, p.exchangeChunk(s.Mem, i, w, next))
		p.Line("if (%s == %s) { break; }", swap, w)
		p.Line("%s = %s;", w, swap)
	} else {
		p.Line("let %s = atomicCompareExchangeWeak(&%s, %s, %s);", swap, c.word, w, next)
		p.Line("if (%s.exchanged) { break; }", swap)
		p.Line("%s = %s.old_value;", w, swap)
	}
	p.Depth--
	p.Line("}")
	p.Depth--
	p.Line("}")
	p.LeaveLoop(s.Body)
}
