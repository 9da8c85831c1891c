package cpu_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"skald/middle/imp"
	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

func TestDeviceKeepsTheContract(t *testing.T) {
	d := cpu.Open(cpu.Options{})
	defer d.Close() //nolint:errcheck // it has nothing to report
	devicetest.Run(t, d, "")
}

func TestClosedDeviceIsLost(t *testing.T) {
	d := cpu.Open(cpu.Options{})
	if err := errors.Join(d.Close(), d.Close()); err != nil {
		t.Error(err)
	}
	if _, err := d.Alloc(8); !errors.Is(err, device.Lost) {
		t.Errorf("%v", err)
	}
}

// TestGoroutinesShareADevice has goroutines allocate, launch and read back at the
// same time.
func TestGoroutinesShareADevice(t *testing.T) {
	d := cpu.Open(cpu.Options{})
	k, c, decl := compile(t, d, fill, 2)
	var workers sync.WaitGroup
	errs := make([]error, 8)
	for w := range errs {
		workers.Go(func() { errs[w] = work(d, k, c, decl, uint64(w)) })
	}
	workers.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}

// work fills buffers with a number of its own and checks them.
func work(d *cpu.Device, k device.Kernel, c *imp.Code, decl *imp.Kernel, own uint64) error {
	for range 100 {
		xs, err := d.Alloc(16)
		if err != nil {
			return err
		}
		failure, err := d.Alloc(4 * imp.FailureWords)
		if err != nil {
			return err
		}
		got := make([]byte, 16)
		err = errors.Join(d.Fill(failure, 0, 4*imp.FailureWords, 0), d.Launch(device.Launch{
			Kernel: k, Groups: [3]uint32{1, 1, 1}, Params: c.Pack(decl, []uint64{own}, 1),
			Buffers: []device.Binding{{Buffer: xs}, {Buffer: failure}},
		}), d.Download(device.Region{Buffer: xs, Data: got}))
		if err != nil {
			return err
		}
		if x := binary.LittleEndian.Uint32(got[12:]); uint64(x) != own {
			return fmt.Errorf("worker %d reads %d", own, x)
		}
		d.Free(xs)
		d.Free(failure)
	}
	return nil
}

// TestMemoryStaysSteadyOverManyLaunches counts the heap before and after launches.
func TestMemoryStaysSteadyOverManyLaunches(t *testing.T) {
	d := cpu.Open(cpu.Options{})
	k, c, decl := compile(t, d, fill, 2)
	xs, failure := buffer(t, d, 16), buffer(t, d, 4*imp.FailureWords)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	launch := func(n int) {
		for i := range n {
			b, err := d.Alloc(1 << 10)
			if err != nil {
				t.Fatal(err)
			}
			d.Free(b)
			err = d.Launch(device.Launch{
				Kernel: k, Groups: [3]uint32{1, 1, 1}, Params: c.Pack(decl, []uint64{uint64(i)}, 1),
				Buffers: []device.Binding{xs, failure},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	launch(1000)
	before := heap()
	const n = 1_000_000
	start := time.Now()
	launch(n)
	t.Logf("%.2f µs a launch", time.Since(start).Seconds()*1e6/n)
	if after := heap(); after > before+1<<20 {
		t.Errorf("%d launches left %d KiB behind", n, (after-before)>>10)
	}
}
