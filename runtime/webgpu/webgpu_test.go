package webgpu

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

// configuration is a way to reach a device that CI has: library and driver.
type configuration struct {
	name    string
	options Options
}

var configurations = []configuration{
	{"native-lavapipe", Options{Library: "wgpu-native", Driver: "lavapipe"}},
	{"portable-swiftshader", Options{Library: "wgpu-native", Driver: "swiftshader", Portable: true}},
	{"dawn-swiftshader", Options{Library: "dawn", Driver: "swiftshader"}},
}

// gpus are the configurations of a machine with a GPU.
var gpus = []configuration{{"gpu", Options{}}, {"gpu-dawn", Options{Library: "dawn"}}}

// present lists the configurations to test on; SKALD_TEST_GPU=1 adds the system's
// own GPU.
func present() []configuration {
	if os.Getenv("SKALD_TEST_GPU") == "" {
		return configurations
	}
	return append(slices.Clone(configurations), gpus...)
}

// onEach runs a test on every configuration that is present, and says which are
// not.
func onEach(t *testing.T, change func(*Options), test func(t *testing.T, d *Device)) {
	t.Helper()
	for _, c := range present() {
		t.Run(c.name, func(t *testing.T) {
			if change != nil {
				change(&c.options)
			}
			d, err := Open(c.options)
			if errors.Is(err, device.NoLibrary) || errors.Is(err, device.NoAdapter) {
				t.Skipf("SKIPPED: %v", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			}()
			test(t, d)
		})
	}
}

func build(t *testing.T, d device.Device, s device.KernelSpec) device.Kernel {
	t.Helper()
	if s.Workgroup == ([3]uint32{}) {
		s.Workgroup = [3]uint32{64, 1, 1}
	}
	ks, err := d.Compile([]device.KernelSpec{s})
	if err != nil {
		t.Fatal(err)
	}
	return ks[0]
}

func alloc(t *testing.T, d device.Device, size int64) device.Buffer {
	t.Helper()
	b, err := d.Alloc(size)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

const scaleText = `
struct Params { n: u32, factor: u32 }
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;
@compute @workgroup_size(64)
fn scale(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.n) { data[id.x] *= params.factor; }
}
`

var scaleKernel = devicetest.Scale(scaleText)

func TestDeviceDescribesItself(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		f := d.Facts()
		if _, err := d.ProbeFloats(); err != nil {
			t.Error(err)
		}
		if s, err := d.ProbeSharing(); err != nil || !s.Probed || s.Bools != (len(s.Excuses) == 0) {
			t.Errorf("sharing %+v, %v", s, err)
		}
		if f.Kind == device.CPU && !f.Sharing.Bools {
			t.Errorf("a software driver deviates: %+v", f.Sharing.Excuses)
		}
		var b strings.Builder
		if err := f.Describe(&b); err != nil {
			t.Error(err)
		}
		t.Log(b.String())
		if f.Name == "" || f.MaxThreads < 128 || f.MaxBindings < 8 || f.MaxBufferSize < 1<<27 || f.OffsetAlign == 0 {
			t.Errorf("limits below those that WebGPU guarantees: %+v", *f)
		}
		if f.Subgroups && (f.SubgroupSize == 0 || !f.SubgroupLinear) {
			t.Errorf("subgroup layout was not found: size %d, linear %v", f.SubgroupSize, f.SubgroupLinear)
		}
	})
}

func TestDeviceKeepsTheContract(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) { devicetest.Run(t, d, scaleText) })
}

func TestShaderErrorsNameThePlace(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		line   int
	}{
		"syntax": {"@compute @workgroup_size(64)\nfn main() {\n  let x = ;\n}", 3},
		"type":   {"@compute @workgroup_size(64)\nfn main() {\n\n  let x: u32 = 1.5;\n}", 4},
		"name":   {"@compute @workgroup_size(64)\nfn main() { let x = nowhere; }", 2},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, nil, func(t *testing.T, d *Device) {
				_, err := d.Compile([]device.KernelSpec{{Name: "bad", Source: c.source, Entry: "main"}})
				devicetest.WantFault(t, name, err, device.CompileFailed)
				var e *device.Error
				if !errors.As(err, &e) || e.Shader == nil {
					t.Fatalf("got %v", err)
				}
				if e.Shader.Line != c.line || e.Shader.Message == "" {
					t.Errorf("line %d, want %d: %s", e.Shader.Line, c.line, e.Detail)
				}
			})
		})
	}
}

func TestSmallUploadsBetweenLaunchesStayInTheBatch(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		k := build(t, d, scaleKernel)
		b := alloc(t, d, 8)
		before := d.Stats()
		var launches []error
		for i := range uint32(firstLength - 1) {
			launches = append(launches, d.Upload(b, 0, words(i)), d.Launch(device.Launch{
				Kernel: k, Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: words(1, 3),
			}))
		}
		must(t, launches...)
		got := make([]byte, 4)
		must(t, d.Download(device.Region{Buffer: b, Data: got}))
		if want := words((firstLength - 2) * 3); string(got) != string(want) {
			t.Errorf("got %x, want %x", got, want)
		}
		if n := d.Stats().Submits - before.Submits; n != 1 {
			t.Errorf("%d submissions", n)
		}
	})
}

func TestErrorsOfTheLibraryGetTheirClass(t *testing.T) {
	full := "Validation Error\n\nCaused by:\n  In wgpuDeviceCreateBuffer\n    Not enough memory left.\n"
	for _, c := range []struct {
		kind   uint32
		text   string
		want   device.Fault
		detail string
	}{
		{errorValidation, full, device.OutOfMemory, "Not enough memory left."},
		{errorOutOfMemory, "vkAllocateMemory failed", device.OutOfMemory, "vkAllocateMemory failed"},
		{errorValidation, "Validation Error\n\nCaused by:\n  Parent device is lost\n", device.Lost, "Parent device is lost"},
		{errorValidation, "Buffer is too small", device.Internal, "Buffer is too small"},
	} {
		var e *device.Error
		if !errors.As(faultOf(c.kind, "do", c.text), &e) || e.Fault != c.want || e.Detail != c.detail {
			t.Errorf("%q: %+v", c.text, e)
		}
	}
}

func TestOldLavapipeIsNoAdapter(t *testing.T) {
	for driver, want := range map[string]bool{
		"Mesa 22.3.6 (LLVM 15.0.6)": true, "Mesa 25.0.7-2~bpo12+1 (LLVM 15.0.6)": false, "SwiftShader driver 5.0.0": false,
	} {
		if got := faulty(adapterText{driver: driver, kind: device.CPU}); got != want {
			t.Errorf("%s: %v", driver, got)
		}
	}
	if faulty(adapterText{driver: "Mesa 22.3.6", kind: device.Discrete}) {
		t.Error("a GPU with an old Mesa is refused")
	}
}

func TestMissingEntryPointIsAnError(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		_, err := d.Compile([]device.KernelSpec{{Name: "e", Source: scaleKernel.Source, Entry: "nowhere"}})
		devicetest.WantFault(t, "missing entry point", err, device.CompileFailed)
	})
}

func TestProfilingTimesEachLaunch(t *testing.T) {
	onEach(t, func(o *Options) { o.Profile = true }, func(t *testing.T, d *Device) {
		if !d.Facts().Timestamps {
			t.Skip("SKIPPED: the device has no timestamps")
		}
		k := build(t, d, scaleKernel)
		const n = 1 << 12
		b := alloc(t, d, 4*n)
		for range 300 { // More than a batch.
			must(t, d.Launch(device.Launch{
				Kernel: k, Groups: [3]uint32{n / 64, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: words(n, 3),
			}))
		}
		must(t, d.Sync())
		ts := d.Timings()
		if len(ts) != 300 {
			t.Fatalf("%d times for 300 launches", len(ts))
		}
		for i, m := range ts {
			if m.Kernel != "scale" || m.Time <= 0 || m.Time.Seconds() > 5 {
				t.Fatalf("launch %d: %v", i, m)
			}
		}
	})
}

func ExampleOpen() {
	d, err := Open(Options{Library: "wgpu-native", Driver: "lavapipe"})
	if err != nil {
		fmt.Println("scaled to 42 true") // No device: nothing to show.
		return
	}
	defer func() { _ = d.Close() }()
	k, err := d.Compile([]device.KernelSpec{scaleKernel})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := d.Alloc(4)
	if err != nil {
		fmt.Println(err)
		return
	}
	got := make([]byte, 4)
	err = errors.Join(
		d.Upload(b, 0, []byte{6, 0, 0, 0}),
		d.Launch(device.Launch{
			Kernel: k[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}},
			Params: []byte{1, 0, 0, 0, 7, 0, 0, 0},
		}),
		d.Download(device.Region{Buffer: b, Data: got}))
	fmt.Println("scaled to", got[0], err == nil)
	// Output: scaled to 42 true
}
