package cuda

import (
	"bytes"
	"testing"

	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

// tripled launches a kernel that triples what a mapped buffer has, which is 7.
func tripled(t *testing.T, d *Device) device.Buffer {
	t.Helper()
	b, err := d.AllocMapped(4)
	if err != nil {
		t.Fatal(err)
	}
	*at[uint32](b.(*device.Block[uintptr]).Handle) = 7
	ks, err := d.Compile([]device.KernelSpec{scaleSpec})
	if err != nil {
		t.Fatal(err)
	}
	err = d.Launch(device.Launch{
		Kernel: ks[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: devicetest.Words(1, 3),
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What kernels leave in memory of the host is read without a copy on the device, with a wait for the stream if nothing else is read.
func TestResultsInMemoryOfTheHostAreNotCopied(t *testing.T) {
	d, f := openFake(t, Options{})
	got, word := make([]byte, 4), make([]byte, 4)
	other, err := d.Alloc(4)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Fill(other, 0, 4, 5); err != nil {
		t.Fatal(err)
	}
	mapped := func(b device.Buffer) device.Region { return device.Region{Buffer: b, Data: got} }
	for _, c := range []struct {
		name           string
		read           func(b device.Buffer) error
		copies, events int
	}{
		{"by themselves", func(b device.Buffer) error { return d.Download(mapped(b)) }, 0, 0},
		{"with others", func(b device.Buffer) error {
			return d.Download(device.Region{Buffer: other, Data: word}, mapped(b))
		}, 1, 1},
		{"early", func(b device.Buffer) error {
			fetch, err := d.Fetch(mapped(b))
			if err != nil {
				return err
			}
			return fetch.Wait()
		}, 0, 1},
	} {
		clear(got)
		b := tripled(t, d)
		clear(f.calls)
		if err := c.read(b); err != nil {
			t.Fatal(c.name, err)
		}
		d.Free(b)
		if !bytes.Equal(got, devicetest.Words(21)) {
			t.Errorf("%s: %x", c.name, got)
		}
		if n := f.calls["MemcpyDtoHAsync"]; n != c.copies || f.calls["EventRecord"] != c.events {
			t.Errorf("%s: %d copies and %d events, wanted %d and %d", c.name, n, f.calls["EventRecord"], c.copies, c.events)
		}
	}
	if !bytes.Equal(word, devicetest.Words(5)) {
		t.Errorf("beside it: %x", word)
	}
	if err := d.Close(); err != nil || len(f.memory) != 0 {
		t.Errorf("closed with %v; %d blocks are left", err, len(f.memory))
	}
}

// A sum that a server computes again takes two calls of the driver, and one before each that makes the context current.
func TestALaunchAndItsResultAreFourCalls(t *testing.T) {
	d, f := openFake(t, Options{})
	d.Free(tripled(t, d)) // What follows takes the same memory and code.
	clear(f.calls)
	b, got := tripled(t, d), make([]byte, 4)
	if err := d.Download(device.Region{Buffer: b, Data: got}); err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, n := range f.calls {
		all += n
	}
	if all != 4 || f.calls["LaunchKernel"] != 1 || f.calls["StreamSynchronize"] != 1 {
		t.Errorf("the calls are %v", f.calls)
	}
}

// A buffer in memory of the host that is freed, or too small, cannot be read.
func TestMappedBuffersAreChecked(t *testing.T) {
	d, _ := openFake(t, Options{})
	b := tripled(t, d)
	if err := d.Download(device.Region{Buffer: b, Data: make([]byte, 8)}); err == nil {
		t.Error("more was read than there is")
	}
	d.Free(b)
	if err := d.Download(device.Region{Buffer: b, Data: make([]byte, 4)}); err == nil {
		t.Error("a freed buffer was read")
	}
}

// A run that fails frees what it holds before it waits for what it has begun to read, which may tell why.
func TestWhatIsReadEarlyMayBeFreedBeforeTheWait(t *testing.T) {
	d, _ := openFake(t, Options{})
	b, word := tripled(t, d), make([]byte, 4)
	other, err := d.Alloc(4)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Fill(other, 0, 4, 5); err != nil {
		t.Fatal(err)
	}
	fetch, err := d.Fetch(device.Region{Buffer: b, Data: make([]byte, 4)}, device.Region{Buffer: other, Data: word})
	if err != nil {
		t.Fatal(err)
	}
	d.Free(b)
	if err := fetch.Wait(); err != nil || !bytes.Equal(word, devicetest.Words(5)) {
		t.Errorf("%x, %v", word, err)
	}
}

// A GPU that cannot write memory of the host has none.
func TestWithoutMappingThereIsNoMemoryOfTheHost(t *testing.T) {
	d, _ := openFake(t, Options{})
	d.maps = false
	if b, err := d.AllocMapped(4); b != nil || err != nil {
		t.Error(b, err)
	}
}
