package cfamily

import (
	"fmt"
	"strings"

	"skald/backends/text"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// atomic prints an atomic operation: the language's own, or a loop around compare-and-swap. One that changes nothing is a load, which the
// processors that we know do in one step where an array is aligned.
func (p *Printer) atomic(s *imp.Atomic) {
	d := p.Kernel.Mems[s.Mem]
	_, index := p.index(s.Index)
	if s.Old != 0 && changesNothing(s) {
		p.Declare(s.Old, text.Plain(p.load(s.Mem, index)))
		return
	}
	address := "&" + p.Mems[s.Mem] + "[" + index + "]"
	x := p.Plain(s.Value)
	if name, of := p.lang.Atomic(s.Op, d.Elem); name != "" {
		if of != MemType(d.Elem) {
			address, x = "("+of+" *)"+address, "("+of+")("+x+")"
		}
		call := name + "(" + address + ", " + x + ")"
		if s.Old == 0 {
			p.Line("%s;", call)
			return
		}
		if register := p.RegType(imp.Of(d.Elem)); of != register {
			call = "(" + register + ")" + call
		}
		p.Declare(s.Old, call)
		return
	}
	fn := fmt.Sprintf("atomic_%s_%s", s.Op, d.Elem)
	p.declareOnce(fn, p.atomicText(fn, s.Op, d.Elem))
	call := fmt.Sprintf("%s((%s *)%s, %s)", fn, bitsType(d.Elem), address, x)
	if s.Old == 0 {
		p.Line("%s;", call)
		return
	}
	p.Declare(s.Old, call)
}

// changesNothing reports whether an operation leaves what is there.
func changesNothing(s *imp.Atomic) bool {
	c, ok := s.Value.(*imp.Const)
	return ok && s.Op == imp.AtomicOr && c.Value.IsZero()
}

// bitsType is the unsigned type that an element's bits are compared as.
func bitsType(t prim.Type) string {
	switch t.Size() {
	case 1:
		return "unsigned char"
	case 2:
		return "unsigned short"
	case 4:
		return "u32"
	default:
		return "u64"
	}
}

// cas asks for the function that compares and swaps the bits of an element.
func (p *Printer) cas(t prim.Type) string {
	name := fmt.Sprintf("cas_%d", 8*t.Size())
	p.Need(name)
	return name
}

// ofBits makes a register's value of an element's bits.
func (p *Printer) ofBits(t prim.Type, bits string) string {
	switch {
	case t.IsFloat():
		return p.Support("from_bits", t, bits)
	case t.IsInt() && t.IsSigned():
		return p.decode(t, "("+MemType(t)+")"+bits)
	}
	return p.decode(t, bits)
}

// toBits is the inverse of ofBits.
func (p *Printer) toBits(t prim.Type, x string) string {
	if t.IsFloat() {
		x = p.Support("to_bits", t, text.Plain(x))
	}
	return "(" + bitsType(t) + ")(" + text.Plain(x) + ")"
}

// atomicText is a function that updates an element by an operator. Here as in atomicUpdate what stays as it is is not written: once
// maxima have been found, threads only read.
func (p *Printer) atomicText(fn string, op imp.AtomicOp, t prim.Type) string {
	bits, register := bitsType(t), p.RegType(imp.Of(t))
	next := "x"
	if bin, ok := op.Operator(t); ok {
		next = p.binText(bin, imp.Of(t), "old", "x", nil)
	}
	return fmt.Sprintf(`%[1]s %[2]s %[3]s(%[4]s *p, %[2]s x) {
  %[4]s bits = *(volatile %[4]s *)p;
  for (;;) {
    const %[2]s old = %[5]s;
    const %[4]s next = %[6]s;
    if (next == bits) { return old; }
    const %[4]s seen = %[7]s(p, bits, next);
    if (seen == bits) { return old; }
    bits = seen;
  }
}
`, p.lang.Inline, register, fn, bits, text.Plain(p.ofBits(t, "bits")), p.toBits(t, next), p.cas(t))
}

// atomicUpdate prints a compare-and-swap loop around a computation.
func (p *Printer) atomicUpdate(s *imp.AtomicUpdate) {
	t := p.Kernel.Mems[s.Mem].Elem
	bits := bitsType(t)
	p.Line("{")
	p.Depth++
	at, word, next, seen := p.Temp("at"), p.Temp("word"), p.Temp("next"), p.Temp("seen")
	_, index := p.index(s.Index)
	p.Line("%s *%s = (%s *)&%s[%s];", bits, at, bits, p.Mems[s.Mem], index)
	p.Line("%s %s = *(volatile %s *)%s;", bits, word, bits, at)
	p.Line("for (;;) {")
	p.Depth++
	p.Declare(s.Old, text.Plain(p.ofBits(t, word)))
	p.Stms(s.Body)
	p.Line("const %s %s = %s;", bits, next, p.toBits(t, p.Plain(s.New)))
	p.Line("if (%s == %s) { break; }", next, word)
	p.Line("const %s %s = %s(%s, %s, %s);", bits, seen, p.cas(t), at, word, next)
	p.Line("if (%s == %s) { break; }", seen, word)
	p.Line("%s = %s;", word, seen)
	p.Depth--
	p.Line("}")
	p.Depth--
	p.Line("}")
}

// subgroupUpdate prints a call of the language's function that brings the values of a subgroup's threads together and updates bins, with
// the operator as a function of elements' bits.
func (p *Printer) subgroupUpdate(s *imp.SubgroupUpdate) {
	t := p.Kernel.Mems[s.Mem].Elem
	bits, keys, values := bitsType(t), p.Temp("keys"), p.Temp("values")
	p.Need(subgroupUpdateHelper)
	list := func(es []imp.Exp, f func(e imp.Exp) string) string {
		out := make([]string, len(es))
		for i, e := range es {
			out[i] = f(e)
		}
		return strings.Join(out, ", ")
	}
	p.Line("{")
	p.Depth++
	p.Line("const i32 %s[] = {%s};", keys, list(s.Keys, p.Plain))
	p.Line("%s %s[] = {%s};", bits, values, list(s.Values, func(e imp.Exp) string { return p.toBits(t, p.Plain(e)) }))
	p.Line("%s<%t>((%s *)%s, %s, %s, %s, %s, [&](%s first_bits, %s second_bits) -> %s {", subgroupUpdateHelper, s.Selects,
		bits, p.Mems[s.Mem], keys, values, p.Plain(s.Copies), p.Plain(s.Copy), bits, bits, bits)
	p.Depth++
	p.Declare(s.X, text.Plain(p.ofBits(t, "first_bits")))
	p.Declare(s.Y, text.Plain(p.ofBits(t, "second_bits")))
	p.Stms(s.Body)
	p.Line("return %s;", p.toBits(t, p.Plain(s.New)))
	p.Depth--
	p.Line("});")
	p.Depth--
	p.Line("}")
}

// subgroupUpdateHelper is the function that a language has for updates by subgroups: see Note [Updates by warps] of package cuda.
const subgroupUpdateHelper = "warp_update"
