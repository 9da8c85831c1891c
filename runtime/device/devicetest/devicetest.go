package devicetest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"skald/runtime/device"
)

// Run runs all tests on an open device. The text is that of Scale; it is empty for a device that takes no text.
func Run(t *testing.T, d device.Device, text string) {
	t.Helper()
	t.Run("transfers of any bytes", func(t *testing.T) { transfers(t, d) })
	t.Run("large transfers", func(t *testing.T) { largeTransfers(t, d) })
	t.Run("readings that begin early", func(t *testing.T) { fetches(t, d) })
	t.Run("launches in order", func(t *testing.T) { launches(t, d, text) })
	t.Run("mistakes are errors", func(t *testing.T) { mistakes(t, d) })
}

// Words lays 32-bit words out as a params block.
func Words(ws ...uint32) []byte {
	var out []byte
	for _, w := range ws {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// Scale is a kernel that multiplies the first n words of a buffer by a factor; its
// params are n and the factor. The text is that of a device's language, where the
// kernel is called scale and runs in workgroups of 64 threads.
func Scale(text string) device.KernelSpec {
	return device.KernelSpec{
		Name: "scale", Source: text, Entry: "scale", Buffers: 1, Params: 8, Workgroup: [3]uint32{64, 1, 1},
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func alloc(t *testing.T, d device.Device, size int64) device.Buffer {
	t.Helper()
	b, err := d.Alloc(size)
	must(t, err)
	return b
}

// transfers compares random uploads, copies, fills and downloads with the same on
// host memory.
func transfers(t *testing.T, d device.Device) {
	r := rand.New(rand.NewPCG(1, 2))
	sizes := []int{1, 3, 64, 1001, 4099, 70000}
	buffers, mirror := make([]device.Buffer, len(sizes)), make([][]byte, len(sizes))
	for i, n := range sizes {
		buffers[i], mirror[i] = alloc(t, d, int64(n)), make([]byte, n)
		defer d.Free(buffers[i])
		must(t, d.Upload(buffers[i], 0, mirror[i]))
	}
	span := func(i int) (at, n int) {
		at = r.IntN(sizes[i])
		return at, r.IntN(sizes[i]-at) + 1
	}
	for step := range 200 {
		i, j := r.IntN(len(sizes)), r.IntN(len(sizes))
		at, n := span(i)
		switch r.IntN(4) {
		case 0:
			data := make([]byte, n)
			for k := range data {
				data[k] = byte(r.Uint32())
			}
			must(t, d.Upload(buffers[i], int64(at), data))
			copy(mirror[i][at:], data)
		case 1:
			from, m := span(j)
			n = min(n, m)
			if i == j && from < at+n && at < from+n {
				continue
			}
			must(t, d.Copy(buffers[i], int64(at), buffers[j], int64(from), int64(n)))
			copy(mirror[i][at:at+n], mirror[j][from:])
		case 2:
			at, n = at&^3, n&^3
			if at+n > sizes[i] {
				continue
			}
			w := r.Uint32() * uint32(r.IntN(2))
			must(t, d.Fill(buffers[i], int64(at), int64(n), w))
			for k := 0; k < n; k += 4 {
				copy(mirror[i][at+k:], Words(w))
			}
		case 3:
			got := make([]byte, n)
			must(t, d.Download(device.Region{Buffer: buffers[i], Offset: int64(at), Data: got}))
			if !bytes.Equal(got, mirror[i][at:at+n]) {
				t.Fatalf("step %d: %d bytes at %d of buffer %d differ", step, n, at, i)
			}
		}
	}
	var regions []device.Region
	for i := range buffers {
		regions = append(regions, device.Region{Buffer: buffers[i], Data: make([]byte, sizes[i])})
	}
	must(t, d.Download(regions...))
	for i := range buffers {
		if !bytes.Equal(regions[i].Data, mirror[i]) {
			t.Errorf("buffer %d differs at the end", i)
		}
	}
}

// largeTransfers sends more than a staging buffer holds there and back.
func largeTransfers(t *testing.T, d device.Device) {
	const n = 40<<20 + 5
	data := make([]byte, n)
	r := rand.New(rand.NewPCG(5, 6))
	for i := 0; i+8 <= n; i += 8 {
		binary.LittleEndian.PutUint64(data[i:], r.Uint64())
	}
	b := alloc(t, d, n)
	defer d.Free(b)
	got := make([]byte, n)
	must(t, d.Upload(b, 0, data), d.Download(device.Region{Buffer: b, Data: got}))
	if !bytes.Equal(data, got) {
		t.Error("the bytes differ")
	}
}

// fetches checks that a reading has what was there when it began, however many are under way.
func fetches(t *testing.T, d device.Device) {
	f, ok := d.(device.Fetcher)
	if !ok {
		t.Skip("SKIPPED: the device reads nothing early")
	}
	b := alloc(t, d, 40)
	defer d.Free(b)
	first, second := make([]byte, 8), make([]byte, 3)
	must(t, d.Fill(b, 0, 40, 0x01020304))
	one, err := f.Fetch(device.Region{Buffer: b, Offset: 8, Data: first}, device.Region{Buffer: b, Offset: 33, Data: second})
	must(t, err)
	must(t, d.Fill(b, 0, 40, 0))
	third := make([]byte, 4)
	two, err := f.Fetch(device.Region{Buffer: b, Data: third})
	must(t, err)
	must(t, d.Upload(b, 0, []byte{9, 9, 9, 9}))
	got := make([]byte, 4)
	before := d.Stats().Syncs
	must(t, two.Wait(), one.Wait())
	if n := d.Stats().Syncs - before; n != 2 {
		t.Errorf("two waits count as %d", n)
	}
	must(t, d.Download(device.Region{Buffer: b, Data: got}))
	if !bytes.Equal(first, []byte{4, 3, 2, 1, 4, 3, 2, 1}) || !bytes.Equal(second, []byte{3, 2, 1}) || !bytes.Equal(third, make([]byte, 4)) ||
		!bytes.Equal(got, []byte{9, 9, 9, 9}) {
		t.Errorf("read %v, %v, %v and %v", first, second, third, got)
	}
	before = d.Stats().Syncs
	for i := range byte(4) { // Dropped readings leave others what they read.
		must(t, d.Upload(b, 0, []byte{i, 0, 0, 0}))
		dropped, err := f.Fetch(device.Region{Buffer: b, Data: make([]byte, 4)})
		must(t, err)
		must(t, d.Upload(b, 0, []byte{i + 10, 0, 0, 0}))
		kept, err := f.Fetch(device.Region{Buffer: b, Data: third})
		must(t, err)
		dropped.Drop()
		must(t, kept.Wait(), d.Download(device.Region{Buffer: b, Data: got}))
		if third[0] != i+10 || got[0] != i+10 {
			t.Errorf("read %v and %v, not %d", third, got, i+10)
		}
	}
	if n := d.Stats().Syncs - before; n != 8 {
		t.Errorf("eight waits and four dropped readings count as %d", n)
	}
}

// launches checks that launches see their own params and each other's results.
func launches(t *testing.T, d device.Device, text string) {
	if text == "" {
		t.Skip("SKIPPED: the device takes no kernels as text")
	}
	ks, err := d.Compile([]device.KernelSpec{Scale(text)})
	must(t, err)
	b := alloc(t, d, 400)
	defer d.Free(b)
	in := make([]uint32, 100)
	for i := range in {
		in[i] = uint32(i)
	}
	must(t, d.Upload(b, 0, Words(in...)))
	before := d.Stats()
	for _, factor := range []uint32{3, 5, 7} {
		must(t, d.Launch(device.Launch{
			Kernel: ks[0], Groups: [3]uint32{2, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: Words(100, factor),
		}))
	}
	got := make([]byte, 400)
	must(t, d.Download(device.Region{Buffer: b, Data: got}))
	for i := range in {
		if w := Words(in[i] * 105); !bytes.Equal(w, got[4*i:4*i+4]) {
			t.Fatalf("element %d: %x, want %x", i, got[4*i:4*i+4], w)
		}
	}
	after := d.Stats()
	if after.Launches-before.Launches != 3 || after.Submits-before.Submits != 1 ||
		after.Downloaded-before.Downloaded != 400 {
		t.Errorf("three launches and a read-back were not one batch: before %+v, after %+v", before, after)
	}
}

// mistakes checks that wrong use returns errors of the right class and leaves the
// device good.
func mistakes(t *testing.T, d device.Device) {
	_, huge := d.Alloc(1 << 50)
	other := device.NewRecorder(device.NullFacts())
	foreign, err := other.Alloc(16)
	must(t, err)
	freed := alloc(t, d, 16)
	d.Free(freed)
	b := alloc(t, d, 8)
	defer d.Free(b)
	for name, c := range map[string]struct {
		err  error
		want device.Fault
	}{
		"too large a buffer":      {huge, device.OutOfMemory},
		"another device's buffer": {d.Upload(foreign, 0, Words(1)), device.Misuse},
		"freed buffer":            {d.Upload(freed, 0, Words(1)), device.Misuse},
		"beyond the end":          {d.Upload(b, 4, Words(1, 2)), device.Misuse},
		"fill of half a word":     {d.Fill(b, 2, 4, 0), device.Misuse},
		"no kernel":               {d.Launch(device.Launch{}), device.Misuse},
	} {
		if device.FaultOf(c.err) != c.want {
			t.Errorf("%s: got %v, want %v", name, c.err, c.want)
		}
	}
	got := make([]byte, 4)
	must(t, d.Upload(b, 0, Words(42)), d.Download(device.Region{Buffer: b, Data: got}))
	if !bytes.Equal(got, Words(42)) {
		t.Errorf("after errors the device has %x", got)
	}
}

// Full fills the memory of a device, which must have its own: software drivers
// would take the machine's. It checks the error, and that the device recovers.
func Full(t *testing.T, d device.Device) {
	t.Helper()
	size := min(d.Facts().MaxBufferSize, 4<<30)
	var held []device.Buffer
	var err error
	for len(held) < 1000 && err == nil {
		var b device.Buffer
		if b, err = d.Alloc(size); err == nil {
			held = append(held, b)
		}
	}
	t.Logf("%d buffers of %d bytes, then: %v", len(held), size, err)
	if !errors.Is(err, device.OutOfMemory) {
		t.Errorf("a full device returns %v", err)
	}
	for _, b := range held {
		d.Free(b)
	}
	transfers(t, d)
	b := alloc(t, d, size-512) // Of another class: the pool has to let go.
	d.Free(b)
}
