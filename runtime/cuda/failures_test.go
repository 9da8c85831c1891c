package cuda

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

func TestFakeDriverKeepsTheContract(t *testing.T) {
	for _, o := range []Options{{}, {Timeout: time.Minute, Profile: true}} {
		d, f := openFake(t, o)
		devicetest.Run(t, d, scaleText)
		if o.Profile && len(d.Timings()) == 0 {
			t.Error("no times")
		}
		if err := errors.Join(d.Close(), d.Close()); err != nil {
			t.Error(err)
		}
		if len(f.memory) != 0 || f.held != 0 {
			t.Errorf("after closing %d blocks of memory and %d objects are left", len(f.memory), f.held)
		}
		devicetest.WantFault(t, "closed", d.Sync(), device.Lost)
	}
}

func TestDriversThatAreNoneAreErrors(t *testing.T) {
	text := filepath.Join(t.TempDir(), "libcuda.so")
	if err := os.WriteFile(text, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := openDriver([]string{"/nowhere/libcuda.so.1", text})
	devicetest.WantFault(t, "nothing there", err, device.NoLibrary)
	if runtime.GOOS == "linux" {
		_, err = openDriver([]string{"libc.so.6"})
		devicetest.WantFault(t, "the C library", err, device.BadLibrary)
		if err != nil && !strings.Contains(err.Error(), "it has no cuInit") {
			t.Errorf("the missing call is not named: %v", err)
		}
	}
}

func TestCompilersThatAreNoneAreErrors(t *testing.T) {
	for _, path := range []string{"/nowhere/libnvrtc.so", "libc.so.6"} {
		t.Setenv("SKALD_NVRTC_LIB", path)
		_, err := openCompiler()
		devicetest.WantFault(t, path, err, device.BadLibrary)
	}
	if runtime.GOOS != "linux" {
		return
	}
	t.Setenv("SKALD_NVRTC_LIB", "")
	t.Setenv("SKALD_CACHE", t.TempDir())
	if _, err := openCompiler(); err != nil { // The system may have one.
		devicetest.WantFault(t, "nothing there", err, device.NoLibrary)
	}
}

// TestMemoryIsAllocatedAtOnceWithoutAPool opens a GPU that has no pool of memory: what fails then is the other way to allocate.
func TestMemoryIsAllocatedAtOnceWithoutAPool(t *testing.T) {
	drv, f := newFake(t)
	f.fail["DeviceGetDefaultMemPool"], f.fail["MemAllocAsync"] = 801, 999
	if d, err := useAll(drv); err != nil {
		t.Error(err)
	} else if err := d.Close(); err != nil {
		t.Error(err)
	}
	f.fail["MemAlloc"] = outOfMemory
	d, err := useAll(drv)
	devicetest.WantFault(t, "MemAlloc", err, device.OutOfMemory)
	if d != nil {
		_ = d.Close() // It must return, whatever it returns.
	}
}

// TestStatusesOfTheDriverGetTheirClass has calls fail one after the other.
func TestStatusesOfTheDriverGetTheirClass(t *testing.T) {
	for _, c := range []struct {
		what, call string
		status     uint32
		want       device.Fault
	}{
		{"no GPU", "Init", 100, device.NoAdapter},
		{"driver of another version", "Init", 803, device.BadLibrary},
		{"no count", "DeviceGetCount", 999, device.Internal},
		{"GPU taken", "DevicePrimaryCtxRetain", 46, device.NoAdapter},
		{"no context", "DevicePrimaryCtxRetain", outOfMemory, device.OutOfMemory},
		{"no stream", "StreamCreate", outOfMemory, device.OutOfMemory},
		{"full", "MemAllocAsync", outOfMemory, device.OutOfMemory},
		{"code of another GPU", "ModuleLoadData", 209, device.BadLibrary},
		{"no entry point", "ModuleGetFunction", 500, device.CompileFailed},
		{"too many registers", "LaunchKernel", 701, device.Limit},
		{"not supported", "MemsetD32Async", 801, device.Missing},
		{"page-locked memory", "MemAllocHost", outOfMemory, device.OutOfMemory},
		{"fault in a kernel", "LaunchKernel", 719, device.Lost},
		{"illegal address", "StreamSynchronize", 700, device.Lost},
		{"memory error", "MemcpyDtoHAsync", 214, device.Lost},
		{"stopped by the system", "StreamSynchronize", 702, device.Timeout},
		{"stopped while copying", "EventSynchronize", 702, device.Timeout},
	} {
		t.Run(c.what, func(t *testing.T) {
			drv, f := newFake(t)
			f.fail[c.call] = c.status
			d, err := useAll(drv)
			devicetest.WantFault(t, c.call, err, c.want)
			if d == nil {
				if f.held != 0 {
					t.Errorf("%d objects are left after failing to open", f.held)
				}
				return
			}
			delete(f.fail, c.call)
			if err := d.Sync(); (c.want == device.Lost || c.want == device.Timeout) != (err != nil) {
				t.Errorf("afterwards: %v", err)
			}
			_ = d.Close() // It must return, whatever it returns.
		})
	}
}

// useAll starts a driver, opens its GPU and uses each of the device's methods,
// until something fails.
func useAll(drv *driver) (*Device, error) {
	if err := drv.start(); err != nil {
		return nil, err
	}
	gpu, err := drv.find(0)
	if err != nil {
		return nil, err
	}
	d, err := drv.open(gpu, Options{}, fakeCode)
	if err != nil {
		return nil, err
	}
	b, err := d.Alloc(1 << 20)
	if err != nil {
		return d, err
	}
	ks, err := d.Compile([]device.KernelSpec{scaleSpec})
	if err != nil {
		return d, err
	}
	return d, errors.Join(
		d.Fill(b, 0, 1<<20, 1),
		d.Upload(b, 0, make([]byte, 1<<20)),
		d.Launch(device.Launch{
			Kernel: ks[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: devicetest.Words(1, 3),
		}),
		d.Download(device.Region{Buffer: b, Data: make([]byte, 1<<20)}))
}

func TestFullDeviceLetsGoOfWhatItKeeps(t *testing.T) {
	d, f := openFake(t, Options{})
	a, err := d.Alloc(fakeRoom / 2)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Alloc(fakeRoom)
	devicetest.WantFault(t, "full", err, device.OutOfMemory)
	d.Free(a)
	b, err := d.Alloc(fakeRoom)
	if err != nil {
		t.Errorf("freed memory was not given back for a larger block: %v", err)
	}
	d.Free(b)
	if err := d.Close(); err != nil || f.room != fakeRoom {
		t.Errorf("%d bytes of %d are left: %v", f.room, fakeRoom, err)
	}
}

func TestWorkWithoutAnEndTimesOut(t *testing.T) {
	d, f := openFake(t, Options{Timeout: 20 * time.Millisecond})
	b, err := d.Alloc(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	f.busy = true
	devicetest.WantFault(t, "sync", d.Sync(), device.Timeout)
	devicetest.WantFault(t, "upload", d.Upload(b, 0, make([]byte, 1<<20)), device.Timeout)
	_, err = d.Alloc(16)
	devicetest.WantFault(t, "alloc", err, device.Timeout)
	_ = d.Close() // It must return, whatever it returns.
}

func TestKernelsOfOtherDevicesAreRefused(t *testing.T) {
	d, _ := openFake(t, Options{})
	other, _ := openFake(t, Options{})
	ks, err := other.Compile([]device.KernelSpec{scaleSpec})
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	devicetest.WantFault(t, "launch", d.Launch(device.Launch{
		Kernel: ks[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: devicetest.Words(1, 3),
	}), device.Misuse)
}

func TestGoroutinesShareAFakeDevice(t *testing.T) {
	d, _ := openFake(t, Options{})
	shareDevice(t, d)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestWaitsAreNotRoundedUp checks that what sleeping adds to a wait is a small part of it, where a sleep takes a millisecond at least.
func TestWaitsAreNotRoundedUp(t *testing.T) {
	const least = time.Millisecond
	for waited := time.Duration(0); waited < 20*time.Second; waited += 10 * time.Microsecond {
		if s := sleepAfter(waited); s > 0 && max(s, least) > waited/50 {
			t.Fatalf("after %v a wait goes on for %v more", waited, max(s, least))
		}
	}
}
