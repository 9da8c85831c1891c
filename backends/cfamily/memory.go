package cfamily

import (
	"fmt"
	"strings"

	"skald/backends/text"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// index prints the index of an access, and returns its type. Wide kernels (Note [Wide kernels] of package imp) have one of 64 bits, of
// which C needs to cut off none.
func (p *Printer) index(e imp.Exp) (typ, index string) {
	if c, ok := e.(*imp.Conv); ok && c.From == imp.I64 && c.To == imp.Idx {
		return "i64", p.Plain(c.X)
	}
	return p.lang.Idx.String(), p.Plain(e)
}

// element is the place of an element, whose index is i.
func (p *Printer) element(m imp.Mem, i string) string {
	if p.perLane[m] {
		return fmt.Sprintf("%s[(%s) * %d + %s]", p.Mems[m], i, p.lang.Lanes, laneIndex)
	}
	return p.Mems[m] + "[" + i + "]"
}

// load prints the reading of one element. What other threads change meanwhile is read again each time: see Note [Values and memory in C].
func (p *Printer) load(m imp.Mem, i string) string {
	d := p.Kernel.Mems[m]
	x := p.element(m, i)
	if p.shared[m] {
		x = "*(volatile " + MemType(d.Elem) + " *)&" + x
		if !decoded(d.Elem) {
			return "(" + x + ")"
		}
	}
	return p.decode(d.Elem, x)
}

// store prints the writing of one element.
func (p *Printer) store(m imp.Mem, i, x string) {
	d := p.Kernel.Mems[m]
	to := p.element(m, i)
	if p.shared[m] {
		to = "*(volatile " + MemType(d.Elem) + " *)&" + to
	}
	p.Line("%s = %s;", to, text.Plain(p.encode(d.Elem, x)))
}

// decoded reports whether a register holds t otherwise than memory does.
func decoded(t prim.Type) bool { return t == prim.Bool || t == prim.F16 }

// decode makes a register's value of an element.
func (p *Printer) decode(t prim.Type, x string) string {
	switch t {
	case prim.Bool:
		return "(" + x + " != 0)"
	case prim.F16:
		return p.Support("from_bits", t, x)
	case prim.I8, prim.I16:
		return "(i32)" + x
	case prim.U8, prim.U16:
		return "(u32)" + x
	default:
	}
	return x
}

// encode is the inverse of decode.
func (p *Printer) encode(t prim.Type, x string) string {
	switch t {
	case prim.F16:
		return "(unsigned short)" + p.Support("to_bits", t, text.Plain(x))
	case prim.Bool, prim.I8, prim.I16, prim.U8, prim.U16:
		return "(" + MemType(t) + ")(" + text.Plain(x) + ")"
	default:
	}
	return x
}

// vector is the type of n elements that are accessed together; empty if they are accessed one by one.
func (p *Printer) vector(m imp.Mem, n int) string {
	d := p.Kernel.Mems[m]
	if d.Space == imp.Private || p.shared[m] || n < 2 {
		return ""
	}
	p.align[m] = max(p.align[m], n*d.Elem.Size())
	name := fmt.Sprintf("vec%d_%s", n, d.Elem)
	align := fmt.Sprintf(p.lang.Align, n*d.Elem.Size())
	p.declareOnce(name, fmt.Sprintf("typedef struct %s {\n  %s at[%d];\n} %s;\n", align, MemType(d.Elem), n, name))
	return name
}

// loadVec prints the reading of several elements by one access.
func (p *Printer) loadVec(s *imp.LoadVec) {
	at, d := p.Temp("at"), p.Kernel.Mems[s.Mem]
	typ := p.vector(s.Mem, len(s.Vars))
	if typ == "" {
		typ, index := p.index(s.Index)
		p.Line("const %s %s = %s;", typ, at, index)
		for i, v := range s.Vars {
			p.Declare(v, p.load(s.Mem, fmt.Sprintf("%s + %d", at, i)))
		}
		return
	}
	_, index := p.index(s.Index)
	if bytes := len(s.Vars) * d.Elem.Size(); s.Once && bytes == 16 && p.lang.Once != "" {
		p.Need(p.lang.Once)
		p.Line("const %s %s = %s<%s>(&%s[%s]);", typ, at, p.lang.Once, typ, p.Mems[s.Mem], index)
	} else {
		p.Line("const %s %s = *(const %s *)&%s[%s];", typ, at, typ, p.Mems[s.Mem], index)
	}
	for i, v := range s.Vars {
		p.Declare(v, text.Plain(p.decode(d.Elem, fmt.Sprintf("%s.at[%d]", at, i))))
	}
}

// storeVec is the inverse of loadVec.
func (p *Printer) storeVec(s *imp.StoreVec) {
	at, d := p.Temp("at"), p.Kernel.Mems[s.Mem]
	values := make([]string, len(s.Values))
	for i, e := range s.Values {
		values[i] = p.Plain(e)
	}
	typ := p.vector(s.Mem, len(s.Values))
	if typ == "" {
		typ, index := p.index(s.Index)
		p.Line("const %s %s = %s;", typ, at, index)
		for i, x := range values {
			p.store(s.Mem, fmt.Sprintf("%s + %d", at, i), x)
		}
		return
	}
	for i, x := range values {
		values[i] = text.Plain(p.encode(d.Elem, x))
	}
	p.Line("const %s %s = {{%s}};", typ, at, strings.Join(values, ", "))
	_, index := p.index(s.Index)
	p.Line("*(%s *)&%s[%s] = %s;", typ, p.Mems[s.Mem], index, at)
}

// Alignment is the number of bytes that an array must be aligned to: an element, or the longest vector that is accessed.
func (p *Printer) Alignment(m imp.Mem) int { return max(p.align[m], p.Kernel.Mems[m].Elem.Size()) }

// Atomic reports whether the kernel updates elements of an array in one step each, as other threads may.
func (p *Printer) Atomic(m imp.Mem) bool { return p.shared[m] }
