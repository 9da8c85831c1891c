package lowering

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skald/backends/c"
	"skald/compiler"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/cpu"
	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/runtime/webgpu"
	"skald/targets"
	"skald/testsuite/depth"
)

// devices are the processor, once with a search for races, and the software drivers found, opened once, and
// with SKALD_TEST_GPU set the first GPU, by CUDA too.
func devices(t testing.TB) map[string]device.Device {
	t.Helper()
	if opened == nil {
		opened = map[string]device.Device{
			"cpu":          cpu.Open(cpu.Options{}),
			"cpu-races":    cpu.Open(cpu.Options{Races: true}),
			"cpu-compiled": cpu.Open(cpu.Options{Print: c.Module, StopName: c.StopName}),
		}
		for _, c := range []webgpu.Options{
			{Library: "wgpu-native", Driver: "lavapipe"},
			{Library: "wgpu-native", Driver: "swiftshader"},
			{Library: "dawn", Driver: "swiftshader"},
		} {
			d, err := webgpu.Open(c)
			if err != nil {
				missing = append(missing, fmt.Sprintf("%s on %s: %v", c.Library, c.Driver, err))
				continue
			}
			opened[c.Library+"-"+c.Driver] = d
		}
	}
	if os.Getenv("SKALD_TEST_GPU") != "" && opened["gpu"] == nil {
		d, err := webgpu.Open(webgpu.Options{})
		if err != nil {
			t.Fatal(err)
		}
		opened["gpu"] = d
		if d, err := cuda.Open(cuda.Options{}); err != nil {
			missing = append(missing, fmt.Sprintf("cuda: %v", err))
		} else {
			opened["cuda"] = d
		}
	}
	for _, m := range missing {
		t.Logf("not tested: %s", m)
	}
	return opened
}

// on is a device of devices with what lowering for it depends on.
func on(name string, d device.Device) *targets.Device {
	kind, _, _ := strings.Cut(name, "-")
	if t := targets.Find(kind); t != nil {
		return t.On(d)
	}
	return targets.Find("webgpu").On(d)
}

// limited is a device of which less is used than it has.
type limited struct {
	device.Device
	facts device.Facts
}

// Facts returns the restricted facts.
func (l *limited) Facts() *device.Facts { return &l.facts }

// bindLess is d where kernels get an array of more bytes in chunks, unless they are too many for a device that binds few.
func bindLess(d device.Device, bytes int64) device.Device {
	f := *d.Facts()
	f.MaxBindingSize = bytes
	if f.MaxBindings < 40 {
		f.MaxBindingSize = 8 * bytes
	}
	return &limited{d, f}
}

// asGPU is d as if it were no processor: lowering then repeats more code and makes larger workgroups.
func asGPU(d device.Device) device.Device {
	f := *d.Facts()
	f.Kind = device.Discrete
	return &limited{d, f}
}

var (
	opened  map[string]device.Device
	missing []string
)

// whole is what onDevices takes where arrays come in no chunks: those that are larger than devices bind take long to make.
const whole = 0

// onDevices runs f with a program from testdata on every device, and on one with limits, in deep tests on all, once more with arrays of
// more bytes in chunks, unless they are whole, and with wide kernels; on lavapipe also as it is lowered for GPUs.
func onDevices(t *testing.T, name string, bytes int64, f func(t *testing.T, p *host.Program)) {
	src, err := os.ReadFile(filepath.Join("testdata", name+".core"))
	if err != nil {
		t.Fatal(err)
	}
	prog, err := core.Parse(string(src))
	if err != nil {
		t.Fatal(err)
	}
	if err := core.Verify(prog); err != nil {
		t.Fatal(err)
	}
	run := func(dev string, d device.Device, wide bool) {
		t.Run(dev, func(t *testing.T) {
			open := on(dev, d)
			low, err := compiler.FromCore(prog).Lower(open.Model)
			if err != nil {
				t.Fatal(err)
			}
			if wide {
				widen(low)
			}
			p, err := compiler.LoadLow(low, open)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			f(t, p)
		})
	}
	for dev, d := range devices(t) {
		if dev == "wgpu-native-swiftshader" && depth.Of() < depth.Deep {
			continue // either half of it is in another
		}
		run(dev, d, false)
		if strings.HasPrefix(dev, "cpu") {
			continue
		}
		// A variant is a minute of compiling for lavapipe and SwiftShader, so outside of deep tests one library has each.
		if dev == "dawn-swiftshader" || depth.Of() >= depth.Deep {
			if bytes != whole {
				run(dev+"-pieces", bindLess(d, bytes), false)
			}
			run(dev+"-wide", d, true)
		}
		if dev == "wgpu-native-lavapipe" && depth.Of() >= depth.Full {
			run(dev+"-as-gpu", asGPU(d), false)
		}
	}
}

// variant reports whether a test runs a variant of a program on a device, by onDevices, and not in deep tests: then sizes that are like
// others may be left out, as the program itself is tried with all on that device.
func variant(t *testing.T) bool {
	return depth.Of() < depth.Deep && (strings.HasSuffix(t.Name(), "-pieces") || strings.HasSuffix(t.Name(), "-wide"))
}

// widen makes every launch say that 32 bits are not enough to compute its indices.
func widen(p *imp.Prog) {
	for _, f := range p.Funs {
		imp.Walk(f.Body, func(s imp.Stm) bool {
			if l, ok := s.(*imp.Launch); ok {
				l.Fits = append(l.Fits, &imp.Const{Type: imp.I64, Value: prim.MakeI64(1 << 40)})
			}
			return true
		})
	}
}

// check runs main on args and compares with want.
func check(t *testing.T, p *host.Program, args, want []value.Value) {
	t.Helper()
	got, err := p.Call("main", args)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d results, not %d", len(got), len(want))
	}
	for i := range want {
		if d := value.Compare(got[i], want[i], 1e-6); d != nil {
			t.Errorf("result %d: %v", i, d)
		}
	}
}

func scalar[T value.Element](x T) value.Value { return value.FromSlice([]T{x}).Row(0) }

// pseudo is the i-th of a fixed sequence of scattered numbers.
func pseudo(i int) uint32 {
	x := uint32(i) * 0x9e3779b9
	x = (x ^ x>>16) * 0x7feb352d
	return x ^ x>>15
}

var sizes = []int{0, 1, 2, 31, 257, 5000, 100_003}

func TestMapAndReduceOfEveryWidth(t *testing.T) {
	onDevices(t, "map", 100_000, func(t *testing.T, p *host.Program) {
		for _, n := range sizes {
			xs, ys := make([]int32, n), make([]int32, n)
			bs, cs, ds := make([]uint8, n), make([]int64, n), make([]bool, n)
			sum := int32(0)
			for i := range xs {
				x := int32(pseudo(i)) >> (i % 20)
				xs[i], ys[i], bs[i] = x, 2*x, uint8(x)
				cs[i] = int64(x)*int64(x) - int64(i)
				ds[i] = cs[i] < 100
				sum += ys[i]
			}
			check(t, p, []value.Value{value.FromSlice(xs)}, []value.Value{
				value.FromSlice(ys), value.FromSlice(bs), value.FromSlice(cs), value.FromSlice(ds), scalar(sum),
			})
		}
	})
}

func TestOperatorsThatDoNotCommute(t *testing.T) {
	onDevices(t, "affine", 100_000, func(t *testing.T, p *host.Program) {
		for _, n := range sizes {
			as, bs := make([]uint32, n), make([]uint32, n)
			sa, sb := make([]uint32, n), make([]uint32, n)
			a, b := uint32(1), uint32(0)
			for i := range as {
				as[i], bs[i] = pseudo(2*i)|1, pseudo(2*i+1)
				a, b = a*as[i], b*as[i]+bs[i]
				sa[i], sb[i] = a, b
			}
			check(t, p, []value.Value{value.FromSlice(as), value.FromSlice(bs)},
				[]value.Value{scalar(a), scalar(b), value.FromSlice(sa), value.FromSlice(sb)})
		}
	})
}

func TestScanKeepsWhatItsBodyGives(t *testing.T) {
	onDevices(t, "scan", 200_000, func(t *testing.T, p *host.Program) {
		for _, n := range append(sizes, 1024, 300_002) {
			xs, sums, kept := make([]int32, n), make([]int32, n), make([]int64, n)
			sum := int32(0)
			for i := range xs {
				xs[i] = int32(pseudo(i))
				sum += xs[i]
				sums[i], kept[i] = sum, int64(xs[i])*int64(i)
			}
			check(t, p, []value.Value{value.FromSlice(xs)}, []value.Value{value.FromSlice(sums), value.FromSlice(kept)})
		}
	})
}

func TestSegmentsOfEveryShape(t *testing.T) {
	onDevices(t, "segmented", 100_000, func(t *testing.T, p *host.Program) {
		for _, s := range [][2]int{{0, 0}, {3, 0}, {0, 5}, {1, 1}, {1000, 7}, {3, 700}, {30000, 2}, {1, 20000}, {2, 40001}} {
			n, k := s[0], s[1]
			xs, sums, scans, tr := make([]int64, n*k), make([]int64, n), make([]int64, n*k), make([]int64, n*k)
			for i := range n {
				for j := range k {
					x := int64(pseudo(i*k+j)) << 13
					xs[i*k+j], tr[j*n+i] = x, x
					sums[i] += x
					scans[i*k+j] = sums[i]
				}
			}
			check(t, p, []value.Value{value.FromSlice(xs, n, k)}, []value.Value{
				value.FromSlice(sums), value.FromSlice(scans, n, k), value.FromSlice(tr, k, n),
			})
		}
	})
}

// A thread, a subgroup or a workgroup reduces each.
func TestRowsAndColumnsOfEveryShape(t *testing.T) {
	onDevices(t, "rows", 400_000, func(t *testing.T, p *host.Program) {
		for _, s := range [][2]int{{0, 0}, {3, 0}, {1, 1}, {1000, 7}, {3, 700}, {701, 130}, {70, 5000}} {
			n, k := s[0], s[1]
			xs, sums, most := make([]uint32, n*k), make([]uint32, n), make([]uint32, k)
			as, bs := make([]uint32, n), make([]uint32, n)
			for i := range n {
				as[i] = 1
				for j := range k {
					x := pseudo(i*k + j)
					xs[i*k+j] = x
					sums[i] += x
					most[j] = max(most[j], x)
					as[i], bs[i] = as[i]*(x|1), bs[i]*(x|1)+x
				}
			}
			check(t, p, []value.Value{value.FromSlice(xs, n, k)}, []value.Value{
				value.FromSlice(sums), value.FromSlice(most), value.FromSlice(as), value.FromSlice(bs),
			})
		}
	})
}

func TestHistograms(t *testing.T) {
	onDevices(t, "hist", 300_000, func(t *testing.T, p *host.Program) {
		ks := []int{1, 16, 256, 4096, 7000, 20_000, 70_000}
		if variant(t) {
			ks = []int{16, 7000, 70_000} // One of each form: in workgroup memory, in slices of it, and in device memory.
		}
		for _, k := range ks {
			for _, n := range []int{0, 3, 50_000} {
				is := make([]int64, n)
				h, g, l, u := make([]int32, k), make([]float32, k), make([]int64, k), make([]uint8, k)
				for i := range is {
					is[i] = int64(pseudo(i)%uint32(k+k/8+1)) - int64(k/16)
					if i%100 == 0 {
						is[i] = 1 << 40 // in range if the high word were lost
					}
					if x := is[i]; x >= 0 && x < int64(k) {
						h[x]++
						g[x] = max(g[x], float32(i))
						l[x] += int64(i) * 3e9
						u[x]++
					}
				}
				check(t, p, []value.Value{scalar(int64(k)), value.FromSlice(is)}, []value.Value{
					value.FromSlice(h), value.FromSlice(g), value.FromSlice(l), value.FromSlice(u),
				})
			}
		}
	})
}

// Counters of 16 bits are emptied on the way when one has more, and equal keys of a thread are counted at once. One list of keys has all:
// most are one key, so that its counters overflow in whatever workgroup, and then some alternate, of which one is no bin.
func TestHistogramsOfFewBinsAmongMany(t *testing.T) {
	const k, n = 20_000, 1_500_000
	alternating := []int64{19_999, 0, 19_999, -1, 0}
	keys := [][]int64{{12_345}, alternating, {17, 16}}
	lists := []func(i int) int64{func(i int) int64 {
		if i < n/5*4 {
			return 12_345
		}
		return alternating[i%len(alternating)]
	}}
	if depth.Of() == depth.Deep {
		for _, used := range keys {
			lists = append(lists, func(i int) int64 { return used[i%len(used)] })
		}
	}
	for _, key := range lists {
		is := make([]int64, n)
		h, g, l, u := make([]int32, k), make([]float32, k), make([]int64, k), make([]uint8, k)
		for i := range is {
			is[i] = key(i)
			if x := is[i]; x >= 0 {
				h[x]++
				g[x] = float32(i)
				l[x] += int64(i) * 3e9
				u[x]++
			}
		}
		onDevices(t, "hist", whole, func(t *testing.T, p *host.Program) {
			if variant(t) {
				t.Skip("SKIPPED: in deep tests: with all indices wide, the histograms of TestHistograms are tried")
			}
			check(t, p, []value.Value{scalar(int64(k)), value.FromSlice(is)}, []value.Value{
				value.FromSlice(h), value.FromSlice(g), value.FromSlice(l), value.FromSlice(u),
			})
		})
	}
}

func TestHistogramWhoseOperatorNeedsALock(t *testing.T) {
	onDevices(t, "argmax", 1_200_000, func(t *testing.T, p *host.Program) {
		ks := []int{1, 16, 5000}
		if variant(t) {
			ks = []int{16, 5000}
		}
		for _, k := range ks {
			const n = 30_000
			is, h, g := make([]int64, n), make([]int32, k), make([]int64, k)
			for b := range h {
				h[b], g[b] = -1, -1
			}
			for i := range is {
				b := int(pseudo(i) % uint32(k))
				is[i] = int64(b)
				if w := int32(i % 97); w >= h[b] {
					h[b], g[b] = w, int64(i)
				}
			}
			check(t, p, []value.Value{scalar(int64(k)), value.FromSlice(is)},
				[]value.Value{value.FromSlice(h), value.FromSlice(g)})
		}
	})
}

func TestScatterUpdatesAConsumedArray(t *testing.T) {
	onDevices(t, "scatter", 2_000, func(t *testing.T, p *host.Program) {
		const k, n = 1000, 500
		d, is := make([]float32, k), make([]int64, n)
		want := make([]float32, k)
		for i := range d {
			d[i], want[i] = -float32(i), -float32(i)
		}
		for i := range is {
			is[i] = int64(3*i - 5)
			if is[i] >= 0 && is[i] < k {
				want[is[i]] = float32(i)
			}
		}
		args := []value.Value{value.FromSlice(d), value.FromSlice(is)}
		for range 2 { // the second run sees the argument unchanged
			check(t, p, args, []value.Value{value.FromSlice(want), scalar(want[0])})
		}
	})
}

func TestFailedAssertionHasPlaceAndValues(t *testing.T) {
	onDevices(t, "check", 8_000, func(t *testing.T, p *host.Program) {
		const n = 3000
		xs, is, ys := make([]int32, n), make([]int64, n), make([]int32, n)
		sum := int32(0)
		for i := range xs {
			xs[i], is[i] = int32(i), int64(n-1-i)
			sum += xs[i]
			ys[i] = int32(28*i + 8*i)
		}
		args := []value.Value{value.FromSlice(xs), value.FromSlice(is)}
		want := []value.Value{scalar(sum), value.FromSlice(ys)}
		check(t, p, args, want)
		is[1234] = -7
		_, err := p.Call("main", args)
		var e *host.Error
		if !errors.As(err, &e) {
			t.Fatalf("%v", err)
		}
		want7 := "Index [-7] out of bounds for array of shape [3000]."
		if e.Message != want7 || len(e.Where) != 2 || e.Where[0] != "a.fut:1:2-3" {
			t.Errorf("%v", e)
		}
		is[1234] = 1234
		is[1234] = int64(n - 1 - 1234)
		check(t, p, args, want) // the device is clean again
	})
}
