package cuda

import (
	"testing"

	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

// BenchmarkLaunch measures what a launch costs the host beside the driver, whose place a Go function takes.
func BenchmarkLaunch(b *testing.B) {
	theFake = &fake{fail: map[string]uint32{}, memory: map[uintptr][]byte{}, calls: map[string]int{}, room: fakeRoom}
	d, err := (&driver{sym: fakeSymbols(), pool: fakePool(), graphs: fakeGraphs(), waits: fakeWaits()}).open(0, Options{}, fakeCode)
	if err != nil {
		b.Fatal(err)
	}
	ks, err := d.Compile([]device.KernelSpec{scaleSpec})
	if err != nil {
		b.Fatal(err)
	}
	buffer, err := d.Alloc(256)
	if err != nil {
		b.Fatal(err)
	}
	l := device.Launch{
		Kernel: ks[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: buffer}}, Params: devicetest.Words(0, 3),
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Launch(l); err != nil {
			b.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		b.Error(err)
	}
}
