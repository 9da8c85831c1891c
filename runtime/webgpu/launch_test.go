package webgpu

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

// A launch that is like an earlier one costs calls of the library and nothing of Go's heap, wherever its params lie.
func TestALaunchAllocatesNothing(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		specs := []device.KernelSpec{devicetest.Scale(scaleText)}
		if d.Facts().MaxImmediates > 0 {
			specs = append(specs, immediate(specs[0]))
		}
		ks, err := d.Compile(specs)
		if err != nil {
			t.Fatal(err)
		}
		word, err := d.Alloc(4)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range ks {
			l := device.Launch{
				Kernel: k, Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: word}}, Params: devicetest.Words(1, 3),
			}
			launch := func() {
				if err := d.Launch(l); err != nil {
					t.Error(err)
				}
			}
			launch()
			if n := testing.AllocsPerRun(100, launch); n != 0 { // fewer than a batch has
				t.Errorf("%s: a launch allocates %v times", k.Spec().Name, n)
			}
		}
	})
}

// The device begins before all is recorded: the first batch after a wait is submitted early.
func TestTheFirstBatchIsShort(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		k, b := build(t, d, scaleKernel), alloc(t, d, 4)
		must(t, d.Upload(b, 0, words(1)))
		for range 2 {
			must(t, d.Sync())
			before := d.Stats().Submits
			for n := 1; n <= firstLength+batchLength+1; n++ {
				must(t, d.Launch(device.Launch{Kernel: k, Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: words(1, 3)}))
				want := int64(0)
				switch {
				case n >= firstLength+batchLength:
					want = 2
				case n >= firstLength:
					want = 1
				}
				if got := d.Stats().Submits - before; got != want {
					t.Fatalf("%d submissions after %d launches, want %d", got, n, want)
				}
			}
		}
	})
}

// What comes after full batches comes after them on the device, too, whatever it is.
func TestFullBatchesKeepTheirPlace(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		spec := devicetest.Scale(scaleText)
		if d.Facts().MaxImmediates > 0 {
			spec = immediate(spec)
		}
		k, b, other := build(t, d, spec), alloc(t, d, 4), alloc(t, d, 4)
		read := func() uint32 {
			var got [4]byte
			must(t, d.Download(device.Region{Buffer: b, Data: got[:]}))
			return binary.LittleEndian.Uint32(got[:])
		}
		full := func(times int) {
			for range times * batchLength {
				must(t, d.Launch(device.Launch{
					Kernel: k, Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: devicetest.Words(1, 3),
				}))
			}
		}
		power := uint32(1)
		for range batchLength {
			power *= 3
		}
		for _, after := range []struct {
			name string
			do   func() error
			want uint32
		}{
			{"upload", func() error { return d.Upload(b, 0, devicetest.Words(5)) }, 5},
			{"fill", func() error { return d.Fill(b, 0, 4, 0) }, 0},
			{"copy", func() error { return errors.Join(d.Upload(other, 0, devicetest.Words(9)), d.Copy(b, 0, other, 0, 4)) }, 9},
			{"flush", d.Flush, power},
			{"read", func() error { return nil }, power},
			{"wait", d.Sync, power},
		} {
			for _, times := range []int{1, 2, 3} {
				must(t, d.Upload(b, 0, devicetest.Words(1)))
				full(times)
				must(t, after.do())
				want := after.want
				if want == power {
					for range times - 1 {
						want *= power
					}
				}
				if got := read(); got != want {
					t.Errorf("%s after %d batches: got %d, want %d", after.name, times, got, want)
				}
			}
		}
	})
}

// immediate is a kernel with its params in an immediate variable.
func immediate(s device.KernelSpec) device.KernelSpec {
	s.Name, s.Immediate = s.Name+", immediate", true
	s.Source = strings.Replace(s.Source, "@group(0) @binding(1) var<uniform>", "var<immediate>", 1)
	return s
}

// Launches of one batch with immediate params, on one buffer or on several in turn, each get their own.
func TestImmediateParams(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		if d.Facts().MaxImmediates == 0 {
			if _, err := d.Compile([]device.KernelSpec{immediate(devicetest.Scale(scaleText))}); !errors.Is(err, device.Limit) {
				t.Errorf("a kernel with immediate params: %v", err)
			}
			return
		}
		ks, err := d.Compile([]device.KernelSpec{immediate(devicetest.Scale(scaleText)), devicetest.Scale(scaleText)})
		if err != nil {
			t.Fatal(err)
		}
		var bufs []device.Buffer
		for range 2 {
			b, err := d.Alloc(4)
			if err == nil {
				err = d.Upload(b, 0, devicetest.Words(1))
			}
			if err != nil {
				t.Fatal(err)
			}
			bufs = append(bufs, b)
		}
		want := [2]uint32{1, 1}
		for i := range 60 {
			k, b, factor := i/3%2, i/7%2, uint32(2*i+3)
			err := d.Launch(device.Launch{
				Kernel: ks[k], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: bufs[b]}}, Params: devicetest.Words(1, factor),
			})
			if err != nil {
				t.Fatal(err)
			}
			want[b] *= factor
		}
		got := make([]byte, 8)
		if err := d.Download(device.Region{Buffer: bufs[0], Data: got[:4]}, device.Region{Buffer: bufs[1], Data: got[4:]}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, devicetest.Words(want[0], want[1])) {
			t.Errorf("%x, want %x", got, want)
		}
	})
}

// The device begins to work while launches are still being recorded, and goes on: batches are short.
func TestBatchesAreShort(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		ks, err := d.Compile([]device.KernelSpec{scaleKernel})
		if err != nil {
			t.Fatal(err)
		}
		word, err := d.Alloc(4)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []int64{1, 2, 5} {
			before := d.Stats().Submits
			for range want * 32 {
				err := d.Launch(device.Launch{
					Kernel: ks[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: word}}, Params: devicetest.Words(1, 1),
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if n := d.Stats().Submits - before; n != want {
				t.Errorf("%d launches: %d submissions", want*32, n)
			}
			if err := d.Sync(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Arrays of other sizes in the same blocks need no bind group of their own, but what shares a block is bound as it lies there.
func TestBindingsShowWholeBlocks(t *testing.T) {
	a, b, c := &block{size: 1000}, &block{size: 5000}, &block{size: 2000}
	bs := []bound{{a, 0, 8}, {b, 0, 8}, {c, 0, 8}, {c, 256, 8}, {block: &block{size: 100}, offset: 64, size: 4}}
	wholeBlocks(bs, 4096)
	for i, want := range []int64{1000, 4096, 8, 8, 4} {
		if bs[i].size != want {
			t.Errorf("binding %d shows %d bytes, not %d", i, bs[i].size, want)
		}
	}
}

// Kernels that differ in their names alone have one pipeline, and each its name.
func TestKernelsOfOneCodeShareAPipeline(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		one := devicetest.Scale(scaleText)
		twin := one
		twin.Name, twin.Source = "twin", "// twin\n"+one.Source
		before := d.Stats().Pipelines
		ks, err := d.Compile([]device.KernelSpec{one, twin})
		if err != nil {
			t.Fatal(err)
		}
		if n := d.Stats().Pipelines - before; n != 1 {
			t.Errorf("%d pipelines are made for two kernels of one code", n)
		}
		word, err := d.Alloc(4)
		if err == nil {
			err = d.Upload(word, 0, devicetest.Words(2))
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range ks {
			if want := []device.KernelSpec{one, twin}[i]; *k.Spec() != want {
				t.Errorf("%s is called %s", want.Name, k.Spec().Name)
			}
			l := device.Launch{
				Kernel: k, Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: word}}, Params: devicetest.Words(1, 3),
			}
			if err := d.Launch(l); err != nil {
				t.Fatal(err)
			}
		}
		got := make([]byte, 4)
		if err := d.Download(device.Region{Buffer: word, Data: got}); err != nil || !bytes.Equal(got, devicetest.Words(18)) {
			t.Errorf("2 times 3 times 3 is % x, %v", got, err)
		}
	})
}

const addText = `
struct Params { n: u32, add: u32 }
@group(0) @binding(0) var<storage, read> origin: array<u32>;
@group(0) @binding(1) var<storage, read_write> to: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.n) { to[id.x] = origin[id.x] + params.add; }
}
`

// One buffer may be read and written by a launch, in parts of it that do not overlap, where the text declares a buffer to be read alone.
func TestABufferIsReadAndWrittenInOneLaunch(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		ks, err := d.Compile([]device.KernelSpec{{
			Name: "add", Source: addText, Entry: "main", Buffers: 2, Params: 8, Workgroup: [3]uint32{64, 1, 1},
		}})
		must(t, err)
		const n = 64
		align := max(d.Facts().OffsetAlign, 4*n)
		one, other := alloc(t, d, align+4*n), alloc(t, d, 4*n)
		data := make([]byte, 4*n)
		for i := range n {
			binary.LittleEndian.PutUint32(data[4*i:], uint32(i))
		}
		must(t, d.Upload(one, 0, data))
		part := func(b device.Buffer, offset int64) device.Binding {
			return device.Binding{Buffer: b, Offset: offset, Size: 4 * n}
		}
		add := func(what uint32, from, to device.Binding) {
			t.Helper()
			params := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, n), what)
			must(t, d.Launch(device.Launch{Kernel: ks[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{from, to}, Params: params}))
		}
		first := ks[0].(*kernel)
		add(1, part(one, 0), part(other, 0))
		if !first.layout.reads.has(0) || first.layout.reads.has(1) || first.writing != nil {
			t.Fatalf("buffers %b are only read, and another kernel for both ways is %v", first.layout.reads, first.writing)
		}
		add(10, part(one, 0), part(one, align))
		add(100, part(one, align), part(one, 0))
		add(1000, part(one, 0), part(other, 0))
		if first.writing == nil || first.writing.layout.reads != 0 {
			t.Fatalf("the kernel for both ways is %+v", first.writing)
		}
		must(t, d.Download(device.Region{Buffer: other, Data: data}))
		for i := range n {
			if got := binary.LittleEndian.Uint32(data[4*i:]); got != uint32(i+1110) {
				t.Fatalf("element %d is %d", i, got)
			}
		}
	})
}
