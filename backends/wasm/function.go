package wasm

import (
	"math"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// instructions are the functions of floats that are one.
var instructions = map[prim.Func]op{
	prim.Sqrt: fsqrt, prim.Floor: ffloor, prim.Ceil: fceil, prim.Trunc: ftrunc, prim.Round: fnearest, prim.CopySign: fcopysign,
}

// function1 calls a built-in function with the arguments on the stack.
func (w *writer) function1(f prim.Func, t prim.Type) {
	i, single := instructions[f]
	switch {
	case (f == prim.ToBits || f == prim.FromBits) && t == prim.F16: // They are what registers hold.
	case t == prim.F16:
		w.hostFunction(f, t)
	case single:
		w.emit(at(t, i))
	case t.IsFloat():
		w.floatFunction(f, t)
	default:
		w.intFunction(f, t)
	}
}

// hostFunction lets the evaluator's arithmetic compute a function.
func (w *writer) hostFunction(f prim.Func, t prim.Type) {
	var run func(s []uint64) uint64
	switch f.Arity() {
	case 1:
		g, _ := prim.FuncWord1(f, t)
		run = func(s []uint64) uint64 { return g(s[0]) }
	case 2:
		g, _ := prim.FuncWord2(f, t)
		run = func(s []uint64) uint64 { return g(s[0], s[1]) }
	default:
		g, _ := prim.FuncWord3(f, t)
		run = func(s []uint64) uint64 { return g(s[0], s[1], s[2]) }
	}
	w.host(f.String(), t, f.Params(t), f.Result(t), run)
}

func (w *writer) floatFunction(f prim.Func, t prim.Type) {
	lt := typeOf(imp.Of(t))
	switch f { //nolint:exhaustive // the others are the evaluator's
	case prim.ToBits:
		w.emit(map[Type]op{F32: i32ReinterpretF, F64: i64ReinterpretF}[lt])
	case prim.FromBits:
		w.emit(map[Type]op{F32: f32ReinterpretI, F64: f64ReinterpretI}[lt])
	case prim.IsNaN:
		x := w.temp(lt)
		w.tee(x)
		w.get(x)
		w.emit(at(t, fne))
		w.release(lt, x)
	case prim.IsInf:
		w.emit(at(t, fabs))
		w.value(t, prim.MakeFloat(t, math.Inf(1)))
		w.emit(at(t, feq))
	case prim.Recip:
		x := w.temp(lt)
		w.set(x)
		w.value(t, prim.One(t))
		w.get(x)
		w.emit(at(t, fdiv))
		w.release(lt, x)
	case prim.RSqrt: // an f32's in an f64, whose result is then rounded
		x := w.temp(F64)
		if t == prim.F32 {
			w.emit(f64PromoteF32)
		}
		w.set(x)
		w.value(prim.F64, prim.One(prim.F64))
		w.get(x)
		w.emit(at(prim.F64, fsqrt), at(prim.F64, fdiv))
		if t == prim.F32 {
			w.emit(f32DemoteF64)
		}
		w.release(F64, x)
	case prim.Mad:
		c := w.temp(lt)
		w.set(c)
		w.emit(at(t, fmul))
		w.get(c)
		w.emit(at(t, fadd))
		w.release(lt, c)
	default:
		w.hostFunction(f, t)
	}
}

func (w *writer) intFunction(f prim.Func, t prim.Type) {
	width := t.Bits()
	switch {
	case f == prim.MulHi && width == 32:
		w.highProduct(t)
	case width == 64 && (f == prim.Clz || f == prim.Ctz || f == prim.Popc):
		w.emit(at(t, bitCounts[f]), i32WrapI64)
	case width == 32 && (f == prim.Clz || f == prim.Ctz || f == prim.Popc):
		w.emit(bitCounts[f])
	case f == prim.Clz:
		w.constant(i32Const, maskOf(t))
		w.emit(and, clz)
		w.constant(i32Const, 32-width)
		w.emit(sub)
	case f == prim.Ctz: // a bit behind the last ends the count
		w.constant(i32Const, 1<<width)
		w.emit(or, ctz)
	case f == prim.Popc:
		w.constant(i32Const, maskOf(t))
		w.emit(and, popcnt)
	default:
		w.hostFunction(f, t)
	}
}

var bitCounts = map[prim.Func]op{prim.Clz: clz, prim.Ctz: ctz, prim.Popc: popcnt}

// highProduct is the upper half of the product of two numbers of 32 bits.
func (w *writer) highProduct(t prim.Type) {
	extend := i64ExtendI32U
	if t.IsSigned() {
		extend = i64ExtendI32S
	}
	y := w.temp(I64)
	w.emit(extend)
	w.set(y)
	w.emit(extend)
	w.get(y)
	w.emit(mul + toI64)
	w.constant(i64Const, 32)
	w.emit(shrU+toI64, i32WrapI64)
	w.release(I64, y)
}

// host calls a function of the evaluator's arithmetic, which takes and returns canonical words, with what is on the stack.
func (w *writer) host(name string, t prim.Type, params []prim.Type, result prim.Type, f func(args []uint64) uint64) {
	types := make([]Type, len(params))
	for i, p := range params {
		types[i] = typeOf(imp.Of(p))
	}
	w.with(call, w.module.imported(Import{
		Name: name + "_" + t.String(), Params: types, Results: []Type{typeOf(imp.Of(result))},
		Call: func(stack []uint64) {
			for i, p := range params {
				stack[i] = prim.Canonical(p, stack[i])
			}
			stack[0] = f(stack)
			if result.Bits() < 64 {
				stack[0] = uint64(uint32(stack[0]))
			}
		},
	}))
}
