package webgpu

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"skald/runtime/device"
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

// onEach runs a test on every configuration that is present, and says which are
// not. SKALD_TEST_GPU=1 adds the system's own GPU.
func onEach(t *testing.T, change func(*Options), test func(t *testing.T, d *Device)) {
	t.Helper()
	all := configurations
	if os.Getenv("SKALD_TEST_GPU") != "" {
		all = append(all, configuration{"gpu", Options{}}, configuration{"gpu-dawn", Options{Library: "dawn"}})
	}
	for _, c := range all {
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

// scaleKernel multiplies params.n words by params.factor.
var scaleKernel = device.KernelSpec{
	Name: "scale", Entry: "main", Buffers: 1, Params: 8, Source: `
struct Params { n: u32, factor: u32 }
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.n) { data[id.x] *= params.factor; }
}
`,
}

func TestDeviceDescribesItself(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		f := d.Facts()
		t.Logf("%+v", *f)
		if f.Name == "" || f.MaxThreads < 128 || f.MaxBindings < 8 || f.MaxBufferSize < 1<<27 || f.OffsetAlign == 0 {
			t.Errorf("limits below those that WebGPU guarantees: %+v", *f)
		}
		if f.Subgroups && (f.SubgroupSize == 0 || !f.SubgroupLinear) {
			t.Errorf("subgroup layout was not found: size %d, linear %v", f.SubgroupSize, f.SubgroupLinear)
		}
	})
}

func TestKernelsRunInOrderWithTheirOwnParams(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		k := build(t, d, scaleKernel)
		b := alloc(t, d, 400)
		data := words(make([]uint32, 100)...)
		for i := range 100 {
			data[4*i] = byte(i)
		}
		must(t, d.Upload(b, 0, data))
		for _, factor := range []uint32{3, 5, 7} {
			must(t, d.Launch(device.Launch{
				Kernel: k, Groups: [3]uint32{2, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: words(100, factor),
			}))
		}
		got := make([]byte, 400)
		must(t, d.Download(device.Region{Buffer: b, Data: got}))
		for i := range 100 {
			if w := words(uint32(i * 105)); !bytes.Equal(w, got[4*i:4*i+4]) {
				t.Fatalf("element %d: %x, want %x", i, got[4*i:4*i+4], w)
			}
		}
		s := d.Stats()
		if s.Launches != 3 || s.Submits != 1 || s.Uploaded != 400 || s.Downloaded != 400 {
			t.Errorf("three launches and a read-back were not one batch: %+v", s)
		}
	})
}

// TestTransfersOfAnyBytes compares random uploads, copies, fills and downloads
// with the same on host memory.
func TestTransfersOfAnyBytes(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		r := rand.New(rand.NewPCG(1, 2))
		sizes := []int{1, 3, 64, 1001, 4099, 70000}
		bufs, mirror := make([]device.Buffer, len(sizes)), make([][]byte, len(sizes))
		for i, n := range sizes {
			bufs[i], mirror[i] = alloc(t, d, int64(n)), make([]byte, n)
			must(t, d.Upload(bufs[i], 0, mirror[i]))
		}
		span := func(i int) (int, int) {
			at := r.IntN(sizes[i])
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
				must(t, d.Upload(bufs[i], int64(at), data))
				copy(mirror[i][at:], data)
			case 1:
				from, m := span(j)
				n = min(n, m)
				if i == j && from < at+n && at < from+n {
					continue
				}
				must(t, d.Copy(bufs[i], int64(at), bufs[j], int64(from), int64(n)))
				copy(mirror[i][at:at+n], mirror[j][from:])
			case 2:
				at, n = at&^3, n&^3
				if at+n > sizes[i] {
					continue
				}
				w := r.Uint32() * uint32(r.IntN(2))
				must(t, d.Fill(bufs[i], int64(at), int64(n), w))
				for k := 0; k < n; k += 4 {
					copy(mirror[i][at+k:], words(w))
				}
			case 3:
				got := make([]byte, n)
				must(t, d.Download(device.Region{Buffer: bufs[i], Offset: int64(at), Data: got}))
				if !bytes.Equal(got, mirror[i][at:at+n]) {
					t.Fatalf("step %d: %d bytes at %d of buffer %d differ", step, n, at, i)
				}
			}
		}
		var regions []device.Region
		for i := range bufs {
			regions = append(regions, device.Region{Buffer: bufs[i], Data: make([]byte, sizes[i])})
		}
		must(t, d.Download(regions...))
		for i := range bufs {
			if !bytes.Equal(regions[i].Data, mirror[i]) {
				t.Errorf("buffer %d differs at the end", i)
			}
		}
	})
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
				var e *device.Error
				if !errors.As(err, &e) || e.Fault != device.CompileFailed || e.Shader == nil {
					t.Fatalf("got %v", err)
				}
				t.Log(e)
				if e.Shader.Line != c.line || e.Shader.Message == "" {
					t.Errorf("line %d, want %d: %s", e.Shader.Line, c.line, e.Detail)
				}
			})
		})
	}
}

func TestMistakesAndLimitsAreErrors(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		k := build(t, d, scaleKernel)
		_, huge := d.Alloc(1 << 50)
		_, entry := d.Compile([]device.KernelSpec{{Name: "e", Source: scaleKernel.Source, Entry: "nowhere"}})
		other := device.NewRecorder(device.NullFacts())
		foreign, _ := other.Alloc(16)
		freed := alloc(t, d, 16)
		d.Free(freed)
		for _, c := range []struct {
			name string
			err  error
			want device.Fault
		}{
			{"too large a buffer", huge, device.OutOfMemory},
			{"no entry point", entry, device.CompileFailed},
			{"another device's buffer", d.Upload(foreign, 0, []byte{1, 2, 3, 4}), device.Misuse},
			{"freed buffer", d.Upload(freed, 0, []byte{1, 2, 3, 4}), device.Misuse},
			{"missing buffer", d.Launch(device.Launch{Kernel: k, Params: make([]byte, 8)}), device.Misuse},
		} {
			if device.FaultOf(c.err) != c.want {
				t.Errorf("%s: got %v, want %v", c.name, c.err, c.want)
			}
		}
		// The device is still good.
		b := alloc(t, d, 4)
		must(t, d.Upload(b, 0, words(6)), d.Launch(device.Launch{
			Kernel: k, Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}, Params: words(1, 7),
		}))
		got := make([]byte, 4)
		must(t, d.Download(device.Region{Buffer: b, Data: got}))
		if got[0] != 42 {
			t.Errorf("got %d after errors, want 42", got[0])
		}
	})
}

func TestMissingLibraryAndDriverAreErrors(t *testing.T) {
	if _, err := Open(Options{Library: "/nowhere/lib.so"}); !errors.Is(err, device.BadLibrary) {
		t.Errorf("library that is not there: %v", err)
	}
	t.Setenv("SKALD_CACHE", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("SKALD_WEBGPU_LIB", "")
	t.Chdir(t.TempDir())
	if _, err := Open(Options{Library: "dawn"}); !errors.Is(err, device.NoLibrary) {
		t.Errorf("no library anywhere: %v", err)
	}
	if _, err := driverManifest("lavapipe"); !errors.Is(err, device.NoAdapter) {
		t.Errorf("driver that is not there: %v", err)
	}
}

func TestProfilingTimesEachLaunch(t *testing.T) {
	onEach(t, func(o *Options) { o.Profile = true }, func(t *testing.T, d *Device) {
		if !d.Facts().Timestamps {
			t.Skip("SKIPPED: the device has no timestamps")
		}
		k := build(t, d, scaleKernel)
		const n = 1 << 18
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
