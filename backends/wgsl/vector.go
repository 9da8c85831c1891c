package wgsl

import (
	"fmt"
	"strings"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// loadVec prints the reading of several elements: of one WGSL vector or word
// where the array's form allows it, else of each element by itself.
func (p *printer) loadVec(s *imp.LoadVec) {
	f, d, n := p.forms[s.Mem], p.Kernel.Mems[s.Mem], len(s.Vars)
	at := p.Temp("at")
	if (f.kind != vecForm && f.kind != wordForm) || f.n != n {
		p.Line("let %s = %s;", at, p.Initial(s.Index))
		for i, v := range s.Vars {
			p.Declare(v, p.load(s.Mem, fmt.Sprintf("%s + %d", at, i)))
		}
		return
	}
	p.Line("let %s = %s;", at, p.loadVector(s.Mem, p.Exp(s.Index)))
	for i, v := range s.Vars {
		p.Declare(v, p.component(at, f, d.Elem, i))
	}
}

// component is element i of the vector or word x.
func (p *printer) component(x string, f form, t prim.Type, i int) string {
	switch {
	case f.kind == vecForm && t.Bits() == 32:
		return fmt.Sprintf("%s[%d]", x, i)
	case f.kind == vecForm && t.Bits() == 64:
		return p.fromPair(fmt.Sprintf("vec2<u32>(%s[%d], %s[%d])", x, 2*i, x, 2*i+1), t)
	}
	per := 4 / t.Size()
	if f.kind == vecForm {
		x = fmt.Sprintf("%s[%d]", x, i/per)
	}
	if t.IsSigned() {
		return fmt.Sprintf("extractBits(i32(%s), %du, %du)", x, i%per*t.Bits(), t.Bits())
	}
	return p.decode(t, fmt.Sprintf("extractBits(%s, %du, %du)", x, i%per*t.Bits(), t.Bits()))
}

// storeVec is the inverse of loadVec.
func (p *printer) storeVec(s *imp.StoreVec) {
	f, d, n := p.forms[s.Mem], p.Kernel.Mems[s.Mem], len(s.Values)
	values := make([]string, n)
	for i, e := range s.Values {
		if values[i] = p.Plain(e); p.packed(d.Elem) {
			values[i] = p.Exp(e) // operators join it to others in a word
		}
	}
	if (f.kind != vecForm && f.kind != wordForm) || f.n != n {
		at := p.Temp("at")
		p.Line("let %s = %s;", at, p.Initial(s.Index))
		for i, x := range values {
			p.store(s.Mem, fmt.Sprintf("%s + %d", at, i), x)
		}
		return
	}
	words := p.words(d.Elem, values)
	value := words[0]
	if f.kind == vecForm {
		value = f.elem + "(" + strings.Join(words, ", ") + ")"
	}
	p.storeVector(s.Mem, p.Exp(s.Index), value)
}

// loadVector reads the vector or word that starts with an element.
func (p *printer) loadVector(m imp.Mem, i string) string {
	if p.chunks[m] > 1 {
		return p.loadVectorChunk(m, i)
	}
	return p.vectorAt(m, i)
}

// storeVector is the inverse of loadVector.
func (p *printer) storeVector(m imp.Mem, i, x string) {
	if p.chunks[m] > 1 {
		p.storeVectorChunk(m, i, x)
		return
	}
	p.Line("%s = %s;", p.vectorAt(m, i), x)
}

// vectorAt is the vector or word that starts with element i. See Note [Indices of small elements].
func (p *printer) vectorAt(m imp.Mem, i string) string {
	return fmt.Sprintf("%s[%s]", p.Mems[m], p.forms[m].vectorOf(i))
}

// words are the components of a vector that holds values.
func (p *printer) words(t prim.Type, values []string) []string {
	switch {
	case t.Bits() == 32:
		return values
	case t.Bits() == 64:
		out := make([]string, len(values))
		for i, x := range values {
			out[i] = p.toPair(x, t) // a vector's constructor takes vectors too
		}
		return out
	}
	per := 4 / t.Size()
	var out []string
	for i := 0; i < len(values); i += per {
		var parts []string
		for j := range per {
			word := p.encode(t, values[i+j])
			if t.IsSigned() || t == prim.F16 {
				word = fmt.Sprintf("(%s & %#xu)", word, 1<<t.Bits()-1)
			}
			if j > 0 {
				word = fmt.Sprintf("(%s << %du)", word, j*t.Bits())
			}
			parts = append(parts, word)
		}
		out = append(out, strings.Join(parts, " | "))
	}
	return out
}
