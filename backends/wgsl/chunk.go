package wgsl

import (
	"fmt"

	"skald/middle/imp"
)

// Note [Chunked buffers]
//
// A device binds a limited number of bytes at once: WebGPU guarantees 128 MiB, of buffers that may be larger. An array beyond
// that is bound as several storage variables, of a power of two of elements each, and every access to it is the call of a function
// that chooses among them:
//
//	fn load_xs(i: i32) -> f32 {
//	  let piece = u32(i) >> 25u;
//	  let at = i & 33554431;
//	  if (piece == 0u) {
//	    return xs_m0[at];
//	  }
//	  return xs_m1[at];
//	}
//
// What such a function does to one chunk is printed by the code that prints accesses to whole arrays. Only launches on
// arrays of that size have their kernels printed so; the others pay nothing.

// bound are the names of the storage variables that a global array is bound as.
func (p *printer) bound(m imp.Mem) []string {
	n := p.Kernel.Mems[m].Chunks
	if n < 2 {
		return []string{p.Mems[m]}
	}
	names := make([]string, n)
	for j := range names {
		names[j] = fmt.Sprintf("%s_m%d", p.Mems[m], j) // No name ends so: see text.Clean.
	}
	return names
}

// eachChunk makes the function fn of an index and further parameters, once: access prints what it does to element "at" of one
// chunk, whose name p.Mems[m] is meanwhile, and ends in a return.
func (p *printer) eachChunk(fn string, m imp.Mem, params, result string, access func()) {
	p.accessor(fn, func() string {
		whole, names, log := p.Mems[m], p.bound(m), p.Kernel.Mems[m].ChunkLog
		p.chunks[m] = 1
		defer func() { p.Mems[m], p.chunks[m] = whole, len(names) }()
		return p.Captured(func() {
			if result != "" {
				result = " -> " + result
			}
			p.Line("fn %s(i: i32%s)%s {", fn, params, result)
			p.Depth++
			p.Line("let piece = u32(i) >> %du;", log)
			p.Line("let at = i & %d;", 1<<log-1)
			for j, name := range names {
				p.Mems[m] = name
				if j == len(names)-1 {
					access()
					break
				}
				p.Line("if (piece == %du) {", j)
				p.Depth++
				access()
				p.Depth--
				p.Line("}")
			}
			p.Depth--
			p.Line("}")
		})
	})
}

// register is the type of a register for an element of m.
func (p *printer) register(m imp.Mem) string { return p.RegType(imp.Of(p.Kernel.Mems[m].Elem)) }

func (p *printer) loadChunk(m imp.Mem, i string) string {
	fn := "load_" + p.Mems[m]
	p.eachChunk(fn, m, "", p.register(m), func() { p.Line("return %s;", p.load(m, "at")) })
	return fn + "(" + i + ")"
}

func (p *printer) storeChunk(m imp.Mem, i, x string) {
	fn := "store_" + p.Mems[m]
	p.eachChunk(fn, m, ", x: "+p.register(m), "", func() {
		p.store(m, "at", "x")
		p.Line("return;")
	})
	p.Line("%s(%s, %s);", fn, i, x)
}

func (p *printer) loadVectorChunk(m imp.Mem, i string) string {
	fn := "load_vector_" + p.Mems[m]
	p.eachChunk(fn, m, "", p.forms[m].elem, func() { p.Line("return %s;", p.loadVector(m, "at")) })
	return fn + "(" + i + ")"
}

func (p *printer) storeVectorChunk(m imp.Mem, i, x string) {
	fn := "store_vector_" + p.Mems[m]
	p.eachChunk(fn, m, ", x: "+p.forms[m].elem, "", func() {
		p.storeVector(m, "at", "x")
		p.Line("return;")
	})
	p.Line("%s(%s, %s);", fn, i, x)
}

// atomicChunk makes the function fn that does an atomic operation.
func (p *printer) atomicChunk(fn string, s *imp.Atomic) {
	params := ", x: " + p.register(s.Mem)
	if p.forms[s.Mem].kind == pairForm {
		p.eachChunk(fn, s.Mem, params, "", func() {
			p.Line("%s;", p.atomicCall(s, "at", "x"))
			p.Line("return;")
		})
		return
	}
	p.eachChunk(fn, s.Mem, params, p.register(s.Mem), func() { p.Line("return %s;", p.atomicCall(s, "at", "x")) })
}

// wordType is the type of the atomic words of an array.
func (p *printer) wordType(m imp.Mem) string {
	elem := p.forms[m].elem
	return elem[len("atomic<") : len(elem)-1]
}

// wordChunk reads the atomic word that element i lies in.
func (p *printer) wordChunk(m imp.Mem, i string) string {
	fn := "word_" + p.Mems[m]
	p.eachChunk(fn, m, "", p.wordType(m), func() { p.Line("return atomicLoad(&%s);", p.casOf(m, "at", "", "").word) })
	return fn + "(" + i + ")"
}

// exchangeChunk replaces the atomic word that element i lies in by another if it is old, and returns what was there: old if and only
// if it was replaced.
func (p *printer) exchangeChunk(m imp.Mem, i, old, next string) string {
	fn, word := "exchange_"+p.Mems[m], p.wordType(m)
	p.eachChunk(fn, m, fmt.Sprintf(", old: %s, next: %s", word, word), word, func() {
		p.Line("loop {")
		p.Line("  let swap = atomicCompareExchangeWeak(&%s, old, next);", p.casOf(m, "at", "", "").word)
		p.Line("  if (swap.exchanged || swap.old_value != old) { return swap.old_value; }")
		p.Line("}")
		p.Line("return old;")
	})
	return fmt.Sprintf("%s(%s, %s, %s)", fn, i, old, next)
}
