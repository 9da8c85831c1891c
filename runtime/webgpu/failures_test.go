package webgpu

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

func TestNoLibraryAnywhereIsAnError(t *testing.T) {
	t.Setenv("SKALD_CACHE", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("SKALD_WEBGPU_LIB", "")
	t.Chdir(t.TempDir())
	for _, name := range []string{"wgpu-native", "dawn"} {
		if found := FindLibraries(Options{Library: name}); len(found) > 0 {
			t.Skipf("SKIPPED: the system has %s", found[0])
		}
		_, err := Open(Options{Library: name})
		devicetest.WantFault(t, name, err, device.NoLibrary)
	}
}

func TestLibrariesThatAreNoneAreErrors(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text.so")
	if err := os.WriteFile(text, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/nowhere/lib.so", text, t.TempDir()} {
		_, err := Open(Options{Library: path})
		devicetest.WantFault(t, path, err, device.BadLibrary)
		t.Setenv("SKALD_WEBGPU_LIB", path)
		_, err = Open(Options{})
		devicetest.WantFault(t, path+" by environment", err, device.BadLibrary)
	}
}

func TestLibraryWithoutTheNeededCallsIsAnError(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: names the C library of Linux")
	}
	_, err := Open(Options{Library: "libc.so.6"})
	devicetest.WantFault(t, "the C library", err, device.BadLibrary)
	if err != nil && !strings.Contains(err.Error(), "it has no wgpuCreateInstance") {
		t.Errorf("the missing call is not named: %v", err)
	}
}

// TestNoAdapterIsAnError has each library meet drivers that are missing or broken.
func TestNoAdapterIsAnError(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: names Vulkan drivers")
	}
	broken := filepath.Join(t.TempDir(), "broken_icd.json")
	manifest := `{"file_format_version": "1.0.0", "ICD": {"library_path": "/nowhere/driver.so", "api_version": "1.3.0"}}`
	if err := os.WriteFile(broken, []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, library := range []string{"wgpu-native", "dawn"} {
		if len(FindLibraries(Options{Library: library})) == 0 {
			t.Logf("SKIPPED: no %s", library)
			continue
		}
		_, err := Open(Options{Library: library, Driver: broken})
		devicetest.WantFault(t, library+" with a broken driver", err, device.NoAdapter)
		_, err = Open(Options{Library: library, Driver: "/nowhere/icd.json"})
		devicetest.WantFault(t, library+" with a driver that is not there", err, device.NoAdapter)
		_, err = Open(Options{Library: library, Driver: "lavapipe", Adapter: 99})
		devicetest.WantFault(t, library+" with an adapter that is not there", err, device.NoAdapter)
	}
}

// TestKernelsThatAskTooMuchNameTheFeatureOrLimit compiles kernels that the device
// lacks something for, in the words that each library has for it.
func TestKernelsThatAskTooMuchNameTheFeatureOrLimit(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		f := d.Facts()
		for _, c := range []struct {
			what   string
			offers bool // The device has it.
			source string
			want   device.Fault
		}{
			{"f16", f.F16, "enable f16;\n@compute @workgroup_size(64)\nfn main() { var x = 1.0h; x = x; }", device.Missing},
			{
				"f64", f.F64 || !d.conn.lib.native, // Standard WGSL has no such word.
				"@compute @workgroup_size(64)\nfn main() { var x: f64 = 1.0lf; x = x; }", device.Missing,
			},
			{
				"i64", f.I64 || !d.conn.lib.native,
				"@compute @workgroup_size(64)\nfn main() { var x: i64 = 1li; x = x; }", device.Missing,
			},
			{
				"threads", false,
				fmt.Sprintf("@compute @workgroup_size(%d)\nfn main() { }", 2*f.MaxThreads), device.Limit,
			},
		} {
			_, err := d.Compile([]device.KernelSpec{{Name: c.what, Source: c.source, Entry: "main"}})
			if !c.offers {
				devicetest.WantFault(t, c.what, err, c.want)
			} else if d.conn.lib.native && err != nil {
				t.Errorf("%s: %v", c.what, err)
			}
		}
		_, err := d.Compile([]device.KernelSpec{{Name: "many", Source: "", Entry: "main", Buffers: 1 + f.MaxBindings}})
		devicetest.WantFault(t, "buffers", err, device.Limit)
		_, err = d.Alloc(f.MaxBufferSize + 4)
		devicetest.WantFault(t, "size of a buffer", err, device.OutOfMemory)
	})
}

// TestDestroyedDeviceIsLost destroys the library's device behind our back, with
// work recorded and submitted. WebGPU then lets almost every call succeed.
func TestDestroyedDeviceIsLost(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		k := build(t, d, scaleKernel)
		b := alloc(t, d, 1<<20)
		launch := device.Launch{
			Kernel: k, Groups: [3]uint32{1 << 12, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: words(1<<18, 3),
		}
		must(t, d.Launch(launch), d.Flush(), d.Launch(launch))
		call(d.conn.lib.sym.DeviceDestroy, d.conn.device)
		devicetest.WantFault(t, "first flush", d.Flush(), device.Lost)
		err := d.Download(device.Region{Buffer: b, Data: make([]byte, 1<<20)})
		devicetest.WantFault(t, "download", err, device.Lost)
		for what, err := range map[string]error{"launch": d.Launch(launch), "flush": d.Flush(), "sync": d.Sync()} {
			devicetest.WantFault(t, what, err, device.Lost)
		}
		_, err = d.Alloc(1 << 24)
		devicetest.WantFault(t, "alloc", err, device.Lost)
		_, err = d.Compile([]device.KernelSpec{{Name: "new", Source: scaleKernel.Source + "\n", Entry: "scale"}})
		devicetest.WantFault(t, "compile", err, device.Lost)
	})
}
