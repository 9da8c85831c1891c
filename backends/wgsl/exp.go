package wgsl

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"skald/backends/text"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Exp prints an expression so that it may stand anywhere: with parentheses
// around operators.
func (p *printer) Exp(e imp.Exp) string {
	switch e := e.(type) {
	case *imp.Const:
		return p.constant(e)
	case *imp.VarExp:
		return p.Vars[e.Var]
	case *imp.Un:
		return p.un(e)
	case *imp.Bin:
		if s, ok := text.Index(e, p.Exp); ok {
			return s
		}
		return p.bin(e.Op, e.Type, p.Exp(e.X), p.Exp(e.Y), e.Y)
	case *imp.Cmp:
		return p.cmp(e)
	case *imp.Conv:
		return p.conv(e.From, e.To, p.Exp(e.X))
	case *imp.CallFunc:
		return p.call(e)
	case *imp.Select:
		return fmt.Sprintf("select(%s, %s, %s)", p.Exp(e.Else), p.Exp(e.Then), p.Exp(e.Cond))
	case *imp.Load:
		return p.load(e.Mem, p.Exp(p.inside(e.Mem, e.Index)))
	case *imp.Id:
		return p.ID(e.Kind)
	}
	panic(fmt.Sprintf("wgsl: unknown expression %T", e))
}

// constant prints a constant. WGSL refuses constant NaN and infinities, so
// these come from a variable that it does not look into.
func (p *printer) constant(c *imp.Const) string {
	w := c.Value.Word()
	switch t := c.Type.Prim(); {
	case c.Type == imp.Idx || t == prim.I8 || t == prim.I16 || t == prim.I32:
		if int32(w) < 0 {
			return "i32(" + strconv.Itoa(int(int32(w))) + ")"
		}
		return strconv.Itoa(int(int32(w)))
	case t == prim.Bool:
		return strconv.FormatBool(w != 0)
	case t == prim.U8 || t == prim.U16 || t == prim.U32:
		return strconv.FormatUint(w, 10) + "u"
	case p.isPair(c.Type):
		return fmt.Sprintf("vec2<u32>(%du, %du)", uint32(w), w>>32)
	case t == prim.U64:
		return strconv.FormatUint(w, 10) + "lu"
	case t == prim.I64:
		if int64(w) < 0 {
			return fmt.Sprintf("bitcast<i64>(0x%xlu)", w)
		}
		return strconv.FormatInt(int64(w), 10) + "li"
	default:
		return p.float(c.Value)
	}
}

func (p *printer) float(v prim.Value) string {
	f := v.Float()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return p.nonFinite(v)
	}
	suffix, bits := "f", 32
	switch {
	case v.Type() == prim.F64:
		suffix, bits = "lf", 64
	case v.Type() == prim.F16 && p.opts.F16:
		suffix = "h"
	}
	s := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if f < 0 || math.Signbit(f) {
		return "(" + s + suffix + ")"
	}
	return s + suffix
}

func (p *printer) nonFinite(v prim.Value) string {
	switch {
	case v.Type() == prim.F64:
		p.Need("hidden_zero")
		return fmt.Sprintf("bitcast<f64>(0x%xlu | u64(hidden_zero))", v.Word())
	case v.Type() == prim.F16 && p.opts.F16:
		p.Need("hidden_zero")
		return fmt.Sprintf("f16(unpack2x16float(0x%xu | hidden_zero).x)", v.Word())
	}
	p.Need("hidden_zero")
	return fmt.Sprintf("bitcast<f32>(0x%xu | hidden_zero)", math.Float32bits(float32(v.Float())))
}

func (p *printer) un(e *imp.Un) string {
	x, t := p.Exp(e.X), e.Type.Prim()
	if e.Type == imp.Idx {
		t = prim.I32
	}
	switch {
	case t == prim.Bool:
		return "(!" + x + ")"
	case t.IsInt() && t.Bits() <= 32:
		return p.unInt(e.Op, t, x)
	case e.Op == prim.Neg && (t == prim.F32 || t == prim.F16):
		return "(-" + x + ")"
	case e.Op == prim.Neg && t == prim.F64 && p.opts.F64, e.Op == prim.Neg && t == prim.I64 && p.opts.I64:
		return "(-" + x + ")"
	case e.Op == prim.Neg && t == prim.U64 && p.opts.I64:
		return "(0lu - " + x + ")"
	case e.Op == prim.Not && p.opts.I64, e.Op == prim.Not && p.isPair(e.Type):
		return "(~" + x + ")"
	case e.Op == prim.Abs && t.IsFloat() && p.opts.native(t), e.Op == prim.Abs && t == prim.F16:
		return "abs(" + x + ")"
	}
	return p.Support(e.Op.String(), t, x)
}

func (p *printer) unInt(op prim.UnOp, t prim.Type, x string) string {
	switch op {
	case prim.Neg:
		if t.IsUnsigned() {
			return p.wrap("(0u - "+x+")", t)
		}
		return p.wrap("(-"+x+")", t)
	case prim.Not:
		return p.wrap("(~"+x+")", t)
	case prim.Abs:
		return p.wrap("abs("+x+")", t)
	default:
	}
	if t.IsUnsigned() {
		return "min(" + x + ", 1u)"
	}
	return "sign(" + x + ")"
}

// wrap cuts the 32-bit result of an operation down to type t.
func (p *printer) wrap(x string, t prim.Type) string {
	switch {
	case !t.IsInt() || t.Bits() >= 32:
		return x
	case t.IsSigned():
		return fmt.Sprintf("extractBits(%s, 0u, %du)", x, t.Bits())
	}
	return fmt.Sprintf("(%s & %#xu)", x, 1<<t.Bits()-1)
}

// bin prints an operator; right is its second operand as it was, for operators
// that are simpler when it is constant. Quotients of f16 are computed by a function: WGSL allows them to be off by 2.5 units in the last
// place, and on an H200 a third of them are.
func (p *printer) bin(op prim.BinOp, it imp.Type, x, y string, right imp.Exp) string {
	t := it.Prim()
	if it == imp.Idx {
		t = prim.I32
	}
	sym, isInfix := text.Infix[op]
	bitwise := op == prim.And || op == prim.Or || op == prim.Xor
	switch {
	case bitwise && isInfix && t != prim.Bool: // of what is extended by its sign or zeros, too
		return "(" + x + " " + sym + " " + y + ")"
	case isInfix && (p.opts.native(t) || bitwise):
		return p.wrap("("+x+" "+sym+" "+y+")", t)
	case op == prim.Div && t.IsFloat() && t != prim.F16 && p.opts.native(t):
		return "(" + x + " / " + y + ")"
	case t.IsInt() && t.Bits() <= 32:
		return p.binInt(op, it, t, x, y, right)
	case (op == prim.Shl || op == prim.Shr || op == prim.UShr) && p.opts.native(t):
		if c, ok := right.(*imp.Const); ok && c.Value.Word() < 64 {
			return shift(op, t, x, c.Value.Word())
		}
	}
	return p.Support(op.String(), t, x, y)
}

// binInt prints the operators on integers of at most 32 bits that are not
// infix.
func (p *printer) binInt(op prim.BinOp, it imp.Type, t prim.Type, x, y string, right imp.Exp) string {
	word := prim.I32
	if t.IsUnsigned() {
		word = prim.U32
	}
	c, isConst := right.(*imp.Const)
	switch op {
	case prim.Min, prim.Max:
		return fmt.Sprintf("%s(%s, %s)", op, x, y)
	case prim.Shl, prim.Shr, prim.UShr:
		if op == prim.UShr && t.IsSigned() && t.Bits() < 32 {
			x = fmt.Sprintf("(%s & %#x)", x, 1<<t.Bits()-1)
		}
		var shifted string
		if isConst && c.Value.Word() < 32 {
			shifted = shift(op, word, x, c.Value.Word())
		} else {
			shifted = p.Support(op.String(), word, x, y)
		}
		if op == prim.Shr || op == prim.UShr && t.IsUnsigned() {
			return shifted // what is extended by its sign or zeros remains so
		}
		return p.wrap(shifted, t)
	case prim.Quot, prim.Rem:
		// Drivers need not have the remainder of a negative number: Vulkan leaves it open, and naga does not close that.
		if it == imp.Idx || isConst && c.Value.Int() > 0 && (op == prim.Quot || t.IsUnsigned()) {
			return fmt.Sprintf("(%s %s %s)", x, map[prim.BinOp]string{prim.Quot: "/", prim.Rem: "%"}[op], y)
		}
	case prim.Div, prim.Mod:
		if isConst && c.Value.Word() != 0 && t.IsUnsigned() {
			return fmt.Sprintf("(%s %s %s)", x, map[prim.BinOp]string{prim.Div: "/", prim.Mod: "%"}[op], y)
		}
	default:
	}
	return p.wrap(p.Support(op.String(), word, x, y), t)
}

// shift prints a shift of an integer of 32 or 64 bits by a constant of fewer.
func shift(op prim.BinOp, word prim.Type, x string, by uint64) string {
	switch {
	case op == prim.Shl:
		return fmt.Sprintf("(%s << %du)", x, by)
	case op == prim.UShr && word == prim.I32:
		return fmt.Sprintf("i32(u32(%s) >> %du)", x, by)
	case op == prim.UShr && word == prim.I64:
		return fmt.Sprintf("bitcast<i64>(bitcast<u64>(%s) >> %du)", x, by)
	}
	return fmt.Sprintf("(%s >> %du)", x, by)
}

// boolRelations compares booleans, false below true.
var boolRelations = [prim.NumCmpOps]string{
	prim.Lt: "(!%s && %s)", prim.Le: "(!%s || %s)", prim.Gt: "(%s && !%s)", prim.Ge: "(%s || !%s)",
}

func (p *printer) cmp(e *imp.Cmp) string {
	x, y := p.Exp(e.X), p.Exp(e.Y)
	switch {
	case e.Type == imp.Bool && e.Op != prim.Eq && e.Op != prim.Ne:
		return fmt.Sprintf(boolRelations[e.Op], x, y)
	case e.Op == prim.Ne && e.Type.Prim().IsFloat() && !p.isPair(e.Type):
		return "(!(" + x + " == " + y + "))" // true for NaN, whichever way a driver compares
	case !p.isPair(e.Type):
		return "(" + x + " " + text.Relations[e.Op] + " " + y + ")"
	case e.Op == prim.Eq && e.Type.IsInt():
		return "all(" + x + " == " + y + ")"
	case e.Op == prim.Ne && e.Type.IsInt():
		return "any(" + x + " != " + y + ")"
	}
	t := e.Type.Prim()
	switch e.Op {
	case prim.Ne:
		return "(!" + p.Support("eq", t, x, y) + ")"
	case prim.Gt, prim.Ge:
		return p.Support(e.Op.Swap().String(), t, y, x)
	default:
	}
	return p.Support(e.Op.String(), t, x, y)
}

// direct lists the functions that WGSL's builtins compute exactly on types
// that registers hold as they are.
var direct = map[prim.Func]string{
	prim.Floor: "floor", prim.Ceil: "ceil", prim.Trunc: "trunc",
	prim.Popc: "countOneBits",
}

func (p *printer) call(e *imp.CallFunc) string {
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = p.Exp(a)
	}
	if value, ok := p.Sine(e, "let", args[0]); ok {
		return value
	}
	wide := e.Type.Bits() >= 32 && p.opts.native(e.Type)
	switch name := direct[e.Func]; {
	case name != "" && e.Type.IsFloat() && wide:
		return name + "(" + args[0] + ")"
	case e.Func == prim.Fma && e.Type.IsFloat() && wide && p.opts.Fma:
		return "fma(" + strings.Join(args, ", ") + ")"
	case e.Func == prim.Popc && e.Type.Bits() == 32:
		return "i32(countOneBits(" + args[0] + "))"
	case (e.Func == prim.ToBits || e.Func == prim.FromBits) && e.Type == prim.F64 && !p.opts.F64:
		return p.conv(imp.Of(prim.U64), imp.Of(prim.U64), args[0])
	case e.Func == prim.ToBits && e.Type == prim.F32:
		return "bitcast<u32>(" + args[0] + ")"
	case e.Func == prim.FromBits && e.Type == prim.F32:
		return "bitcast<f32>(" + args[0] + ")"
	}
	return p.Support(e.Func.String(), e.Type, args...)
}
