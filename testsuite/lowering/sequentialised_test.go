package lowering

import (
	"testing"

	"skald/compiler"
	"skald/runtime/device"
	"skald/runtime/value"
)

// smaller is d with smaller buffers, filled by few threads.
func smaller(d device.Device, bytes int64) device.Device {
	f := *d.Facts()
	f.MaxBufferSize, f.Units = bytes, 1<<12
	return &limited{d, f}
}

// TestBodiesAreSequentialisedWhereArraysWouldBeTooLarge runs a map whose kernels would pass on arrays larger than a buffer: points take
// one after the other in memory for as many as saturate the device.
func TestBodiesAreSequentialisedWhereArraysWouldBeTooLarge(t *testing.T) {
	checked, sink, ok := compiler.Check("testdata/sequentialised.fut", compiler.CheckOptions{})
	if !ok {
		t.Fatal(sink)
	}
	prog, diagnostic := compiler.Compile(checked, compiler.CompileOptions{})
	if diagnostic != nil {
		t.Fatal(diagnostic)
	}
	const n, m = 20_000, 40
	const between = n * m * 4
	xs, sums, most := make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range xs {
		xs[i] = int32(pseudo(i))
		sums[i], most[i] = sequentialised(xs[i], m)
	}
	for name, d := range devices(t) {
		t.Run(name, func(t *testing.T) {
			for _, bytes := range []int64{d.Facts().MaxBufferSize, between / 2} {
				low, err := prog.Lower(on(name, smaller(d, bytes)).Model)
				if err != nil {
					t.Fatal(err)
				}
				p, err := compiler.LoadLow(low, on(name, d))
				if err != nil {
					t.Fatal(err)
				}
				for _, tune := range p.Tunes() { // No number of points is enough for a version of one kernel.
					if err := p.SetTune(tune.Name, 1<<40); err != nil {
						t.Fatal(err)
					}
				}
				before := d.Stats()
				check(t, p, []value.Value{scalar(int64(m)), value.FromSlice(xs)}, []value.Value{value.FromSlice(sums), value.FromSlice(most)})
				launches := d.Stats().Launches - before.Launches
				if whole := bytes < between; whole != (launches == 1) {
					t.Errorf("with buffers of %d bytes there are %d launches", bytes, launches)
				}
				p.Close()
			}
		})
	}
}

// sequentialised is what testdata/sequentialised.fut computes at one point.
func sequentialised(x int32, m int) (sum, most int32) {
	ys := make([]int32, m)
	acc := int32(0)
	for j := range ys {
		acc += x ^ int32(j)
		ys[j] = acc
		sum += acc
	}
	for j := range ys {
		z := ys[(2*m-2-j)%m] // the element after j in what is reversed
		most = max(most, z*z-ys[j])
	}
	return sum, most
}
