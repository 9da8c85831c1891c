package conformance

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"skald/compiler"
	"skald/runtime/cache"
	"skald/runtime/device"
	"skald/runtime/dynlib"
)

// What the variable of the test's environment tells a process to be: a worker whose device is lost in some cases.
const losingWorker = "losing"

// vkDeviceLost is the result of Vulkan.
const vkDeviceLost = ^int32(3)

// TestLostDeviceIsBlamedOnOneCase has a driver that is lost in the case `lose`, always, and in the case `unlucky`, once, as if
// another process had taken the device with it. All other cases pass, on devices that are opened for them.
func TestLostDeviceIsBlamedOnOneCase(t *testing.T) {
	for _, library := range []string{"wgpu-native", "dawn"} {
		t.Run(library, func(t *testing.T) { testLostDevice(t, library) })
	}
}

func testLostDevice(t *testing.T, library string) {
	dir := t.TempDir()
	manifest := failingDriver(t, dir)
	if _, err := openOn(library, "lavapipe"); errors.Is(err, device.NoLibrary) || errors.Is(err, device.NoAdapter) {
		t.Skip("SKIPPED: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	started := 0
	w := &Worker{
		Command: func() *exec.Cmd {
			started++
			cmd := exec.Command(exe) //nolint:gosec // this program itself
			cmd.Env = append(os.Environ(), "SKALD_TEST_WORKER="+losingWorker, "SKALD_TEST_LIBRARY="+library,
				"SKALD_TEST_MANIFEST="+manifest, "SKALD_TEST_ONCE="+filepath.Join(dir, "once"),
				"SKALD_TEST_DRIVER="+filepath.Join(cache.Dir(), "drivers", "lavapipe", "libvulkan_lvp.so"))
			return cmd
		},
		Silence: time.Minute, Others: &sync.RWMutex{},
	}
	defer w.Close()
	text := ""
	for _, entry := range []string{"first", "unlucky", "between", "lose", "last"} {
		text += fmt.Sprintf("-- ==\n-- entry: %[1]s\n-- input { [2, 3] } output { [3, 4] }\nentry %[1]s (xs: []i32) = map (+ 1) xs\n", entry)
	}
	path := filepath.Join(dir, "program.fut")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	results := w.File(path)
	cases := 0
	for _, r := range results {
		if r.Kind == Ran {
			cases++
		}
		switch {
		case r.Entry == "lose":
			if r.Status != Fail || !strings.Contains(r.Reason, "lost the device: ") {
				t.Errorf("the case that loses the device: %v, %q", r.Status, r.Reason)
			}
		case r.Status != Pass:
			t.Errorf("%s %s: %v, %q", r.Kind, r.Entry, r.Status, r.Reason)
		case (r.Earlier != "") != (r.Entry == "unlucky"):
			t.Errorf("%s %s was run again: %q", r.Kind, r.Entry, r.Earlier)
		}
	}
	if cases != 5 || started != 3 {
		t.Errorf("%d results of cases and %d workers, want 5 and 3: %+v", cases, started, results)
	}
}

func openOn(library, driver string) (*compiler.Device, error) {
	dev, _, err := compiler.OpenDevice(webGPU(library, driver, "true"))
	if err != nil {
		return nil, err
	}
	return dev, nil
}

// failingDriver compiles the driver and returns the path of its manifest.
func failingDriver(t *testing.T, dir string) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("SKIPPED: no C compiler, or no Linux")
	}
	library, manifest := filepath.Join(dir, "libfailing.so"), filepath.Join(dir, "failing_icd.json")
	source := filepath.Join("..", "..", "runtime", "webgpu", "testdata", "failing_driver.c")
	compile := exec.Command(cc, "-shared", "-fPIC", "-o", library, source, "-ldl") //nolint:gosec // paths of the test
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := fmt.Sprintf(`{"file_format_version": "1.0.0", "ICD": {"library_path": %q, "api_version": "1.3.0"}}`, library)
	if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return manifest
}

// serveLosing is the worker: it serves on the failing driver.
func serveLosing() error {
	manifest := os.Getenv("SKALD_TEST_MANIFEST")
	dev, err := openOn(os.Getenv("SKALD_TEST_LIBRARY"), manifest)
	if err != nil {
		return err
	}
	lib, err := dynlib.Open(filepath.Join(filepath.Dir(manifest), "libfailing.so"), dynlib.Private)
	if err != nil {
		return err
	}
	at := lib.Symbol("failing_submit")
	return Serve(os.Stdin, &losing{out: os.Stdout, failing: *(**int32)(unsafe.Pointer(&at))}, File, Options{Executor: On("losing", dev)})
}

// losing passes on what a worker writes, and has the device lost when certain cases begin.
type losing struct {
	out     io.Writer
	failing *int32
}

// Write passes one message on.
func (l *losing) Write(message []byte) (int, error) {
	text := string(message)
	if strings.Contains(text, `"begin"`) {
		if strings.Contains(text, `"lose"`) {
			*l.failing = vkDeviceLost
		}
		if once := os.Getenv("SKALD_TEST_ONCE"); strings.Contains(text, `"unlucky"`) {
			if _, err := os.Stat(once); errors.Is(err, os.ErrNotExist) {
				*l.failing = vkDeviceLost
				if err := os.WriteFile(once, nil, 0o600); err != nil {
					return 0, err
				}
			}
		}
	}
	return l.out.Write(message)
}

// TestGuaranteedConfigurations opens a device with no more than WebGPU guarantees, of whose workgroup memory lowering leaves
// room for the word of failures.
func TestGuaranteedConfigurations(t *testing.T) {
	e, err := Open("native-lavapipe-guaranteed")
	if errors.Is(err, device.NoLibrary) || errors.Is(err, device.NoAdapter) {
		t.Skip("SKIPPED: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	d := e.(*Device)
	defer d.Close() //nolint:errcheck // nothing is under way
	f, l := d.Facts(), d.dev.Model.Lowering
	if f.MaxBindings != 8 || f.Subgroups || l.SubgroupSize != 0 || l.SharedBytes > 16<<10-4 || l.SharedBytes < 15<<10 {
		t.Errorf("%+v, lowered with %+v", f, l)
	}
}
