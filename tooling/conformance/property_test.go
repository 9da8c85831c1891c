package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// test runs a program's block in the interpreter.
func test(t *testing.T, text string, o Options) []Result {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.fut")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Executor = Interpreter{}
	var out []Result
	for _, r := range File(path, o) {
		if r.Kind == Accepted {
			if r.Status != Pass {
				t.Fatal(r.Reason)
			}
			continue
		}
		out = append(out, r)
	}
	return out
}

func TestProperties(t *testing.T) {
	tests := []struct{ name, program, reason string }{
		{"holds for random values", `
#[prop]
entry p (x: {a: i32, b: [2]u8}) (xs: []f32) : bool = x.a == x.a && length xs >= 0`, ""},
		{"is false of an array that is made as small as it can be", `
#[prop]
entry p (xs: []i32) : bool = length xs < 3`, "for [0i32, 0i32, 0i32]"},
		{"sizes of the same name are equal", `
#[prop]
entry p [n] (xs: [n]i32) (ys: [n]i32) : bool = map2 (+) xs ys |> length |> (== n)`, ""},
		{"numbers move towards zero by halves", `
#[prop]
entry p (x: u32) : bool = x < 1000`, "u32"},
		{"a generator is given the size", `
entry make (n: i64) (_: u64) : []i64 = iota n
#[prop(gen(make), size(4))]
entry p (xs: []i64) : bool = length xs == 4`, ""},
		{"a counterexample of a generator is of the least size", `
entry make (n: i64) (_: u64) : []i64 = iota n
#[prop(gen(make))]
entry p (xs: []i64) : bool = i64.sum xs < 10`, "for [0i64, 1i64, 2i64, 3i64, 4i64]"},
		{"a function that shrinks is called as long as it helps", `
entry make (_: i64) (_: u64) : i32 = 100
entry less (x: i32) (_: u64) : i32 = x - 1
#[prop(gen(make), shrink(less))]
entry p (x: i32) : bool = x < 42`, "for 42i32"},
		{"failing is a counterexample", `
#[prop(size(0))]
entry p (xs: []i32) : bool = xs[0] == 0`, "out of bounds"},
		{"what the attribute lacks is told", `
entry p (x: i32) : bool = x == x`, "lacks the attribute #[prop]"},
		{"what the attribute must not have is told", `
#[prop(sise(3))]
entry p (x: i32) : bool = x == x`, "want gen(f), shrink(f) or size(n)"},
		{"a sum needs a generator", `
#[prop]
entry p (x: #a | #b i32) : bool = match x case #a -> true case #b y -> y == y`, "name a function that makes them"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			got := test(t, "-- ==\n-- property: p\n"+c.program+"\n", Options{Seed: 1})
			if len(got) != 1 {
				t.Fatalf("%d results, want one", len(got))
			}
			if failed := got[0].Status == Fail; failed != (c.reason != "") || !strings.Contains(got[0].Reason, c.reason) {
				t.Errorf("%s: %s\nwant %q", got[0].Status, got[0].Reason, c.reason)
			}
		})
	}
}

func TestStructures(t *testing.T) {
	tests := []struct {
		structure string
		status    Status
		reason    string
	}{
		{"{ Screma 1 }", Pass, ""},
		{"{ /Screma 1 Loop 0 }", Pass, ""},
		{"{ Screma 2 }", Fail, "Screma occurs 1 times, not 2"},
		{"gpu { SegRed 1 SegMap 0 }", Pass, ""},
		{"{ Screma/BinOp 2 }", Pass, ""},
		{"{ True 0 ForLoop 0 Map 0 /Apply/segiota 0 }", Pass, ""},
		{"{ Skrema 1 }", Fail, "no construct is called \"Skrema\""},
		{"seq-mem { Alloc 1 }", Skip, "no pipeline seq-mem"},
	}
	for _, c := range tests {
		t.Run(c.structure, func(t *testing.T) {
			// The map and the reduction are fused to one loop, with one multiplication and one addition.
			program := "-- ==\n-- structure " + c.structure + "\n\ndef main (xs: []i32) : i32 = i32.sum (map (* 2) xs)\n"
			got := test(t, program, Options{Mode: StructureOnly})
			if len(got) != 1 || got[0].Status != c.status || !strings.Contains(got[0].Reason, c.reason) {
				t.Errorf("got %v\nwant %s: %s", got, c.status, c.reason)
			}
		})
	}
}

// What is in branches, cases and loops has these in its path.
func TestStructuresNameBranchesAndLoops(t *testing.T) {
	program := `-- ==
-- structure { /If 1 /If/True/Loop 1 If/True/Loop/WhileLoop 1 ForLoop 0 If/False/BinOp 1 True/BinOp 0 }

def main (x: i32) (y: i32) : i32 = if x > y then loop z = x while z > 3 do z / 2 else x * y
`
	got := test(t, program, Options{Mode: StructureOnly})
	if len(got) != 1 || got[0].Status != Pass {
		t.Errorf("%v", got)
	}
}

// Where Futhark has other forms for the same, they count by its names.
func TestStructuresCountWhatFutharkCallsOtherwise(t *testing.T) {
	for name, program := range map[string]string{
		"the version inside a workgroup alone, where an attribute asks for it": `-- structure gpu { /SegMap/SegScan 1 SegScan 1 If 0 }

def main (xss: [][]i32) : [][]i32 = #[flattening(only_intra)] map (scan (+) 0) xss
`,
		"no branch of a guard, but that between versions": `-- structure gpu { If 1 SegRed 1 SegMap 1 SegRed/SegBinOp/BinOp 1 }

def main (xss: [][]i32) : []i32 = map i32.sum xss
`,
		"updates by numbers of the device, and what computes them": `-- structure gpu { /GPUBody 1 /GPUBody/BinOp 1 /Index 0 /Update 1 WithAcc 0 }

def main (xs: *[]f32) : *[]f32 = #[unsafe] xs with [4] = xs[4] / 7
`,
		"one thread, its results, and built-in functions": `-- structure gpu { /GPUBody 1 /GPUBody/Apply 1 ArrayLit 0 /Index 0 SegMap 0 }

def main (xs: []f32) : [1]f32 = #[unsafe] [f32.sqrt xs[0]]
`,
		"no conversion between types of one width": `-- structure { ConvOp 1 }

def main (x: i32) : (u32, i64) = (u32.i32 x, i64.i32 x)
`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := test(t, "-- ==\n"+program, Options{Mode: StructureOnly}); len(got) != 1 || got[0].Status != Pass {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestScripts(t *testing.T) {
	const program = `
entry pair (n: i64) : {xs: []i64, n: i64} = {xs = iota n, n}
entry points (n: i64) : [n]{x: i64, y: f32} = tabulate n (\i -> {x = i * i, y = f32.i64 i / 2})
entry add (a: i64) (b: i64) : i64 = a + b
entry both (p: {a: i64, b: i64}) : i64 = p.a * 10 + p.b
`
	tests := []struct{ script, output, reason string }{
		{"(let r = pair 4i64 in let xs = r.xs in xs[3], 2i64)", "5i64", ""},
		{"(let r = pair 4i64 in r.n, (7i64, 8i64).1)", "12i64", ""},
		{"let ps = points 5i64 in let p = ps[3] in (p.x, 1i64)", "10i64", ""},
		{"let (a, b) = (3i64, 4i64) in (a, b)", "7i64", ""},
		{"let ps = points 5i64 in (ps[5], 0i64)", "", "index [5] is out of bounds"},
		{"let r = pair 4i64 in (r.ys, 0i64)", "", "no field ys"},
		{"(nothing 4i64, 1i64)", "", "nothing"},
	}
	for _, c := range tests {
		t.Run(c.script, func(t *testing.T) {
			got := test(t, "-- ==\n-- entry: add\n-- script input { "+c.script+" }\n-- output { "+c.output+" }\n"+program, Options{})
			if len(got) != 1 || (got[0].Status == Fail) != (c.reason != "") || !strings.Contains(got[0].Reason, c.reason) {
				t.Errorf("got %v\nwant %q", got, c.reason)
			}
		})
	}
	t.Run("fields of a record are in canonical order", func(t *testing.T) {
		got := test(t, "-- ==\n-- entry: both\n-- script input { {b = 2i64, a = 1i64} }\n-- output { 12i64 }\n"+program, Options{})
		if len(got) != 1 || got[0].Status != Pass {
			t.Errorf("got %v", got)
		}
	})
}
