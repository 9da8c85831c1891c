package compiler_test

import (
	"slices"
	"strings"
	"testing"

	"skald/middle/core"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/value"
	"skald/targets"

	"skald/compiler"
)

// sized is a device without memory: it counts kernels, and nothing that it returns has values. So it runs host code for arrays of any
// size, as long as that does not wait for results.
type sized struct {
	*device.Recorder
	kernels []string
}

type sizedBuffer int64

func (b sizedBuffer) Size() int64 { return int64(b) }

func (d *sized) Alloc(n int64) (device.Buffer, error)                         { return sizedBuffer(n), nil }
func (d *sized) Free(device.Buffer)                                           {}
func (d *sized) Upload(device.Buffer, int64, []byte) error                    { return nil }
func (d *sized) Copy(device.Buffer, int64, device.Buffer, int64, int64) error { return nil }
func (d *sized) Fill(device.Buffer, int64, int64, uint32) error               { return nil }
func (d *sized) Flush() error                                                 { return nil }
func (d *sized) Sync() error                                                  { return nil }

func (d *sized) Download(regions ...device.Region) error {
	for _, r := range regions {
		clear(r.Data)
	}
	return nil
}

func (d *sized) Launch(l device.Launch) error {
	d.kernels = append(d.kernels, l.Kernel.Spec().Name)
	return nil
}

// chooser is a program on a device of sizes alone.
type chooser struct {
	t   *testing.T
	dev *sized
	run *host.Program
}

func newChooser(t *testing.T, p *compiler.Program, profile string) *chooser {
	t.Helper()
	m := compiler.DeviceProfile(profile)
	dev := &sized{Recorder: device.NewRecorder(*m.Facts)}
	run, err := p.On(&targets.Device{Device: dev, Model: m})
	if err != nil {
		t.Fatal(err)
	}
	return &chooser{t, dev, run}
}

// kernels lists those that a call launches when thresholds of some classes are set.
func (c *chooser) kernels(entry string, args []value.Value, set map[string]int64) []string {
	c.t.Helper()
	for _, tune := range c.run.Tunes() {
		v, ok := set[tune.Class]
		if !ok {
			v = tune.Default
		}
		if err := c.run.SetTune(tune.Name, v); err != nil {
			c.t.Fatal(err)
		}
	}
	c.dev.kernels = nil
	if _, err := c.run.Call(entry, args); err != nil {
		c.t.Fatal(err)
	}
	return c.dev.kernels
}

// version says which version of its map an entry point runs: it compares with runs for which thresholds are set.
func (c *chooser) version(entry string, args []value.Value) string {
	c.t.Helper()
	const never = 1 << 60
	got := c.kernels(entry, args, nil)
	outer := c.kernels(entry, args, map[string]int64{core.ClassSaturated: 0, core.ClassThreshold: 0})
	full := c.kernels(entry, args, map[string]int64{core.ClassSaturated: never, core.ClassThreshold: 0, core.ClassIntra: never})
	switch {
	case slices.Equal(got, outer):
		return "outer"
	case slices.ContainsFunc(got, func(k string) bool { return strings.Contains(k, "_intra_") }):
		return "workgroup"
	case len(got) >= len(full):
		return "full"
	}
	return strings.Join(got, " ")
}

// TestDefaultVersions tells, for sizes that were measured on the devices of the recorded profiles, which version runs unless somebody
// sets thresholds: the fastest one, or one within a fifth of it (docs/decisions.md has the times).
func TestDefaultVersions(t *testing.T) {
	p := compiled(t, "compiler/testdata/choices.fut")
	for _, profile := range []string{"h200-wgpu", "h200-cuda"} {
		c := newChooser(t, p, profile)
		for _, x := range []struct{ entry, args, want string }{
			{"tridags", "[57600][115]f32 [57600][115]f32 [57600][115]f32 [57600][115]f32", "workgroup"},
			{"tridags", "[4096][115]f32 [4096][115]f32 [4096][115]f32 [4096][115]f32", "workgroup"},
			{"tridags", "[65536][256]f32 [65536][256]f32 [65536][256]f32 [65536][256]f32", "workgroup"},
			{"tridags", "[400000][16]f32 [400000][16]f32 [400000][16]f32 [400000][16]f32", "outer"},
			{"sums", "[1000000][6]f32", "outer"},
			{"sums", "[10000][1000]f32", "workgroup"},
			{"butterflies", "9 [512][512]f32", "workgroup"},
			{"grams", "[8][228]f32 [67968][228]f32", "full"},
		} {
			if got := c.version(x.entry, zeros(t, x.args)); got != x.want {
				t.Errorf("%s: %s %s: version %s runs, not %s", profile, x.entry, x.args, got, x.want)
			}
		}
	}
}

// compiled compiles a program.
func compiled(t *testing.T, path string) *compiler.Program {
	t.Helper()
	checked, sink, ok := compiler.Check(path, compiler.CheckOptions{})
	if !ok {
		t.Fatal(sink.Sorted()[0].Message)
	}
	p, d := compiler.Compile(checked, compiler.CompileOptions{})
	if d != nil {
		t.Fatal(d)
	}
	return p
}

// zeros are arrays of the given types, and numbers.
func zeros(t *testing.T, types string) []value.Value {
	t.Helper()
	var out []value.Value
	for _, text := range strings.Fields(types) {
		if !strings.HasPrefix(text, "[") {
			out = append(out, scalars(t, text+"i64")...)
			continue
		}
		typ, err := value.ParseType(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, value.New(typ.Elem, typ.Dims...))
	}
	return out
}
