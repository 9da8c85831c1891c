package prim

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigOf returns a value of an integer type as an unbounded integer.
func bigOf(v Value) *big.Int {
	if v.Type().IsSigned() {
		return big.NewInt(v.Int())
	}
	return new(big.Int).SetUint64(v.Uint())
}

// wrapped reduces an unbounded integer to the type, modulo 2^width.
func wrapped(t Type, x *big.Int) Value {
	low := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)) // And is on two's complement
	return FromWord(t, low.Uint64())
}

// bigBin computes a binary operator on unbounded integers; ok is false where the operator fails.
func bigBin(op BinOp, t Type, x, y *big.Int) (r *big.Int, ok bool) {
	r = new(big.Int)
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(t.Bits())), big.NewInt(1))
	switch op {
	case Add:
		return r.Add(x, y), true
	case Sub:
		return r.Sub(x, y), true
	case Mul:
		return r.Mul(x, y), true
	case Div, Mod, Quot, Rem:
		if y.Sign() == 0 {
			return nil, false
		}
		q, m := new(big.Int).QuoRem(x, y, new(big.Int))
		if (op == Div || op == Mod) && m.Sign()*y.Sign() < 0 {
			q.Sub(q, big.NewInt(1))
			m.Add(m, y)
		}
		if op == Div || op == Quot {
			return q, true
		}
		return m, true
	case Pow:
		if y.Sign() < 0 {
			return nil, false
		}
		modulus := new(big.Int).Lsh(big.NewInt(1), 64)
		return r.Exp(x, y, modulus), true
	case Min:
		if x.Cmp(y) < 0 {
			return x, true
		}
		return y, true
	case Max:
		if x.Cmp(y) > 0 {
			return x, true
		}
		return y, true
	case And:
		return r.And(x, y), true
	case Or:
		return r.Or(x, y), true
	case Xor:
		return r.Xor(x, y), true
	default:
	}
	inRange := y.Sign() >= 0 && y.Cmp(big.NewInt(int64(t.Bits()))) < 0
	count := uint(t.Bits())
	if inRange {
		count = uint(y.Int64())
	}
	switch op {
	case Shl:
		return r.Lsh(x, count), true
	case Shr:
		return r.Rsh(x, count), true // rounds towards negative infinity, as an arithmetic shift does
	case UShr:
		return r.Rsh(new(big.Int).And(x, mask), count), true
	default:
		panic("not an integer operator: " + op.String())
	}
}

func checkBin(t *testing.T, op BinOp, x, y Value) {
	t.Helper()
	exact, ok := bigBin(op, x.Type(), bigOf(x), bigOf(y))
	got, err := EvalBin(op, x, y)
	if ok != (err == nil) {
		t.Fatalf("%s %s %s: error %v", x, op, y, err)
	}
	if ok && got != wrapped(x.Type(), exact) {
		t.Fatalf("%s %s %s = %s, want %s", x, op, y, got, wrapped(x.Type(), exact))
	}
	if f, _ := BinWord(op, x.Type()); !ok && f(x.Word(), y.Word()) != 0 {
		t.Fatalf("%s %s %s: the total function does not give 0", x, op, y)
	}
}

func TestIntegerOperatorsOnAllBytes(t *testing.T) {
	for _, typ := range []Type{I8, U8} {
		for op := range BinOp(NumBinOps) {
			if !op.Accepts(typ) {
				continue
			}
			for i := range 256 {
				for j := range 256 {
					checkBin(t, op, FromWord(typ, uint64(i)), FromWord(typ, uint64(j)))
				}
			}
		}
	}
}

// samples returns special and random values of an integer type.
func samples(t Type, n int, rng *rand.Rand) []Value {
	var vs []Value
	for _, w := range []uint64{0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256} {
		vs = append(vs, FromWord(t, w), FromWord(t, -w))
	}
	for _, v := range []Value{Lowest(t), Highest(t)} {
		vs = append(vs, v, FromWord(t, v.Word()+1), FromWord(t, v.Word()-1))
	}
	for range n {
		vs = append(vs, FromWord(t, rng.Uint64()>>rng.IntN(64)))
	}
	return vs
}

func TestIntegerOperatorsOnWideTypes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, typ := range []Type{I16, I32, I64, U16, U32, U64} {
		vs := samples(typ, 30, rng)
		for op := range BinOp(NumBinOps) {
			if !op.Accepts(typ) {
				continue
			}
			for _, x := range vs {
				for _, y := range vs {
					checkBin(t, op, x, y)
				}
			}
		}
	}
}

func TestIntegerFailuresAreNamed(t *testing.T) {
	for _, op := range []BinOp{Div, Mod, Quot, Rem} {
		if _, err := EvalBin(op, MakeU32(1), MakeU32(0)); !errors.Is(err, ErrDivisionByZero) {
			t.Errorf("%s by zero: %v", op, err)
		}
	}
	if _, err := EvalBin(Pow, MakeI32(2), MakeI32(-1)); !errors.Is(err, ErrNegativeExponent) {
		t.Errorf("negative power: %v", err)
	}
	if v, err := EvalBin(Div, MakeF32(1), MakeF32(0)); err != nil || v.String() != "f32.inf" {
		t.Errorf("1/0 on floats: %v, %v", v, err)
	}
}

func TestIntegerComparisonsAndUnaryOperators(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, typ := range []Type{I8, I16, I32, I64, U8, U16, U32, U64} {
		vs := samples(typ, 20, rng)
		for _, x := range vs {
			a := bigOf(x)
			want := map[UnOp]*big.Int{
				Neg: new(big.Int).Neg(a), Not: new(big.Int).Not(a), Abs: new(big.Int).Abs(a), Sgn: big.NewInt(int64(a.Sign())),
			}
			for op := range UnOp(NumUnOps) {
				if got := EvalUn(op, x); got != wrapped(typ, want[op]) {
					t.Fatalf("%s %s = %s", op, x, got)
				}
			}
			for _, y := range vs {
				c := a.Cmp(bigOf(y))
				want := [NumCmpOps]bool{Eq: c == 0, Ne: c != 0, Lt: c < 0, Le: c <= 0, Gt: c > 0, Ge: c >= 0}
				for op := range CmpOp(NumCmpOps) {
					if EvalCmp(op, x, y) != want[op] {
						t.Fatalf("%s %s %s is %v", x, op, y, !want[op])
					}
				}
			}
		}
	}
}

func TestIntegerFunctions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, typ := range []Type{I8, I16, I32, I64, U8, U16, U32, U64} {
		width := typ.Bits()
		vs := samples(typ, 20, rng)
		for _, x := range vs {
			digits := fmt.Sprintf("%0*b", width, new(big.Int).And(bigOf(x), bigOf(FromWord(typ.ToUnsigned(), ^uint64(0)))))
			ones, leading, trailing := 0, 0, 0
			for i := range digits {
				if digits[i] == '1' {
					ones++
				} else if ones == 0 {
					leading++
				}
			}
			for trailing < width && digits[width-1-trailing] == '0' {
				trailing++
			}
			for f, want := range map[Func]int{Popc: ones, Clz: leading, Ctz: trailing} {
				if got := EvalFunc(f, typ, x); got != MakeI32(int32(want)) {
					t.Fatalf("%s %s = %s, want %d", f, x, got, want)
				}
			}
			for _, y := range vs {
				hi := new(big.Int).Rsh(new(big.Int).Mul(bigOf(x), bigOf(y)), uint(width))
				if got := EvalFunc(MulHi, typ, x, y); got != wrapped(typ, hi) {
					t.Fatalf("mul_hi %s %s = %s", x, y, got)
				}
				want := wrapped(typ, hi.Add(hi, bigOf(vs[3])))
				if got := EvalFunc(MadHi, typ, x, y, vs[3]); got != want {
					t.Fatalf("mad_hi %s %s %s = %s", x, y, vs[3], got)
				}
			}
		}
	}
}

func TestNeutralElementsAreNeutral(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for op := range BinOp(NumBinOps) {
		for _, typ := range AllTypes() {
			e, ok := op.Neutral(typ)
			if !ok {
				continue
			}
			for range 50 {
				x := FromWord(typ, rng.Uint64())
				if x.IsNaN() {
					continue
				}
				l, _ := EvalBin(op, e, x)
				r, _ := EvalBin(op, x, e)
				if l != x || r != x {
					t.Errorf("%s %s %s: got %s and %s", e, op, x, l, r)
				}
			}
		}
	}
}

func TestBoolOperators(t *testing.T) {
	for _, x := range []bool{false, true} {
		if EvalUn(Not, MakeBool(x)).Bool() == x {
			t.Errorf("not %v", x)
		}
		for _, y := range []bool{false, true} {
			and, _ := EvalBin(LogAnd, MakeBool(x), MakeBool(y))
			or, _ := EvalBin(LogOr, MakeBool(x), MakeBool(y))
			if and.Bool() != (x && y) || or.Bool() != (x || y) {
				t.Errorf("%v and/or %v: %s, %s", x, y, and, or)
			}
			if EvalCmp(Lt, MakeBool(x), MakeBool(y)) != (!x && y) || EvalCmp(Le, MakeBool(x), MakeBool(y)) != (!x || y) {
				t.Errorf("order of %v and %v", x, y)
			}
		}
	}
}

func TestNegateAndSwapOfComparisons(t *testing.T) {
	for _, typ := range []Type{I32, F32, Bool} {
		vs := []Value{FromWord(typ, 0), FromWord(typ, 1)}
		if typ == F32 {
			vs = append(vs, MakeFloat(F32, math.NaN()))
		}
		for op := range CmpOp(NumCmpOps) {
			neg, valid := op.Negate(typ)
			for _, x := range vs {
				for _, y := range vs {
					if valid && EvalCmp(op, x, y) == EvalCmp(neg, x, y) {
						t.Errorf("%s is not the negation of %s at %s, %s", neg, op, x, y)
					}
					if EvalCmp(op, x, y) != EvalCmp(op.Swap(), y, x) {
						t.Errorf("%s is not %s swapped at %s, %s", op.Swap(), op, x, y)
					}
				}
			}
		}
	}
}
