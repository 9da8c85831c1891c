package check

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// Whether a minus sign precedes a literal.
const negated, asWritten = true, false

// literal elaborates a number, character or truth value. The value is decoded when the type is known.
func (in *infer) literal(e syntax.Exp, negated bool) *types.Const {
	at := e.Span()
	out := &types.Const{Info: types.Info{At: at}}
	switch e := e.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *syntax.BoolLit:
		out.Type, out.Value = types.Bool, prim.MakeBool(e.Value)
		return out
	case *syntax.IntLit:
		out.Type = in.literalType(e.Suffix, anyNumber, at)
	case *syntax.FloatLit:
		out.Type = in.literalType(e.Suffix, anyFloat, at)
	case *syntax.CharLit:
		out.Type = in.primType(at, anyNumber)
	default:
		panic(fmt.Sprintf("check.literal: %T", e))
	}
	in.later(func() { out.Value = in.decode(e, types.Force(out.Type).(*types.Prim).Kind, negated) })
	return out
}

func (in *infer) literalType(suffix string, prims primSet, at source.Span) types.Type {
	if t, ok := prim.ParseType(suffix); ok {
		return &types.Prim{Kind: t}
	}
	return in.primType(at, prims)
}

// decode computes the value of a literal at type t, which must hold it.
func (in *infer) decode(e syntax.Exp, t prim.Type, negated bool) prim.Value {
	switch e := e.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *syntax.IntLit:
		if e.Suffix != "" && !t.IsFloat() {
			return in.wrapInt(e, t, negated)
		}
		return in.decodeInt(e.Big(), t, negated, e.At)
	case *syntax.CharLit:
		return in.decodeInt(big.NewInt(int64(e.Value)), t, negated, e.At)
	case *syntax.FloatLit:
		x := e.Float64()
		if t == prim.F32 {
			x = float64(e.Float32())
		}
		if negated {
			x = -x
		}
		v := prim.MakeFloat(t, x)
		if math.IsInf(v.Float(), 0) && t != prim.F16 || math.IsInf(float64(float32(x)), 0) && t == prim.F16 {
			in.fail(e.At, "literal-out-of-bounds", "Literal %s out of bounds for inferred type %s.", e.Text, t)
		}
		return v
	case *syntax.BoolLit:
		return prim.MakeBool(e.Value)
	default:
		panic(fmt.Sprintf("check.decode: %T", e))
	}
}

// wrapInt decodes an integer with a suffix: what does not fit wraps around, with a warning. Hexadecimal and binary literals are patterns of
// bits, which fit if they are not too many, as in 0xffi8.
func (in *infer) wrapInt(e *syntax.IntLit, t prim.Type, negated bool) prim.Value {
	n := new(big.Int).Set(e.Big())
	pattern := !negated && len(e.Text) > 1 && strings.ContainsRune("xXbB", rune(e.Text[1])) && n.BitLen() <= t.Bits()
	if negated {
		n.Neg(n)
	}
	v := prim.FromWord(t, new(big.Int).And(n, mask64).Uint64())
	if !pattern && !fits(n, t) {
		in.warn(e.At, "literal-wraps", "Literal %s does not fit in type %s and wraps around to %s.", n, t, v)
	}
	return v
}

func (in *infer) decodeInt(n *big.Int, t prim.Type, negated bool, at source.Span) prim.Value {
	if negated {
		n = new(big.Int).Neg(n)
	}
	if t.IsFloat() {
		f, _ := new(big.Float).SetInt(n).Float64()
		if t == prim.F32 {
			f32, _ := new(big.Float).SetInt(n).Float32()
			f = float64(f32)
		}
		v := prim.MakeFloat(t, f)
		if math.IsInf(v.Float(), 0) {
			in.fail(at, "literal-out-of-bounds", "Literal %s out of bounds for inferred type %s.", n, t)
		}
		return v
	}
	if !fits(n, t) {
		in.fail(at, "literal-out-of-bounds", "Literal %s out of bounds for inferred type %s.", n, t)
	}
	return prim.FromWord(t, new(big.Int).And(n, mask64).Uint64())
}

var mask64 = new(big.Int).SetUint64(math.MaxUint64)

// fits reports whether integer type t has the value n.
func fits(n *big.Int, t prim.Type) bool {
	bits := uint(t.Bits())
	if t.IsUnsigned() {
		return n.Sign() >= 0 && uint(n.BitLen()) <= bits
	}
	if n.Sign() >= 0 {
		return uint(n.BitLen()) < bits
	}
	return uint(new(big.Int).Not(n).BitLen()) < bits
}
