package webgpu

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"skald/runtime/device"
)

// Note [Floating point]
// ~~~~~~~~~~~~~~~~~~~~~
// WGSL leaves open how arithmetic rounds, whether subnormals survive, and whether
// NaN and infinity exist. The probe runs each operation on special values against
// each other and on random ones, compares bit for bit with IEEE arithmetic on the
// host, and sorts the deviations into the few habits that devices have. Tests
// excuse what it lists and nothing else. What kernels rely on, that fma rounds
// once, a small probe finds out, as a device's first start waits for it.

//go:embed kernels/floats.wgsl
var floatSource string

//go:embed kernels/fma.wgsl
var fmaSource string

//go:embed kernels/floats64.wgsl
var float64Source string

//go:embed kernels/floats16.wgsl
var float16Source string

// Results of the f32 kernel, in its order.
const (
	opAdd = iota
	opSub
	opMul
	opDiv
	opSqrt
	opFma
	opMulAdd
	opNeg
	opRound
	opFromI32
	opFromU32
	opWhole // The integer next to a product.
	opIsNaN
	floatOps
)

var floatOpNames = [floatOps]string{
	"add", "sub", "mul", "div", "sqrt", "fma", "a*b+c", "neg", "round", "f32 of i32", "f32 of u32", "whole part", "x != x",
}

// ProbeFloats finds out how the device's floating point behaves, once, and
// completes its facts. What was found is kept in the cache. See Note [Floating point].
func (d *Device) ProbeFloats() (device.Floats, error) {
	if !d.facts.Floats.Probed {
		f, err := probed(d, "floats", func(f device.Floats) bool { return f.Probed }, d.observeF32, floatSource)
		if err != nil {
			return f, err
		}
		d.facts.Floats = f
	}
	complete := func(exactness) bool { return true }
	e, err := probed(d, "exact", complete, d.observeExact, float64Source, float16Source)
	d.facts.Floats.F64Exact, d.facts.Floats.F16Exact = e.F64, e.F16
	return d.facts.Floats, err
}

// fmaSeen is what the probe finds that a device's first start waits for.
type fmaSeen struct{ Probed, Bad bool }

// probeFma finds out whether fma rounds once.
func (d *Device) probeFma() error {
	seen, err := probed(d, "fma", func(s fmaSeen) bool { return s.Probed }, d.observeFma, fmaSource)
	d.facts.BadFma = seen.Bad
	return err
}

// fmaRounds is how many random operands of each kind probeFma takes: a device that computes fma otherwise is wrong for most.
const fmaRounds = 512

func (d *Device) observeFma() (fmaSeen, error) {
	f, err := d.judged("fma", fmaSource, fmaRounds, opFma, opWhole)
	return fmaSeen{Probed: true, Bad: !f.FmaFused || !f.FmaExact}, err
}

// exactness says whether native f64 and f16 round to nearest even.
type exactness struct{ F64, F16 bool }

func (d *Device) observeExact() (e exactness, err error) {
	if d.facts.F64 {
		if e.F64, err = d.observeF64(); err != nil {
			return e, err
		}
	}
	if d.facts.F16 {
		e.F16, err = d.observeF16()
	}
	return e, err
}

func (d *Device) observeF32() (device.Floats, error) {
	ops := make([]int, floatOps)
	for op := range ops {
		ops[op] = op
	}
	return d.judged("f32", floatSource, floatRounds, ops...)
}

// judged runs a kernel that applies operations to triples, and judges what it returns, a word for each.
func (d *Device) judged(name, source string, rounds int, ops ...int) (f device.Floats, err error) {
	triples := floatTriples(rounds)
	var in []byte
	for _, t := range triples {
		for _, x := range t {
			in = binary.LittleEndian.AppendUint32(in, math.Float32bits(x))
		}
	}
	out, err := d.runProbe(name, source, in, len(triples), 4*len(ops))
	if err != nil {
		return f, err
	}
	j := newFloatJudge()
	for i, t := range triples {
		var got [floatOps]uint32
		for k, op := range ops {
			got[op] = binary.LittleEndian.Uint32(out[4*(len(ops)*i+k):])
		}
		j.judge(t, got, ops)
	}
	return j.verdict(), nil
}

// runProbe runs a kernel over n items with the given operands, and returns what it
// wrote, resultBytes an item.
func (d *Device) runProbe(name, source string, in []byte, n, resultBytes int) ([]byte, error) {
	k, err := d.kernels.One(&d.facts, &device.KernelSpec{
		Name: "probe " + name, Source: source, Entry: "main", Buffers: 2, Params: 16, Workgroup: [3]uint32{64, 1, 1},
	})
	if err != nil {
		return nil, err
	}
	operands, err := d.Alloc(int64(len(in)))
	if err != nil {
		return nil, err
	}
	defer d.Free(operands)
	results, err := d.Alloc(int64(n * resultBytes))
	if err != nil {
		return nil, err
	}
	defer d.Free(results)
	if err := d.Upload(operands, 0, in); err != nil {
		return nil, err
	}
	err = d.Launch(device.Launch{
		Kernel: k, Groups: [3]uint32{uint32(n+63) / 64, 1, 1},
		Buffers: []device.Binding{{Buffer: operands}, {Buffer: results}}, Params: words(uint32(n), 0, 0, 0),
	})
	if err != nil {
		return nil, err
	}
	out := make([]byte, n*resultBytes)
	return out, d.Download(device.Region{Buffer: results, Data: out})
}

// floatRounds is how many random operands of each kind ProbeFloats takes.
const floatRounds = 4096

// floatTriples are the operands of a probe: special values against each other,
// cases that tell fused from unfused, and random bit patterns.
func floatTriples(rounds int) [][3]float32 {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	tiny, least := math.Float32frombits(1), math.Float32frombits(0x00800000)
	special := []float32{
		0, 1, 0.5, 1.5, 2.5, 3.5, 3, 1.0 / 3, 1e10, 16777217, 1 + 0x1p-23, 1 - 0x1p-24, 0x1p-100, 0x1p100,
		least, least * 3, math.MaxFloat32, tiny, math.Float32frombits(0x007fffff), math.Float32frombits(0x00123456), inf, nan,
	}
	for _, x := range special[:len(special)-1] {
		special = append(special, -x)
	}
	special[len(special)/2] = float32(math.Copysign(0, -1))
	var out [][3]float32
	for i, a := range special {
		for j, b := range special {
			out = append(out, [3]float32{a, b, special[(i+3*j)%len(special)]})
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range rounds {
		ordinary := func() float32 { return math.Float32frombits(r.Uint32()&0x807fffff | (100+r.Uint32()%56)<<23) }
		a, b := ordinary(), ordinary()
		out = append(out, [3]float32{a, b, ordinary()},
			[3]float32{a, b, -a * b}, // Fused, this is the product's rounding error.
			[3]float32{math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())})
	}
	return out
}

// observeF64 compares native f64 with the host's on ordinary operands.
func (d *Device) observeF64() (bool, error) {
	const n = 4096
	r := rand.New(rand.NewPCG(5, 6))
	var xs []float64
	var in []byte
	for range 2 * n {
		x := math.Float64frombits(r.Uint64()&0x800fffffffffffff | (900+r.Uint64()%200)<<52)
		xs = append(xs, x)
		in = binary.LittleEndian.AppendUint64(in, math.Float64bits(x))
	}
	out, err := d.runProbe("f64", float64Source, in, n, 32)
	if err != nil {
		return false, err
	}
	for i := range n {
		a, b := xs[2*i], xs[2*i+1]
		for k, want := range []float64{a + b, a * b, a / b, math.Sqrt(math.Abs(a))} {
			if binary.LittleEndian.Uint64(out[32*i+8*k:]) != math.Float64bits(want) {
				return false, nil
			}
		}
	}
	return true, nil
}

// observeF16 compares native f16 with rounding on the host, on operands whose
// results are in f16's normal range.
func (d *Device) observeF16() (bool, error) {
	const n = 4096
	r := rand.New(rand.NewPCG(7, 8))
	var in []byte
	var pairs [][2]float64
	for range n {
		bits := func() uint32 { return r.Uint32()&0x83ff | (12+r.Uint32()%6)<<10 }
		a, b := bits(), bits()
		in = binary.LittleEndian.AppendUint32(in, a|b<<16)
		pairs = append(pairs, [2]float64{halfValue(a), halfValue(b)})
	}
	out, err := d.runProbe("f16", float16Source, in, n, 12)
	if err != nil {
		return false, err
	}
	for i, p := range pairs {
		for k, want := range []float64{p[0] + p[1], p[0] * p[1], p[0] / p[1]} {
			got := math.Float32frombits(binary.LittleEndian.Uint32(out[12*i+4*k:]))
			if math.Abs(want) >= 0x1p-14 && float64(got) != roundHalf(want) {
				return false, nil
			}
		}
	}
	return true, nil
}

// halfValue is the value of a normal f16.
func halfValue(bits uint32) float64 {
	v := math.Ldexp(1+float64(bits&0x3ff)/1024, int(bits>>10&31)-15)
	if bits&0x8000 != 0 {
		return -v
	}
	return v
}

// roundHalf rounds to the eleven bits of a normal f16.
func roundHalf(x float64) float64 {
	m, e := math.Frexp(x)
	return math.Ldexp(math.RoundToEven(m*2048)/2048, e)
}

// describe writes a deviation for people.
func describe(op int, t [3]float32, got, want uint32) string {
	var operands []any
	for _, x := range t[:arity(op)] {
		operands = append(operands, operandText(op, math.Float32bits(x)))
	}
	if op == opIsNaN {
		operands = append(operands, operands[0])
	}
	seen := fmt.Sprintf(floatOpForms[op], operands...)
	return fmt.Sprintf("%s is %s, IEEE has %s", seen, resultText(op, got), resultText(op, want))
}

// floatOpForms are the operations as they are written.
var floatOpForms = [floatOps]string{
	"%s + %s", "%s - %s", "%s * %s", "%s / %s", "sqrt(%s)", "fma(%s, %s, %s)", "%s * %s + %s", "-(%s)", "round(%s)",
	"f32(%si)", "f32(%su)", "fma(%s, %s, 12582912) - 12582912", "%s != %s",
}

// operandText writes an operand as the operation takes it.
func operandText(op int, bits uint32) string {
	switch op {
	case opFromI32:
		return fmt.Sprint(int32(bits))
	case opFromU32:
		return fmt.Sprint(bits)
	}
	return fmt.Sprint(math.Float32frombits(bits))
}

func resultText(op int, bits uint32) string {
	if op == opIsNaN {
		return fmt.Sprint(bits != 0)
	}
	return fmt.Sprint(math.Float32frombits(bits))
}
