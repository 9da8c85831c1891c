package sizes_test

import (
	"testing"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/types"
)

// body checks a program and returns the body of its last definition.
func body(t *testing.T, text string) (*types.Def, types.Exp) {
	t.Helper()
	var sink diag.Sink
	prog, ok := check.Check(check.Files{"a.fut": text}, "a.fut", &sink, check.Options{})
	if !ok {
		for _, d := range sink.All() {
			t.Error(d.Error())
		}
		t.FailNow()
	}
	if err := types.Verify(prog); err != nil {
		t.Fatal(err)
	}
	def := prog.Defs[len(prog.Defs)-1]
	return def, def.Body
}

func TestExistentialSizesAreBornWhereTheyAreMade(t *testing.T) {
	tests := []struct {
		name, text string
		ext        int // sizes born by the body as a whole
	}{
		{"application", "def f (xs: []i32) = filter (> 0) xs", 1},
		{"known application", "def f (xs: []i32) = map (+ 1) xs", 0},
		{"slice", "def f [n] (xs: [n]i32) (i: i64) = xs[::i]", 1},
		{"slice from the start", "def f [n] (xs: [n]i32) (i: i64) = xs[:i]", 0},
		{"range", "def f (i: i32) = 0..<i", 1},
		{"range of i64", "def f (i: i64) = 0..<i", 0},
		{"branches that differ", "def f [n] [m] (b: bool) (xs: [n]i32) (ys: [m]i32) = if b then xs else ys", 1},
		{"branches, one of them an anonymous size", "def f (xs: []i32) (b: bool) = if b then [1, 2, 3] else xs", 1},
		{"branches that do not", "def f [n] (b: bool) (xs: [n]i32) (ys: [n]i32) = if b then xs else ys", 0},
		{"cases", "def f [n] (k: i32) (xs: [n]i32) = match k case 0 -> xs case _ -> xs[1:]", 1},
		{"variable that leaves its scope", "def f (b: bool) = let (n, _) = (if b then 1 else 2i64, b) in iota n", 1},
		{"variable that stands for an expression", "def f (m: i64) = let n = m + 1 in iota n", 0},
		{"loop that grows", "def f (k: i32) = loop xs = [1i32] for _i < k do xs ++ xs", 1},
		{"loop that does not", "def f (k: i32) = loop xs = [1i32] for _i < k do map (+ 1) xs", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, e := body(t, tt.text)
			if got := len(e.Base().Ext); got != tt.ext {
				t.Errorf("%d sizes are born, want %d; the type is %s", got, tt.ext, e.Base().Type)
			}
		})
	}
}

func TestLoopSizesAreParametersOfTheLoop(t *testing.T) {
	_, e := body(t, "def f (k: i32) = loop (xs, ys) = ([1i32], [2i32]) for _i < k do (xs ++ xs, ys)")
	loop := e.(*types.Loop)
	if len(loop.Sizes) != 1 {
		t.Fatalf("the loop has %d sizes, want 1", len(loop.Sizes))
	}
	want := "([" + loop.Sizes[0].Name + "]i32, [1]i32)"
	if got := loop.Pat.Base().Type.String(); got != want {
		t.Errorf("the pattern has type %s, want %s", got, want)
	}
}

func TestSizeArgumentsAreRecorded(t *testing.T) {
	def, e := body(t, "def g [n] (xs: [n]i32) = n\ndef f (xs: [7]i32) = g xs")
	ref := e.(*types.Apply).Fun.(*types.Ref)
	if len(ref.Args) != 1 || ref.Args[0].Size.String() != "7" {
		t.Errorf("%s: arguments %v, want the size 7", def.Sym.Name, ref.Args)
	}
}

func TestOpenSizesBecomeParameters(t *testing.T) {
	def, _ := body(t, "def f xs ys = zip (xs: []i32) (ys: []bool)")
	if len(def.TypeParams) != 1 || !def.TypeParams[0].IsSize() {
		t.Fatalf("%d parameters, want one size", len(def.TypeParams))
	}
	if got, want := def.Sym.Type.String(), "[d]i32 -> [d]bool -> *[d](i32, bool)"; got != want {
		t.Errorf("type %s, want %s", got, want)
	}
}

func TestDependentFunctionsSurviveInstantiation(t *testing.T) {
	def, _ := body(t, "def apply 'a '^b (f: a -> b) (x: a) = f x\n"+
		"def f (g: (n: i64) -> [n]i32 -> [n]i32) (xs: [3]i32) = (\\h -> h) g 3 xs")
	if got, want := def.Ret.Type.String(), "[3]i32"; got != want {
		t.Errorf("result %s, want %s", got, want)
	}
}

func TestNameOfAnArgumentThatCannotBeASize(t *testing.T) {
	_, e := body(t, "def f (m: i64) = replicate (let n = m in n + n) true")
	if len(e.Base().Ext) != 1 {
		t.Errorf("%d sizes are born, want 1 for the argument", len(e.Base().Ext))
	}
}
