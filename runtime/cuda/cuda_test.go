package cuda

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"skald/runtime/cache"
	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

// open opens the first GPU; without one the test is skipped.
func open(t *testing.T, o Options) *Device {
	t.Helper()
	d, err := Open(o)
	if errors.Is(err, device.NoLibrary) || errors.Is(err, device.NoAdapter) {
		t.Skipf("SKIPPED: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func openNVRTC(t *testing.T) *Compiler {
	t.Helper()
	c, err := OpenCompiler()
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	return c
}

const scaleText = `
struct Params { unsigned n, factor; };
extern "C" __global__ void scale(unsigned *data, Params params) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < params.n) data[i] *= params.factor;
}
`

var scaleSpec = devicetest.Scale(scaleText)

func TestCompilerMakesMachineCodeAndKeepsIt(t *testing.T) {
	c := openNVRTC(t)
	t.Setenv("SKALD_CACHE", t.TempDir())
	first, err := c.Compile(&scaleSpec, "sm_90")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(first, []byte("\x7fELF")) {
		t.Errorf("the code begins with %x, not as an ELF file", first[:4])
	}
	start := time.Now()
	second, err := c.Compile(&scaleSpec, "sm_90")
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("the cached code differs: %v", err)
	}
	t.Logf("from the cache in %v", time.Since(start))
	kept, _ := filepath.Glob(filepath.Join(cache.Dir(), "cubin", "*"))
	for _, path := range kept {
		code, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		code[len(code)-1] ^= 1
		if err := os.WriteFile(path, code, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	third, err := c.Compile(&scaleSpec, "sm_90")
	if err != nil || !bytes.Equal(first, third) || len(kept) != 1 {
		t.Errorf("changed code in %d files of the cache was used: %v", len(kept), err)
	}
	other, err := c.Compile(&scaleSpec, "sm_80")
	if err != nil || bytes.Equal(first, other) {
		t.Errorf("another architecture has the same code: %v", err)
	}
}

func TestArchitecturesRunCodeOfSmallerMinorOnes(t *testing.T) {
	for _, c := range []struct {
		gpu, code string
		want      bool
	}{
		{"sm_90", "sm_90", true},
		{"sm_86", "sm_80", true},
		{"sm_80", "sm_86", false},
		{"sm_90", "sm_80", false},
		{"sm_120", "sm_12", false},
		{"sm_121", "sm_120", true},
		{"", "", false},
	} {
		if got := RunsCodeFor(c.gpu, c.code); got != c.want {
			t.Errorf("%s runs code for %s: %v", c.gpu, c.code, got)
		}
	}
	if got := architectures("sm_86"); len(got) != 7 || got[0] != "sm_86" || got[6] != "sm_80" {
		t.Errorf("sm_86 runs code for %v", got)
	}
}

// TestCodeOfAnotherCompilerIsNotUsed writes an entry of the cache as another NVRTC would.
func TestCodeOfAnotherCompilerIsNotUsed(t *testing.T) {
	openNVRTC(t)
	if compilerFile() == "" {
		t.Skip("SKIPPED: the system's loader finds NVRTC, not a search of ours")
	}
	t.Setenv("SKALD_CACHE", t.TempDir())
	name := CodeName(&scaleSpec, "sm_90")
	writeCode(name, []byte("code"))
	if got := readCode(name); string(got) != "code" {
		t.Errorf("got %q", got)
	}
	if err := cache.Write([]byte("/another/libnvrtc.so 1 2\ncode"), codeFolder, name); err != nil {
		t.Fatal(err)
	}
	if got := readCode(name); got != nil {
		t.Errorf("code of another compiler is used: %q", got)
	}
}

func TestCompilerErrorsNameThePlace(t *testing.T) {
	c := openNVRTC(t)
	bad := device.KernelSpec{
		Name: "bad", Entry: "f", Source: "extern \"C\" __global__ void f(int *x) {\n  x[0] = nowhere;\n}\n",
	}
	_, err := c.Compile(&bad, "sm_90")
	devicetest.WantFault(t, "an unknown name", err, device.CompileFailed)
	var e *device.Error
	if !errors.As(err, &e) || e.Shader == nil {
		t.Fatalf("got %v", err)
	}
	if e.Shader.Line != 2 || e.Shader.Text != "x[0] = nowhere;" || !strings.Contains(e.Shader.Message, "nowhere") {
		t.Errorf("got %+v from %s", e.Shader, e.Detail)
	}
	t.Log(err)
}

func TestUnknownArchitectureIsAnError(t *testing.T) {
	c := openNVRTC(t)
	if _, err := c.Compile(&scaleSpec, "sm_1"); err == nil {
		t.Error("no error for an architecture that does not exist")
	}
}

func TestWithoutADriverOpeningSaysSo(t *testing.T) {
	if _, err := loadDriver(); err == nil {
		t.Skip("SKIPPED: there is a driver")
	}
	_, err := Open(Options{})
	if device.FaultOf(err) == 0 || !strings.Contains(err.Error(), "NVIDIA") {
		t.Errorf("got %v", err)
	}
}

func TestDeviceKeepsTheContract(t *testing.T) {
	d := open(t, Options{})
	t.Logf("%+v", *d.Facts())
	devicetest.Run(t, d, scaleText)
	t.Logf("%+v", d.Stats())
}

func TestFullDeviceIsAnErrorAndRecovers(t *testing.T) { devicetest.Full(t, open(t, Options{})) }

func TestContractHoldsWithATimeOut(t *testing.T) {
	devicetest.Run(t, open(t, Options{Timeout: 10 * time.Second, Profile: true}), scaleText)
}

func TestGoroutinesShareADevice(t *testing.T) { shareDevice(t, open(t, Options{})) }

// shareDevice has goroutines use a device at the same time.
func shareDevice(t *testing.T, d *Device) {
	t.Helper()
	ks, err := d.Compile([]device.KernelSpec{scaleSpec})
	if err != nil {
		t.Fatal(err)
	}
	var workers sync.WaitGroup
	errs := make([]error, 16)
	for w := range errs {
		workers.Go(func() { errs[w] = work(d, ks[0], uint32(w)+1) })
	}
	workers.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}

// work scales a buffer many times and checks the result.
func work(d *Device, k device.Kernel, factor uint32) error {
	for range 50 {
		b, err := d.Alloc(4)
		if err != nil {
			return err
		}
		got := make([]byte, 4)
		err = errors.Join(
			d.Upload(b, 0, devicetest.Words(3)),
			d.Launch(device.Launch{
				Kernel: k, Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: devicetest.Words(1, factor),
			}),
			d.Download(device.Region{Buffer: b, Data: got}))
		if err != nil {
			return err
		}
		if !bytes.Equal(got, devicetest.Words(3*factor)) {
			return errors.New("wrong product")
		}
		d.Free(b)
	}
	return nil
}

func TestProfilingTimesEachLaunch(t *testing.T) {
	d := open(t, Options{Profile: true})
	ks, err := d.Compile([]device.KernelSpec{scaleSpec})
	if err != nil {
		t.Fatal(err)
	}
	const n = 1 << 22
	b, err := d.Alloc(4 * n)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		err := d.Launch(device.Launch{
			Kernel: ks[0], Groups: [3]uint32{n / 64, 1, 1}, Buffers: []device.Binding{{Buffer: b}},
			Params: devicetest.Words(n, 3),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	ts := d.Timings()
	if len(ts) != 100 || ts[50].Time <= 0 || ts[50].Kernel != "scale" {
		t.Fatalf("%d times: %v", len(ts), ts)
	}
	t.Logf("scale of 2^22 words: %v", ts[50].Time)
}

func TestManyLaunchesWithoutAWait(t *testing.T) {
	d := open(t, Options{})
	ks, err := d.Compile([]device.KernelSpec{scaleSpec})
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Alloc(256)
	if err != nil {
		t.Fatal(err)
	}
	const n = 20000
	start := time.Now()
	for range n {
		err := d.Launch(device.Launch{
			Kernel: ks[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: devicetest.Words(64, 3),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Sync(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%.2f µs a launch", time.Since(start).Seconds()*1e6/n)
}
