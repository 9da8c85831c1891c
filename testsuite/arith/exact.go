package main

import (
	"strconv"
	"strings"

	"skald/runtime/prim"
)

// meaning computes a function on canonical words.
type meaning func(args []uint64) uint64

// exactReference finds the meaning of a library function by its name, such as div_i64 or conv_f32_u8; ok is false if it
// is no function of Futhark or not exact.
func exactReference(name string) (s signature, ref meaning, ok bool) {
	if from, to, isConv := convTypes(name); isConv {
		f := prim.ConvertWord(from, to)
		return signature{name, []prim.Type{from}, to}, func(a []uint64) uint64 { return f(a[0]) }, true
	}
	i := strings.LastIndexByte(name, '_')
	if i < 0 {
		return s, nil, false
	}
	t, isType := prim.ParseType(name[i+1:])
	if !isType {
		return s, nil, false
	}
	return exactOp(name, name[:i], t)
}

func convTypes(name string) (from, to prim.Type, ok bool) {
	parts := strings.Split(name, "_")
	if len(parts) != 3 || parts[0] != "conv" {
		return from, to, false
	}
	from, ok1 := prim.ParseType(parts[1])
	to, ok2 := prim.ParseType(parts[2])
	return from, to, ok1 && ok2
}

func exactOp(name, op string, t prim.Type) (signature, meaning, bool) {
	if u, ok := prim.ParseUnOp(op); ok {
		if f, ok := prim.UnWord(u, t); ok {
			return signature{name, []prim.Type{t}, t}, func(a []uint64) uint64 { return f(a[0]) }, true
		}
	}
	if b, ok := prim.ParseBinOp(op); ok && (b != prim.Pow || !t.IsFloat()) {
		if f, ok := prim.BinWord(b, t); ok {
			return signature{name, []prim.Type{t, t}, t}, func(a []uint64) uint64 { return f(a[0], a[1]) }, true
		}
	}
	if c, ok := prim.ParseCmpOp(op); ok {
		f := prim.CmpWord(c, t)
		s := signature{name, []prim.Type{t, t}, prim.Bool}
		return s, func(a []uint64) uint64 {
			if f(a[0], a[1]) {
				return 1
			}
			return 0
		}, true
	}
	if f, ok := prim.ParseFunc(op); ok && f.Accepts(t) && isExact(f, t) {
		return exactFunc(name, f, t)
	}
	return signature{}, nil, false
}

func exactFunc(name string, f prim.Func, t prim.Type) (signature, meaning, bool) {
	s := signature{name, f.Params(t), f.Result(t)}
	switch f.Arity() {
	case 1:
		g, ok := prim.FuncWord1(f, t)
		return s, func(a []uint64) uint64 { return g(a[0]) }, ok
	case 2:
		g, ok := prim.FuncWord2(f, t)
		return s, func(a []uint64) uint64 { return g(a[0], a[1]) }, ok
	default:
		g, ok := prim.FuncWord3(f, t)
		return s, func(a []uint64) uint64 { return g(a[0], a[1], a[2]) }, ok
	}
}

// isExact reports whether the library's result must equal prim's bit for bit.
func isExact(f prim.Func, t prim.Type) bool {
	switch f {
	case prim.Floor, prim.Ceil, prim.Round, prim.Trunc, prim.Fma, prim.NextAfter, prim.Ldexp, prim.CopySign,
		prim.IsNaN, prim.IsInf, prim.ToBits, prim.FromBits, prim.MulHi, prim.MadHi, prim.Clz, prim.Ctz, prim.Popc,
		prim.Sqrt:
		return true
	case prim.Recip:
		return t != prim.F32 // 1 / x there is the hardware's.
	default:
		return false
	}
}

// same reports whether two words are the same value of a type; all NaN are.
func same(t prim.Type, x, y uint64) bool {
	if x == y {
		return true
	}
	if !t.IsFloat() {
		return false
	}
	isNaN, _ := prim.FuncWord1(prim.IsNaN, t)
	return isNaN(x) == 1 && isNaN(y) == 1
}

// show1 writes a value and its word.
func show1(t prim.Type, w uint64) string {
	return prim.FromWord(t, w).String() + " (0x" + strconv.FormatUint(w, 16) + ")"
}

// show writes the arguments of a call.
func show(types []prim.Type, args []uint64) string {
	s := ""
	for i, a := range args {
		if i > 0 {
			s += ", "
		}
		s += show1(types[i], a)
	}
	return s
}
