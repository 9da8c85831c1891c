package cfamily

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"skald/backends/text"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Exp prints an expression so that it may stand anywhere: with parentheses around operators.
func (p *Printer) Exp(e imp.Exp) string {
	switch e := e.(type) {
	case *imp.Const:
		return p.constant(e)
	case *imp.VarExp:
		return p.Vars[e.Var]
	case *imp.Un:
		return p.un(e)
	case *imp.Bin:
		return p.bin(e)
	case *imp.Cmp:
		return "(" + p.Exp(e.X) + " " + text.Relations[e.Op] + " " + p.Exp(e.Y) + ")"
	case *imp.Conv:
		return p.conv(p.prim(e.From), p.prim(e.To), p.Exp(e.X))
	case *imp.CallFunc:
		return p.call(e)
	case *imp.Select:
		return fmt.Sprintf("(%s ? %s : %s)", p.Exp(e.Cond), p.Exp(e.Then), p.Exp(e.Else))
	case *imp.Load:
		_, index := p.index(e.Index)
		return p.load(e.Mem, index)
	case *imp.Id:
		return p.ID(e.Kind)
	}
	panic(fmt.Sprintf("cfamily: unknown expression %T", e))
}

// prim is the primitive type that a kernel computes t with.
func (p *Printer) prim(t imp.Type) prim.Type {
	if t == imp.Idx {
		return p.lang.Idx
	}
	return t.Prim()
}

func (p *Printer) constant(c *imp.Const) string {
	w := c.Value.Word()
	switch t := p.prim(c.Type); t {
	case prim.I8, prim.I16, prim.I32:
		return signed(int64(int32(w)), math.MinInt32, "")
	case prim.I64:
		return signed(int64(w), math.MinInt64, "ll")
	case prim.U8, prim.U16, prim.U32:
		return strconv.FormatUint(w, 10) + "u"
	case prim.U64:
		return strconv.FormatUint(w, 10) + "ull"
	case prim.Bool:
		return strconv.FormatBool(w != 0)
	default:
		return p.float(c.Value)
	}
}

// signed prints a signed number; the least one cannot be written as such.
func signed(n, least int64, suffix string) string {
	switch {
	case n == least:
		return fmt.Sprintf("(%d%s - 1)", n+1, suffix)
	case n < 0:
		return fmt.Sprintf("(%d%s)", n, suffix)
	}
	return strconv.FormatInt(n, 10) + suffix
}

// isHalfBits reports whether a type is the language's own for f16, which has no operators and no literals.
func (p *Printer) isHalfBits(t prim.Type) bool { return t == prim.F16 && p.lang.HalfBits }

func (p *Printer) float(v prim.Value) string {
	f, double := v.Float(), v.Type() == prim.F64
	switch {
	case (math.IsNaN(f) || math.IsInf(f, 0)) && double:
		return p.Support("from_bits", prim.F64, fmt.Sprintf("0x%xull", v.Word()))
	case math.IsNaN(f) || math.IsInf(f, 0) || p.isHalfBits(v.Type()):
		return p.Support("from_bits", v.Type(), fmt.Sprintf("0x%xu", v.Word()))
	}
	bits, suffix := 32, "f"
	if double {
		bits, suffix = 64, ""
	}
	s := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if math.Signbit(f) {
		return "(" + s + suffix + ")"
	}
	return s + suffix
}

// narrow wraps a 32-bit result around to a type of 8 or 16 bits.
func (p *Printer) narrow(x string, t prim.Type) string {
	if t.IsInt() && t.Bits() < 32 {
		return p.Support("norm", t, text.Plain(x))
	}
	return x
}

func (p *Printer) un(e *imp.Un) string {
	x, t := p.Exp(e.X), p.prim(e.Type)
	switch {
	case t == prim.Bool:
		return "(!" + x + ")"
	case e.Op == prim.Not:
		return p.narrow("(~"+x+")", t)
	case e.Op == prim.Neg && t.IsFloat() && !p.isHalfBits(t):
		return "(-" + x + ")"
	case e.Op == prim.Neg && t.IsInt():
		return p.narrow(p.arith("-", "0", x, e.Type), t)
	}
	return p.Support(e.Op.String(), t, text.Plain(x))
}

func (p *Printer) bin(e *imp.Bin) string {
	if s, ok := text.Index(e, p.Exp); ok {
		return s
	}
	return p.binText(e.Op, e.Type, p.Exp(e.X), p.Exp(e.Y), e.Y)
}

// binText prints an operator; right is its second operand as it was, for operators that are simpler when it is constant; it may be nil.
func (p *Printer) binText(op prim.BinOp, it imp.Type, x, y string, right imp.Exp) string {
	t := p.prim(it)
	symbol, isInfix := text.Infix[op]
	switch {
	case isInfix && (op == prim.Add || op == prim.Sub || op == prim.Mul) && t.IsInt():
		return p.narrow(p.arith(symbol, x, y, it), t)
	case isInfix && t != prim.F16:
		return "(" + x + " " + symbol + " " + y + ")" // of what is extended by its sign or zeros, too
	case op == prim.Div && t.IsFloat() && t != prim.F16:
		return "(" + x + " / " + y + ")"
	case t.IsInt():
		if s, ok := quotient(op, it, t, x, y, right); ok {
			return s
		}
	}
	return p.Support(op.String(), t, text.Plain(x), text.Plain(y))
}

// arith prints the operators whose result may overflow. That of index arithmetic has no meaning.
func (p *Printer) arith(symbol, x, y string, it imp.Type) string {
	t := p.prim(it)
	switch {
	case it == imp.Idx || p.lang.Wraps || t.IsUnsigned() || t.Bits() < 32 && symbol != "*":
		return "(" + x + " " + symbol + " " + y + ")"
	case t.Bits() == 64:
		return fmt.Sprintf("(i64)((u64)%s %s (u64)%s)", x, symbol, y)
	}
	return fmt.Sprintf("(i32)((u32)%s %s (u32)%s)", x, symbol, y)
}

// quotient prints divisions whose operands are known to be harmless.
func quotient(op prim.BinOp, it imp.Type, t prim.Type, x, y string, right imp.Exp) (string, bool) {
	symbol := map[prim.BinOp]string{prim.Quot: "/", prim.Rem: "%", prim.Div: "/", prim.Mod: "%"}[op]
	if symbol == "" {
		return "", false
	}
	c, isConst := right.(*imp.Const)
	truncates := op == prim.Quot || op == prim.Rem
	if truncates && it == imp.Idx || truncates && isConst && c.Value.Int() > 0 && t.IsSigned() ||
		t.IsUnsigned() && isConst && c.Value.Word() != 0 {
		return "(" + x + " " + symbol + " " + y + ")", true
	}
	return "", false
}

func (p *Printer) call(e *imp.CallFunc) string {
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = p.Plain(a)
	}
	if value, ok := p.Sine(e, "const "+p.lang.SinePair, args[0]); ok {
		return value
	}
	return p.Support(e.Func.String(), e.Type, args...)
}

// conv prints the conversion of x.
func (p *Printer) conv(from, to prim.Type, x string) string {
	switch {
	case from == to:
		return x
	case from.IsInt() && to.IsInt():
		register := p.RegType(imp.Of(to))
		if p.RegType(imp.Of(from)) != register {
			x = "(" + register + ")" + x
		}
		if to.Bits() < from.Bits() || to.Bits() < 32 && from.IsSigned() != to.IsSigned() && !(from.IsUnsigned() && from.Bits() < to.Bits()) {
			return p.narrow(x, to)
		}
		return x
	case from.IsInt() && (to == prim.F32 || to == prim.F64), from == prim.F32 && to == prim.F64, from == prim.F64 && to == prim.F32:
		return "(" + to.String() + ")" + x
	}
	name := "conv_" + from.String() + "_" + to.String()
	p.Needed[name] = true
	return name + "(" + text.Plain(x) + ")"
}
