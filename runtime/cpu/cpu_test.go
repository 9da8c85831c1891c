package cpu_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"skald/middle/imp"
	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

const fill = `kernel fill(x_1: i32, write @xs_0: i32) group 4 {
  assert lt.idx(thread_id, 6:idx) site 3 (thread_id)
  @xs_0[thread_id] = x_1
}
`

func compile(t *testing.T, d device.Device, src string, buffers int) (device.Kernel, *imp.Code, *imp.Kernel) {
	t.Helper()
	p, err := imp.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	c := &imp.Code{Wide: true}
	c.Layout(p.Kernels[0])
	spec := device.KernelSpec{
		Name: "fill", Source: src, Entry: "fill", Buffers: buffers, Params: c.Bytes, Workgroup: [3]uint32{4, 1, 1},
	}
	ks, err := d.Compile([]device.KernelSpec{spec})
	if err != nil {
		t.Fatal(err)
	}
	return ks[0], c, p.Kernels[0]
}

func buffer(t *testing.T, d device.Device, n int64) device.Binding {
	t.Helper()
	b, err := d.Alloc(n)
	if err != nil {
		t.Fatal(err)
	}
	return device.Binding{Buffer: b}
}

func TestLaunchRunsAndNotesTheFirstFailure(t *testing.T) {
	d := cpu.Open(cpu.Options{Profile: true})
	defer d.Close()
	k, c, decl := compile(t, d, fill, 2)
	xs, failure := buffer(t, d, 32), buffer(t, d, 4*imp.FailureWords)
	launch := device.Launch{
		Kernel: k, Groups: [3]uint32{2, 1, 1}, Buffers: []device.Binding{xs, failure},
		Params: c.Pack(decl, []uint64{7}, 2),
	}
	if err := d.Launch(launch); err != nil {
		t.Fatal(err)
	}
	out, words := make([]byte, 32), make([]byte, 16)
	err := d.Download(device.Region{Buffer: xs.Buffer, Data: out}, device.Region{Buffer: failure.Buffer, Data: words})
	if err != nil {
		t.Fatal(err)
	}
	if x := binary.LittleEndian.Uint32(out[20:]); x != 7 {
		t.Errorf("element 5 is %d", x)
	}
	site, at := binary.LittleEndian.Uint32(words), binary.LittleEndian.Uint64(words[8:])
	if site != 4 || at != 6 && at != 7 {
		t.Errorf("failure %d at %d", site, at)
	}
	if ts := d.Timings(); len(ts) != 1 || ts[0].Kernel != "fill" {
		t.Errorf("timings %v", ts)
	}
}

func TestMistakesAreErrors(t *testing.T) {
	d := cpu.Open(cpu.Options{})
	if _, err := d.Alloc(1 << 60); !errors.Is(err, device.OutOfMemory) {
		t.Errorf("%v", err)
	}
	_, err := d.Compile([]device.KernelSpec{{Name: "k", Entry: "k", Source: "kernel k() group 1 {\n  frob\n}"}})
	devicetest.WantFault(t, "unknown statement", err, device.CompileFailed)
	b := buffer(t, d, 8)
	if err := d.Upload(b.Buffer, 4, make([]byte, 8)); !errors.Is(err, device.Misuse) {
		t.Errorf("%v", err)
	}
	k, c, decl := compile(t, d, fill, 2)
	small, failure := buffer(t, d, 8), buffer(t, d, 4*imp.FailureWords)
	err = d.Launch(device.Launch{
		Kernel: k, Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{small, failure},
		Params: c.Pack(decl, []uint64{7}, 1),
	})
	if !errors.Is(err, device.Internal) { // the kernel writes outside its array
		t.Errorf("%v", err)
	}
}
