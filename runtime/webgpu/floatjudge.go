package webgpu

import (
	"math"

	"skald/runtime/device"
	"skald/runtime/prim"
)

// floatJudge sorts the differences between a device's f32 and IEEE's.
type floatJudge struct {
	f       device.Floats
	excused map[string]int
	// Whether operands that tell were met at all.
	sawFused, sawContracted bool
}

func newFloatJudge() *floatJudge {
	return &floatJudge{excused: map[string]int{}, f: device.Floats{
		Probed:   true,
		AddExact: true, MulExact: true, DivExact: true, SqrtExact: true, FmaExact: true, FmaFused: true,
		KeepsNaN: true, ComparesNaN: true, KeepsInf: true, KeepsZeroSign: true, RoundHalfEven: true, ConvertExact: true,
	}}
}

// verdict returns the findings once everything is judged.
func (j *floatJudge) verdict() device.Floats {
	j.f.FmaFused = j.f.FmaFused && j.sawFused
	j.f.Contracts = j.sawContracted
	return j.f
}

// note keeps one example of a kind of deviation of an operation.
func (j *floatJudge) note(kind string, op int, t [3]float32, got, want uint32) {
	key := kind + floatOpNames[op]
	if j.excused[key]++; j.excused[key] == 1 {
		j.f.Excuses = append(j.f.Excuses, device.Excuse{What: kind, Op: floatOpNames[op], Seen: describe(op, t, got, want)})
	}
}

const (
	signBit     = 1 << 31
	leastNormal = 0x00800000
)

// same: equal bits, or two NaN.
func same(x, y uint32) bool { return x == y || isNaN(x) && isNaN(y) }

func isNaN(bits uint32) bool { return bits&^signBit > 0x7f800000 }
func isInf(bits uint32) bool { return bits&^signBit == 0x7f800000 }
func isSub(bits uint32) bool { return bits&^signBit != 0 && bits&^signBit < leastNormal }

// expected returns IEEE's results for the operations on a triple.
func expected(t [3]float32) [floatOps]uint32 {
	a, b, c := t[0], t[1], t[2]
	product := a * b
	bits := math.Float32bits(a)
	w := [floatOps]float32{
		opAdd: a + b, opSub: a - b, opMul: product, opDiv: a / b, opSqrt: float32(math.Sqrt(float64(a))),
		opFma: prim.FmaF32(a, b, c), opMulAdd: product + c, opNeg: -a,
		opRound: float32(math.RoundToEven(float64(a))), opFromI32: float32(int32(bits)), opFromU32: float32(bits),
		opWhole: prim.FmaF32(a, b, wholeShift) - wholeShift,
	}
	var out [floatOps]uint32
	for op, x := range w {
		out[op] = math.Float32bits(x)
	}
	if a != a {
		out[opIsNaN] = 1
	}
	return out
}

// judge looks at the results of some operations on one triple, opFma among them.
func (j *floatJudge) judge(t [3]float32, got [floatOps]uint32, ops []int) {
	want := expected(t)
	for _, op := range ops {
		switch {
		case got[op] == want[op] || op != opIsNaN && same(got[op], want[op]):
		case op == opWhole:
			j.whole(t, got[op], want[op])
		default:
			j.deviation(op, t, got[op], want)
		}
	}
	if want[opFma] != want[opMulAdd] && ordinary(want[opFma]) && ordinary(want[opMulAdd]) && operandsOrdinary(opFma, t) {
		j.sawFused = j.sawFused || got[opFma] == want[opFma]
		j.f.FmaFused = j.f.FmaFused && got[opFma] == want[opFma]
		j.sawContracted = j.sawContracted || got[opMulAdd] == want[opFma]
	}
}

// wholeShift is added to a number and subtracted again, so that its fraction is rounded off.
const wholeShift = 0x1.8p+23

// whole looks at the integer next to a product. A device that takes the sum and the difference for nothing has no fma to rely on.
func (j *floatJudge) whole(t [3]float32, got, want uint32) {
	if operandsOrdinary(opWhole, t) && got == math.Float32bits(t[0]*t[1]) {
		j.f.FmaFused = false
		j.note("reassociation", opWhole, t, got, want)
	}
}

// ordinary: a number in the normal range.
func ordinary(bits uint32) bool {
	return !isNaN(bits) && !isInf(bits) && !isSub(bits) && bits&^signBit != 0
}

// operandsOrdinary reports whether the operands that op uses are.
func operandsOrdinary(op int, t [3]float32) bool {
	for _, x := range t[:arity(op)] {
		if !ordinary(math.Float32bits(x)) {
			return false
		}
	}
	return true
}

func arity(op int) int {
	switch op {
	case opAdd, opSub, opMul, opDiv, opWhole:
		return 2
	case opFma, opMulAdd:
		return 3
	}
	return 1
}

// deviation classifies a result that differs from IEEE's, by the first habit that
// explains it.
func (j *floatJudge) deviation(op int, t [3]float32, got uint32, wants [floatOps]uint32) {
	want := wants[op]
	has := func(what func(uint32) bool) bool {
		for _, x := range t[:arity(op)] {
			if what(math.Float32bits(x)) {
				return true
			}
		}
		return false
	}
	switch {
	case op == opIsNaN:
		j.f.ComparesNaN = false
		j.note("NaN compares", op, t, got, want)
	case op == opFromI32 || op == opFromU32:
		j.f.ConvertExact = false
		j.note("conversion", op, t, got, want)
	case has(isNaN):
		j.f.KeepsNaN = false
		j.note("NaN operand", op, t, got, want)
	case op == opFma && same(got, wants[opMulAdd]) && !has(isSub):
		j.f.FmaFused = false
		j.note("two roundings", op, t, got, want)
	case op == opMulAdd && same(got, wants[opFma]):
		j.sawContracted = true
		j.note("contraction", op, t, got, want)
	case has(isSub):
		j.f.FlushesInputs = true
		j.note("subnormal operand", op, t, got, want)
	case isSub(want) || (want&^signBit == leastNormal && got&^signBit == 0):
		j.f.FlushesResults = true // Before or after rounding.
		j.note("subnormal result", op, t, got, want)
	case arity(op) == 3 && isSub(wants[opMul]) && got == math.Float32bits(t[2]):
		j.f.FlushesResults = true
		j.note("subnormal product", op, t, got, want)
	case isNaN(want):
		j.f.KeepsNaN = false
		j.note("NaN", op, t, got, want)
	case has(isInf) || isInf(want) || isInf(got):
		j.f.KeepsInf = false
		j.note("infinity", op, t, got, want)
	case want&^signBit == 0 && got&^signBit == 0:
		j.f.KeepsZeroSign = false
		j.note("sign of zero", op, t, got, want)
	default:
		j.inexact(op)
		j.note("rounding", op, t, got, want)
	}
}

// inexact notes that an operation does not round to nearest even.
func (j *floatJudge) inexact(op int) {
	switch op {
	case opAdd, opSub:
		j.f.AddExact = false
	case opMul:
		j.f.MulExact = false
	case opDiv:
		j.f.DivExact = false
	case opSqrt:
		j.f.SqrtExact = false
	case opFma:
		j.f.FmaExact = false
	case opRound:
		j.f.RoundHalfEven = false
	}
}
