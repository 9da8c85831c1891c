package wgsl

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Options are the facts of a device that printed code depends on. The zero
// value is standard WGSL.
type Options struct {
	// I64, F64 and F16 are types that kernels can use as they are.
	I64, F64, F16 bool
	// Atomic64 allows compare-and-swap on 64-bit words in storage memory;
	// AtomicF32 allows addition to f32 there.
	Atomic64, AtomicF32 bool
	// Fma says that the builtin function fma rounds once.
	Fma bool
	// Enables lists the extensions to name in enable directives.
	Enables []string
	// MaxBuffers is the number of storage buffers a kernel may have; 0 is 8.
	MaxBuffers int
	// MaxImmediates is how many bytes of parameters may be an immediate variable; more of them are a uniform buffer.
	MaxImmediates int
}

// native reports whether registers hold t as it is.
func (o *Options) native(t prim.Type) bool {
	switch t {
	case prim.I64, prim.U64:
		return o.I64
	case prim.F64:
		return o.F64
	case prim.F16:
		return o.F16
	default:
	}
	return true
}

// regType is the type of a register that holds a value of t.
func (p *printer) RegType(t imp.Type) string {
	if t == imp.Idx {
		return "i32"
	}
	switch pt := t.Prim(); pt {
	case prim.I8, prim.I16, prim.I32:
		return "i32"
	case prim.U8, prim.U16, prim.U32:
		return "u32"
	case prim.Bool:
		return "bool"
	case prim.F32:
		return "f32"
	case prim.F16:
		if p.opts.F16 {
			return "f16"
		}
		return "f32"
	default:
		if p.opts.native(pt) {
			return pt.String()
		}
		return "vec2<u32>"
	}
}

// isPair reports whether registers hold t as two words.
func (p *printer) isPair(t imp.Type) bool {
	return t != imp.Idx && !p.opts.native(t.Prim()) && t.Prim().Bits() == 64
}

// packed reports whether several elements of t share a word in global memory.
func (p *printer) packed(t prim.Type) bool {
	return t.Bits() < 32 && !(t == prim.F16 && p.opts.F16)
}

// paramType is the type of a field of the parameter block.
func (p *printer) paramType(t imp.Type) string {
	switch {
	case t != imp.Idx && t.Prim().Bits() == 64:
		return "vec2<u32>"
	case t == imp.Bool:
		return "u32"
	case t == imp.Of(prim.F16):
		return "f32"
	}
	return p.RegType(t)
}

// paramValue is the value of a field of the parameter block as a register
// holds it.
func (p *printer) paramValue(field string, t imp.Type) string {
	switch {
	case t == imp.Bool:
		return field + " != 0u"
	case t == imp.Of(prim.F16) && p.opts.F16:
		return "f16(" + field + ")"
	case t != imp.Idx && t.Prim().Bits() == 64:
		return p.fromPair(field, t.Prim())
	}
	return field
}

// fromPair makes a value of a 64-bit type from two words, low first.
func (p *printer) fromPair(pair string, t prim.Type) string {
	if !p.opts.native(t) {
		return pair
	}
	switch t {
	case prim.U64:
		p.Need("u64_from_words")
		return "u64_from_words(" + pair + ")"
	case prim.I64:
		p.Need("u64_from_words")
		return "bitcast<i64>(u64_from_words(" + pair + "))"
	default:
		p.Need("u64_from_words")
		return "bitcast<f64>(u64_from_words(" + pair + "))"
	}
}

// toPair makes two words, low first, of a value of a 64-bit type.
func (p *printer) toPair(x string, t prim.Type) string {
	if !p.opts.native(t) {
		return x
	}
	p.Need("words_from_u64")
	if t == prim.U64 {
		return "words_from_u64(" + x + ")"
	}
	return "words_from_u64(bitcast<u64>(" + x + "))"
}
