package webgpu

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"skald/runtime/cache"
	"skald/runtime/device"
	"skald/runtime/device/devicetest"
	"skald/runtime/dynlib"
)

// Results of Vulkan that the driver is made to give.
const (
	vkOutOfDeviceMemory = ^int32(1) // -2
	vkDeviceLost        = ^int32(3) // -4
)

// injections are failures of the driver, by the variable of testdata/failing_driver.c that brings them about.
var injections = []struct {
	name, variable string
	result         int32
	want           device.Fault
}{
	{"memory is full", "failing_memory", vkOutOfDeviceMemory, device.OutOfMemory},
	{"lost while memory is taken", "failing_memory", vkDeviceLost, device.Lost},
	{"lost while work is submitted", "failing_submit", vkDeviceLost, device.Lost},
	{"no memory for a submission", "failing_submit", vkOutOfDeviceMemory, device.Lost}, // Both libraries give up then.
	{"lost while work is waited for", "failing_wait", vkDeviceLost, device.Lost},
}

// TestFailuresOfTheDriverAreErrors puts a driver between the library and lavapipe or SwiftShader whose calls fail. Each
// failure has a process of its own, which must not end before it has reported.
func TestFailuresOfTheDriverAreErrors(t *testing.T) {
	if run := os.Getenv("SKALD_TEST_INJECT"); run != "" {
		runInjected(run)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	driver := failingDriver(t)
	for _, c := range configurations {
		for _, inject := range injections {
			t.Run(c.name+"/"+inject.name, func(t *testing.T) {
				t.Parallel()
				real := filepath.Join(cache.Dir(), "drivers", "lavapipe", "libvulkan_lvp.so")
				if c.options.Driver == "swiftshader" {
					real = filepath.Join(cache.Dir(), "drivers", "swiftshader", "libvk_swiftshader.so")
				}
				cmd := exec.Command(exe, "-test.run=^TestFailuresOfTheDriverAreErrors$")
				cmd.Env = append(os.Environ(), "SKALD_TEST_INJECT="+c.name+"/"+inject.name,
					"SKALD_TEST_MANIFEST="+driver, "SKALD_TEST_DRIVER="+real)
				timer := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
				defer timer.Stop()
				out, err := cmd.CombinedOutput()
				_, report, _ := strings.Cut(string(out), "report: ")
				switch {
				case strings.HasPrefix(report, "skip: "):
					t.Skip("SKIPPED: " + report)
				case err != nil || !strings.HasPrefix(report, "good"):
					t.Errorf("%v: %s", err, out)
				default:
					t.Log(report)
				}
			})
		}
	}
}

// failingDriver compiles the driver and returns the path of its manifest.
func failingDriver(t *testing.T) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("SKIPPED: no C compiler, or no Linux")
	}
	dir := t.TempDir()
	library, manifest := filepath.Join(dir, "libfailing.so"), filepath.Join(dir, "failing_icd.json")
	out, err := exec.Command(cc, "-shared", "-fPIC", "-o", library, "testdata/failing_driver.c", "-ldl").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := fmt.Sprintf(`{"file_format_version": "1.0.0", "ICD": {"library_path": %q, "api_version": "1.3.0"}}`, library)
	if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return manifest
}

// runInjected is the child: it prints what came of the failure and ends the process.
func runInjected(run string) {
	for _, c := range configurations {
		for _, inject := range injections {
			if c.name+"/"+inject.name == run {
				c.options.Driver = os.Getenv("SKALD_TEST_MANIFEST")
				fmt.Println("report: " + injected(c.options, inject.variable, inject.result, inject.want))
			}
		}
	}
	os.Exit(0)
}

// injected has a device work, then its driver fail, and then tries everything.
func injected(o Options, variable string, result int32, want device.Fault) string {
	d, err := Open(o)
	if errors.Is(err, device.NoLibrary) || errors.Is(err, device.NoAdapter) {
		return "skip: " + err.Error()
	}
	if err != nil {
		return err.Error()
	}
	if err := work(d, 0, 2); err != nil {
		return err.Error()
	}
	lib, err := dynlib.Open(filepath.Join(filepath.Dir(o.Driver), "libfailing.so"), dynlib.Private)
	if err != nil {
		return err.Error()
	}
	at := lib.Symbol(variable)
	failing := *(**int32)(unsafe.Pointer(&at))
	b, err := d.Alloc(1 << 10)
	if err := errors.Join(err, d.Fill(b, 0, 1<<10, 7), fullBatches(d), d.Fill(b, 0, 1<<10, 8), d.Flush()); err != nil {
		return err.Error()
	}
	*failing = result
	first := fullBatches(d)
	if first == nil {
		first = strain(d)
	}
	if !errors.Is(first, want) {
		return fmt.Sprintf("got %v, want %v", first, want)
	}
	if want == device.Lost {
		if err := work(d, 1, 1); !errors.Is(err, device.Lost) {
			return fmt.Sprintf("later calls do not fail: %v", err)
		}
		_ = d.Close() // It must return, whatever it returns.
		return "good: " + first.Error()
	}
	*failing = 0
	if err := errors.Join(work(d, 1, 1), d.Close()); err != nil {
		return "the device does not recover: " + err.Error()
	}
	return "good: " + first.Error()
}

// strain allocates, launches and waits until something fails.
func strain(d *Device) error {
	for range 3 {
		b, err := d.Alloc(100 << 20)
		if err != nil {
			return err
		}
		err = errors.Join(d.Upload(b, 0, make([]byte, 1<<10)), work(d, 2, 1), d.Sync())
		if err != nil {
			return err
		}
		d.Free(b)
	}
	return nil
}

// fullBatches launches what fills three batches, and waits for them.
func fullBatches(d *Device) error {
	spec := devicetest.Scale(scaleText)
	if d.facts.MaxImmediates > 0 {
		spec = immediate(spec)
	}
	ks, err := d.Compile([]device.KernelSpec{spec})
	if err != nil {
		return err
	}
	b, err := d.Alloc(4)
	if err != nil {
		return err
	}
	defer d.Free(b)
	for range 3 * batchLength {
		err := d.Launch(device.Launch{
			Kernel: ks[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: devicetest.Words(1, 3),
		})
		if err != nil {
			return err
		}
	}
	return d.Sync()
}
