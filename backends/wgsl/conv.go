package wgsl

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// conv prints the conversion of x.
func (p *printer) conv(from, to imp.Type, x string) string {
	if from == to {
		return x
	}
	f, t := kernelPrim(from), kernelPrim(to)
	switch {
	case f == t:
		return x
	case t == prim.Bool:
		return p.toBool(f, x)
	case f == prim.Bool:
		return p.fromBool(to, x)
	case f.IsInt() && t.IsInt():
		return p.convInt(f, t, x)
	case f.IsInt() && f.Bits() <= 32 && t == prim.F32:
		return "f32(" + x + ")"
	case f.Bits() < 32 && f.IsInt():
		// Through the 32-bit type of the same sign, which holds every value.
		return p.convName(widest(f), t, x)
	case t.IsInt() && t.Bits() < 32:
		// The low bits of the 32-bit result are the result.
		return p.wrap(p.convName(f, widest(t), x), t)
	case f == prim.F32 && t == prim.F64 && p.opts.F64:
		return "f64(" + x + ")"
	}
	return p.convName(f, t, x)
}

// kernelPrim is the primitive type that a kernel computes t with.
func kernelPrim(t imp.Type) prim.Type {
	if t == imp.Idx {
		return prim.I32
	}
	return t.Prim()
}

// widest is the 32-bit integer type with the sign of t.
func widest(t prim.Type) prim.Type {
	if t.IsUnsigned() {
		return prim.U32
	}
	return prim.I32
}

// convName calls a conversion of the support library.
func (p *printer) convName(from, to prim.Type, x string) string {
	name := "conv_" + from.String() + "_" + to.String()
	p.Needed[name] = true
	return name + "(" + x + ")"
}

// toBool is true for all but zeros. Floats are looked at as bits: drivers may
// compare NaN and subnormals as they like.
func (p *printer) toBool(f prim.Type, x string) string {
	switch {
	case p.isPair(imp.Of(f)) && f.IsInt():
		return "any(" + x + " != vec2<u32>())"
	case p.isPair(imp.Of(f)):
		return "(!" + p.Support("eq", f, x, "vec2<u32>()") + ")"
	case f == prim.F64:
		return "((bitcast<u64>(" + x + ") & 0x7ffffffffffffffflu) != 0lu)"
	case f == prim.F32:
		return "((bitcast<u32>(" + x + ") & 0x7fffffffu) != 0u)"
	case f == prim.F16:
		return "((" + p.Support("to_bits", f, x) + " & 0x7fffu) != 0u)"
	}
	return "(" + x + " != " + p.RegType(imp.Of(f)) + "())"
}

func (p *printer) fromBool(to imp.Type, x string) string {
	switch one := p.constant(&imp.Const{Type: to, Value: prim.One(to.Prim())}); {
	case p.isPair(to):
		return "select(vec2<u32>(), " + one + ", " + x + ")"
	default:
		return "select(" + p.RegType(to) + "(), " + one + ", " + x + ")"
	}
}

// convInt prints a conversion between integer types.
func (p *printer) convInt(f, t prim.Type, x string) string {
	switch {
	case f.Bits() == 64 && t.Bits() == 64:
		if p.opts.I64 {
			return "bitcast<" + t.String() + ">(" + x + ")"
		}
		return x
	case t.Bits() == 64:
		return p.extend(f, t, x)
	case f.Bits() == 64:
		x = p.lowWord(f, x)
		f = prim.U32
	}
	if widest(f) != widest(t) {
		x = p.RegType(imp.Of(t)) + "(" + x + ")"
	}
	// Widening without a change of sign keeps the register as it is.
	if t.Bits() < f.Bits() || t.Bits() < 32 && f.IsSigned() != t.IsSigned() && !(f.IsUnsigned() && f.Bits() < t.Bits()) {
		x = p.wrap(x, t)
	}
	return x
}

// lowWord is the low half of a 64-bit integer, as a u32.
func (p *printer) lowWord(f prim.Type, x string) string {
	switch {
	case !p.opts.I64:
		return x + ".x"
	case f == prim.I64:
		return "u32(bitcast<u64>(" + x + ") & 0xfffffffflu)"
	}
	return "u32(" + x + " & 0xfffffffflu)"
}

// extend widens an integer of at most 32 bits to 64.
func (p *printer) extend(f, t prim.Type, x string) string {
	switch {
	case !p.opts.I64 && f.IsUnsigned():
		return "vec2<u32>(" + x + ", 0u)"
	case !p.opts.I64:
		p.Need("sign_extend")
		return "sign_extend(" + x + ")"
	case f.IsUnsigned() == t.IsUnsigned():
		return t.String() + "(" + x + ")"
	case f.IsUnsigned(): // i64 of a u32 would extend the sign in wgpu-native 29
		return "bitcast<i64>(u64(" + x + "))"
	}
	return "bitcast<u64>(i64(" + x + "))"
}
