package webgpu

import (
	"os"
	"testing"

	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

// TestDevicesAreGoneWhenClosed opens and closes devices, each with everything that
// a device can hold; on a GPU more than drivers allow a process at once.
func TestDevicesAreGoneWhenClosed(t *testing.T) {
	onEach(t, func(o *Options) { o.Profile = true }, func(t *testing.T, first *Device) {
		useEverything(t, first)
		rounds := 12
		if first.facts.Kind != device.CPU {
			rounds = 100
		}
		resident, threads := residentBytes(), threadCount()
		for i := range rounds {
			d, err := Open(first.options)
			if err != nil {
				t.Fatalf("device %d: %v", i, err)
			}
			useEverything(t, d)
			must(t, d.Close())
		}
		resident, threads = (residentBytes()-resident)/int64(rounds), threadCount()-threads
		t.Logf("%d KiB a device, %d threads more", resident>>10, threads)
		if resident > 16<<20 || threads >= rounds {
			t.Errorf("a closed device leaves %d KiB and %d threads behind", resident>>10, threads/rounds)
		}
	})
}

// useEverything has a device make each kind of object that it can hold.
func useEverything(t *testing.T, d *Device) {
	t.Helper()
	k := build(t, d, scaleKernel)
	b := alloc(t, d, 1024) // In use until the end.
	d.Free(alloc(t, d, 1024))
	must(t,
		d.Upload(b, 0, make([]byte, 1024)),
		d.Launch(device.Launch{
			Kernel: k, Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: devicetest.Words(4, 3),
		}),
		d.Upload(b, 1, []byte{1, 2, 3}),
		d.Fill(b, 0, 512, 7),
		d.Download(device.Region{Buffer: b, Data: make([]byte, 100)}))
}

// threadCount is the number of threads of this process as Linux counts them, 0 elsewhere.
func threadCount() int {
	tasks, _ := os.ReadDir("/proc/self/task") // Elsewhere there is no such folder.
	return len(tasks)
}
