package lowering

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skald/compiler"
	"skald/frontend/interp"
	"skald/frontend/types"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/testsuite/depth"
)

// smallTile is how many bytes of workgroup memory the smallest tiles of elements of four bytes take at most. Compilers of software drivers
// need minutes, and up to 18 GB, for kernels of larger ones.
const smallTile = 2500

// fewUnits is d as a GPU with one compute unit, so that few tiles are enough; a software driver has smallTile of workgroup memory, too.
func fewUnits(name string, d device.Device) device.Device {
	l := asGPU(d).(*limited)
	l.facts.Units = 1
	if strings.Contains(name, "lavapipe") || strings.Contains(name, "swiftshader") {
		l.facts.WorkgroupMemory = smallTile
	}
	return l
}

// array makes an array of small numbers; those of an index are below limit.
func array(elem prim.Type, limit int, shape ...int) value.Value {
	v := value.New(elem, shape...)
	for i := range v.Len() {
		x := int(pseudo(i+len(shape)) >> 8 % 7)
		if limit > 0 {
			x %= limit
		}
		switch {
		case elem == prim.Bool:
			v.Set(i, prim.MakeBool(x == 0))
		case elem == prim.F32:
			v.Set(i, prim.MakeF32(float32(x-3)))
		case elem == prim.F64:
			v.Set(i, prim.MakeF64(float64(x-3)))
		default:
			v.SetWord(i, uint64(x+1)-uint64(min(limit, 1)))
		}
	}
	return v
}

// tileCase is an entry point of testdata/tiles.fut, with arguments for sizes.
type tileCase struct {
	entry string
	args  func(m, n, k int) []value.Value
}

// large are the entry points whose tiles all take more than smallTile.
var large = []string{"i64s", "f64s", "rows", "own", "turned", "turnedAll", "turnedPart", "turnedOut"}

func matrices(elem prim.Type) func(m, n, k int) []value.Value {
	return func(m, n, k int) []value.Value { return []value.Value{array(elem, 0, m, k), array(elem, 0, k, n)} }
}

var tileCases = []tileCase{
	{"f32s", matrices(prim.F32)},
	{"i64s", matrices(prim.I64)},
	{"f64s", matrices(prim.F64)},
	{"u8s", matrices(prim.U8)},
	{"bools", matrices(prim.Bool)},
	{"shortest", matrices(prim.I32)},
	{"transposed", func(m, n, k int) []value.Value {
		return []value.Value{array(prim.F32, 0, k, m), array(prim.F32, 0, n, k)}
	}},
	{"epilogue", func(m, n, k int) []value.Value { return append(matrices(prim.F32)(m, n, k), array(prim.F32, 0, m, n)) }},
	{"batches", func(m, n, k int) []value.Value {
		return []value.Value{array(prim.F32, 0, 3, m, k), array(prim.F32, 0, 3, k, n)}
	}},
	{"blocks", func(m, n, k int) []value.Value {
		return []value.Value{array(prim.I32, 0, 5, m/4, k), array(prim.I32, 0, 3, n/2, k)}
	}},
	{"largest", matrices(prim.I32)},
	{"affine", matrices(prim.I32)},
	{"gathered", func(m, n, k int) []value.Value { return append(matrices(prim.I32)(m, n, 5), array(prim.I64, 5, k)) }},
	{"quotients", matrices(prim.I32)},
	{"weighted", func(m, n, k int) []value.Value {
		return []value.Value{array(prim.F32, 0, n/12, k), array(prim.F32, 0, m, k)}
	}},
	{"pairs", func(m, n, k int) []value.Value {
		return []value.Value{array(prim.I32, 0, m*3), array(prim.I32, 0, n+k)}
	}},
	{"pairsOf", func(m, n, k int) []value.Value {
		return []value.Value{array(prim.I32, 0, 2, m*2), array(prim.I32, 0, 2, n+k)}
	}},
	{"rows", func(m, n, k int) []value.Value {
		return []value.Value{array(prim.I32, 0, m*2, n+k), array(prim.I32, 0, n+k)}
	}},
	{"own", func(m, n, k int) []value.Value { return []value.Value{array(prim.I32, 0, m*2, n+k)} }},
	{"turned", func(m, n, _ int) []value.Value { return []value.Value{array(prim.I32, 0, m, n)} }},
	{"turnedAll", func(m, n, _ int) []value.Value { return []value.Value{array(prim.I64, 0, 3, m, n)} }},
	{"turnedOut", func(m, n, k int) []value.Value { return []value.Value{array(prim.U8, 0, k, m, n)} }},
	{"turnedPart", func(m, n, _ int) []value.Value { return []value.Value{array(prim.F32, 0, m, n)} }},
}

// tileSizes fill tiles of each shape, or leave rows, columns and iterations over; those that suit no tile are the last.
var tileSizes = [][3]int{{128, 128, 32}, {125, 117, 37}, {190, 61, 9}, {61, 64, 16}, {31, 90, 50}, {17, 3, 40}, {70, 70, 3}}

// tilesProgram compiles testdata/tiles.fut.
func tilesProgram(t *testing.T) (*types.Prog, *compiler.Program) {
	checked, sink, ok := compiler.Check("testdata/tiles.fut", compiler.CheckOptions{})
	if !ok {
		t.Fatal(sink)
	}
	prog, d := compiler.Compile(checked, compiler.CompileOptions{})
	if d != nil {
		t.Fatal(d)
	}
	return checked, prog
}

// tilesOn loads the program as for a GPU, with versions that take outer parallelism, and a function that counts launches of kernels in
// tiles.
func tilesOn(t *testing.T, prog *compiler.Program, name string, d device.Device, wide bool) (p *host.Program, launched func() int) {
	low, err := prog.Lower(on(name, fewUnits(name, d)).Model)
	if err != nil {
		t.Fatal(err)
	}
	if wide {
		widen(low)
	}
	p, err = compiler.LoadLow(low, on(name, d))
	if err != nil {
		t.Fatal(err)
	}
	for _, tune := range p.Tunes() {
		if err := p.SetTune(tune.Name, 1); err != nil {
			t.Fatal(err)
		}
	}
	count := 0
	if err := p.Debug(func(l host.Launched) {
		if strings.Contains(l.Kernel, "_tile_") || strings.Contains(l.Kernel, "_transpose_") {
			count++
		}
	}); err != nil {
		t.Fatal(err)
	}
	return p, func() int { n := count; count = 0; return n }
}

// TestTilesAgreeWithTheInterpreter runs each program of testdata/tiles.fut with sizes that fill tiles and others, and looks whether it
// ran in tiles.
func TestTilesAgreeWithTheInterpreter(t *testing.T) {
	checked, prog := tilesProgram(t)
	oracle := compiler.Interpret(checked, interp.Options{})
	want := map[string][]value.Value{}
	for _, c := range tileCases {
		for _, s := range tileSizes {
			key := fmt.Sprint(c.entry, s)
			res, err := oracle.Call(context.Background(), c.entry, c.args(s[0], s[1], s[2]))
			if err != nil {
				t.Fatal(key, err)
			}
			want[key] = res
		}
	}
	run := func(name string, d device.Device, wide bool) {
		t.Run(fmt.Sprintf("%s,wide=%v", name, wide), func(t *testing.T) {
			p, launched := tilesOn(t, prog, name, d, wide)
			model := on(name, fewUnits(name, d)).Model
			defer p.Close() //nolint:errcheck // all results are in
			for _, c := range tileCases {
				tiled := 0
				for _, s := range tileSizes {
					got, err := p.Call(c.entry, c.args(s[0], s[1], s[2]))
					if err != nil {
						t.Fatalf("%s %v: %v", c.entry, s, err)
					}
					for i, w := range want[fmt.Sprint(c.entry, s)] {
						if d := value.Compare(got[i], w, 0); d != nil {
							t.Errorf("%s %v: result %d: %v", c.entry, s, i, d)
						}
					}
					tiled += launched()
				}
				// Where bytes share words they are transposed one by one: Note [Transpositions].
				not := model.Lowering.Words && c.entry == "turnedOut" || model.Facts.WorkgroupMemory == smallTile && slices.Contains(large, c.entry)
				if tiled == 0 != not {
					t.Errorf("%s ran in tiles %d times", c.entry, tiled)
				}
			}
		})
	}
	for name, d := range devices(t) {
		switch {
		case depth.Of() == depth.Quick && name == "cpu":
			run(name, d, false)
		case depth.Of() == depth.Quick && name == "cpu-races":
			run(name, d, true)
		case name == "cpu" && depth.Of() < depth.Deep: // The search for races compares the same results.
		case name == "cpu" || name == "cpu-races":
			run(name, d, false)
			run(name, d, true)
		case name == "cpu-compiled": // A workgroup is one thread there.
		case name == "gpu" || name == "cuda" || name == "wgpu-native-lavapipe" && depth.Of() >= depth.Full || depth.Of() >= depth.Deep:
			run(name, d, false)
		default:
			t.Logf("%s: in make test-deep", name)
		}
	}
}

// TestChecksInTilesNamePlaceAndValues lets checks fail that belong to all points, and to one: the errors are the interpreter's.
func TestChecksInTilesNamePlaceAndValues(t *testing.T) {
	checked, prog := tilesProgram(t)
	oracle := compiler.Interpret(checked, interp.Options{})
	p, _ := tilesOn(t, prog, "cpu", devices(t)["cpu"], false)
	defer p.Close() //nolint:errcheck // all results are in
	outside := append(matrices(prim.I32)(60, 60, 5), array(prim.I64, 5, 40))
	outside[2].SetWord(33, 7)
	zero := matrices(prim.I32)(60, 60, 40)
	minus := zero[0].Clone()
	minus.SetWord(59*40+38, uint64(0xffffffff&-int64(zero[1].Word(38*60+57))))
	for _, c := range []struct {
		entry string
		args  []value.Value
		want  string
	}{
		{"gathered", outside, "Index [7] out of bounds for array of shape [5]"},
		{"quotients", []value.Value{minus, zero[1]}, "ivision by zero"},
	} {
		_, want := oracle.Call(context.Background(), c.entry, c.args)
		_, got := p.Call(c.entry, c.args)
		if want == nil || got == nil {
			t.Errorf("%s: no failure: %v, interpreter %v", c.entry, got, want)
			continue
		}
		place := regexp.MustCompile(`tiles\.fut:\d+`)
		if !strings.Contains(got.Error(), c.want) || place.FindString(got.Error()) != place.FindString(want.Error()) {
			t.Errorf("%s: %v\ninterpreter: %v", c.entry, got, want)
		}
	}
}
