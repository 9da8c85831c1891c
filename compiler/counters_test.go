package compiler_test

import (
	"os"
	"testing"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/value"

	"skald/compiler"
)

// counters are what a call of an example may cost at most: what `-P` prints of it.
type counters struct {
	launches, submits, pipelines, uploaded, downloaded, peak int64
}

// TestExamplesStayWithinTheirCounters runs the examples on the null device, which counts what a device would be asked for. A
// number that grows is a change for the worse, unless there is a reason for it.
func TestExamplesStayWithinTheirCounters(t *testing.T) {
	const n = 1 << 16
	square := func() value.Value { return value.New(prim.F32, 128, 128) }
	for _, c := range []struct {
		name, entry string
		args        []value.Value
		most        counters
	}{
		{"histogram", "histogram", []value.Value{value.FromSlice(make([]uint8, n))}, counters{2, 1, 2, n, 1024, n + 1024}},
		{"mean_variance", "main", []value.Value{value.FromSlice(make([]float32, n))}, counters{2, 1, 2, 4 * n, 12, 4*n + 816}},
		{"matmul", "main", []value.Value{square(), square()}, counters{1, 1, 3, 2 * n, n, 3 * n}},
		{"mandelbrot", "main", scalars(t, "128i64", "128i64", "50i32"), counters{1, 1, 1, 0, n, n}},
		{"mss", "main", []value.Value{value.FromSlice(make([]int32, n))}, counters{2, 1, 2, 4 * n, 4, 4*n + 1088}},
		// One of the pipelines is for cells that are left when the others go into words.
		{"life", "main", append(scalars(t, "10i32"), value.New(prim.U8, 128, 128)), counters{10, 1, 2, n / 4, n / 4, 3 * n / 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := count(t, c.name, c.entry, c.args)
			for _, x := range []struct {
				name      string
				got, most int64
			}{
				{"launches", got.launches, c.most.launches},
				{"submissions", got.submits, c.most.submits},
				{"pipelines", got.pipelines, c.most.pipelines},
				{"bytes uploaded", got.uploaded, c.most.uploaded},
				{"bytes downloaded", got.downloaded, c.most.downloaded},
				{"bytes in use", got.peak, c.most.peak},
			} {
				if x.got > x.most {
					t.Errorf("%d %s, at most %d are expected", x.got, x.name, x.most)
				}
			}
		})
	}
}

// What a map alone needs of a reduction its workgroups combine where they are few, and a launch where they are not; on CUDA, which replays
// launches, a launch does in any case (Note [Reductions that readers finish] of package lower).
func TestReadersFinishReductions(t *testing.T) {
	const text = `entry main [n] (xs: [n]f32): [n]f32 =
  loop xs = copy xs for _i < 10i32 do let mean = f32.sum xs / f32.i64 n in map (\x -> x * 0.5 + mean) xs`
	for _, c := range []struct {
		profile string
		n       int
		most    int64
	}{{"native", 1 << 15, 20}, {"native", 1 << 18, 30}, {"h200-wgpu", 1 << 18, 20}, {"sm_90", 1 << 15, 30}} {
		got := countOn(t, c.profile, text, "main", []value.Value{value.FromSlice(make([]float32, c.n))})
		if got.launches != c.most {
			t.Errorf("%s, %d elements: %d launches in ten rounds, %d are expected", c.profile, c.n, got.launches, c.most)
		}
	}
}

// count calls an entry point of an example once.
func count(t *testing.T, name, entry string, args []value.Value) counters {
	t.Helper()
	text, err := os.ReadFile("examples/" + name + ".fut")
	if err != nil {
		t.Fatal(err)
	}
	return countOn(t, "native", string(text), entry, args)
}

// countOn calls an entry point of a program once on the null device with the facts of a profile.
func countOn(t *testing.T, profile, text, entry string, args []value.Value) counters {
	t.Helper()
	native := compiler.DeviceProfile(profile)
	native.Facts.Kind, native.Facts.MaxParams = device.Null, 64<<10
	dev := device.NewRecorder(*native.Facts)
	p, err := compile(t, text).On(native.Target.On(dev))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	before := dev.Stats()
	if _, err := p.Call(entry, args); err != nil {
		t.Fatal(err)
	}
	s := dev.Stats()
	return counters{
		s.Launches, s.Submits, s.Pipelines, s.Uploaded - before.Uploaded, s.Downloaded - before.Downloaded, s.Peak - before.InUse,
	}
}

func scalars(t *testing.T, texts ...string) []value.Value {
	t.Helper()
	out := make([]value.Value, len(texts))
	for i, s := range texts {
		v, err := value.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = v
	}
	return out
}
