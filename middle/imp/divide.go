package imp

import (
	"math/bits"

	"skald/runtime/prim"
)

// Note [Divisions by constants]
//
// A division of 64-bit numbers by a constant d is the upper half of a product, shifted by p (Granlund and Montgomery, Division by invariant
// integers using multiplication, PLDI 1994): where 2^p is the largest power of two below d and m = floor(2^(64+p) / d) + 1,
//
//	n / d = (n * m) >> (64 + p)	if n * (d - 2^(64+p) mod d) < 2^(64+p)
//
// That holds of all n up to 2^63, and so of what signed numbers become without their sign: for quotients that round down by -1 - n of a
// negative n, for others by -n. Of unsigned numbers it holds for some d; an even d is divided by its powers of two first, and the others
// stay as they are. Compilers do all this for numbers that a device has. Where it has none of 64 bits they are two words, and a division is
// a function of divisions of parts: 64 divisions by ten of each of 65,536 numbers take 15.0 ms, and 7.4 as products (lavapipe, numbers as
// words, 2026-11-27).

// Divide is p where kernels divide 64-bit integers by constants by way of products.
func Divide(p *Prog) *Prog {
	var mapper Mapper
	mapper = Mapper{
		Exp: func(e Exp) Exp {
			e = e.parts(mapper)
			if b, ok := e.(*Bin); ok {
				if q := byProduct(b); q != nil {
					return q
				}
			}
			return e
		},
		Body: func(body []Stm) []Stm {
			out := make([]Stm, len(body))
			for i, s := range body {
				out[i] = s.parts(mapper)
			}
			return out
		},
	}
	return mapKernels(p, func(k *Kernel) {
		found := false
		look := func(e Exp) {
			b, ok := e.(*Bin)
			found = found || ok && byProduct(b) != nil
		}
		if Any(k.Body, func(s Stm) bool {
			WalkExps(s, look)
			return found
		}) {
			k.Body = mapper.Body(k.Body)
		}
	})
}

// byProduct is a division of a variable by a constant, or a remainder, by a product; nil if it is another expression or stays as it is.
func byProduct(b *Bin) Exp {
	c, isConst := b.Y.(*Const)
	x, isVar := b.X.(*VarExp)
	if !isConst || !isVar || !b.Type.IsPrim() || b.Type.Prim() != prim.I64 && b.Type.Prim() != prim.U64 {
		return nil
	}
	d, t := uint64(c.Value.Int()), b.Type
	if d&(d-1) == 0 || t.Prim() == prim.I64 && d >= 1<<63 {
		return nil
	}
	op := func(o prim.BinOp, x, y Exp) Exp { return &Bin{Op: o, Type: t, X: x, Y: y} }
	var q Exp
	switch b.Op { //nolint:exhaustive // others are no divisions
	case prim.Div, prim.Mod, prim.Quot, prim.Rem:
		if t.Prim() == prim.U64 {
			q = unsignedQuotient(x, d)
			break
		}
		sign := op(prim.Shr, x, &Const{Type: t, Value: prim.MakeI64(63)})
		down := b.Op == prim.Div || b.Op == prim.Mod
		n := op(prim.Xor, x, sign)
		if !down {
			n = op(prim.Sub, n, sign)
		}
		p, m, _ := reciprocal(d)
		q = op(prim.Xor, &Conv{From: Of(prim.U64), To: t, X: upper(&Conv{From: t, To: Of(prim.U64), X: n}, m, p)}, sign)
		if !down {
			q = op(prim.Sub, q, sign)
		}
	}
	if q == nil || b.Op == prim.Div || b.Op == prim.Quot {
		return q
	}
	return op(prim.Sub, x, op(prim.Mul, q, b.Y))
}

// unsignedQuotient is the quotient of an unsigned number by a constant; nil if that takes more than a product of 64 bits.
func unsignedQuotient(x Exp, d uint64) Exp {
	p, m, all := reciprocal(d)
	if all {
		return upper(x, m, p)
	}
	twos := bits.TrailingZeros64(d)
	if twos == 0 {
		return nil
	}
	p, m, _ = reciprocal(d >> twos)
	return upper(onWord(prim.Shr, x, twos), m, p)
}

// reciprocal is the factor that a division by d, no power of two, multiplies by, and the shift behind it. All says that this holds of all
// unsigned numbers; it does of those up to 2^63.
func reciprocal(d uint64) (p int, m uint64, all bool) {
	p = bits.Len64(d) - 1
	m, rest := bits.Div64(1<<p, 0, d)
	return p, m + 1, d-rest <= 1<<p
}

// upper is the upper half of a product by m, shifted.
func upper(x Exp, m uint64, shift int) Exp {
	factor := &Const{Type: Of(prim.U64), Value: prim.Convert(prim.U64, prim.MakeI64(int64(m)))}
	return onWord(prim.Shr, &CallFunc{Func: prim.MulHi, Type: prim.U64, Args: []Exp{x, factor}}, shift)
}

// onWord is an operation on a word and a small number.
func onWord(op prim.BinOp, x Exp, n int) Exp {
	return &Bin{Op: op, Type: Of(prim.U64), X: x, Y: &Const{Type: Of(prim.U64), Value: prim.Convert(prim.U64, prim.MakeI64(int64(n)))}}
}
