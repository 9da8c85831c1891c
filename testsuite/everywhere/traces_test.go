package everywhere

import (
	"context"
	"slices"
	"strings"
	"testing"

	"skald/compiler"
	"skald/frontend/check"
	"skald/frontend/interp"
	"skald/frontend/source"
	"skald/runtime/value"
	"skald/tooling/conformance"
)

// traced has a trace of each kind of value, and where the host runs it: functions, loops, branches, constants, derivatives. What is traced
// after a failure is not printed.
const traced = `
type^ shape = #circle f32 | #square f32 f32 | #none
type pair = (i32, bool)

def offset: i32 = #[trace(offset)] (2 * 3)

def helper (x: i32) = #[trace(helper)] (x * 2)

#[noinline]
def called (x: i32) = (#[trace(called)] (x, -x)).1

def count (n: i64) (x: i32): i32 =
  if n == 0 then x else count (n - 1) (#[trace(counted)] (x + 1))

entry main (n: i64) (xs: []i32) =
  let ys = #[trace] map (+ offset) xs
  let zs: []pair = #[trace(zipped)] zip ys (map (> 8) ys)
  let t = loop acc = 0i32 for i < n do #[trace(acc)] (acc + helper (i32.i64 i))
  let r = #[trace] {a = t, b = (255u8, ()), c = -1i64}
  let s: shape = #[trace(shape)] (if t > 3 then #circle 2.5 else #square 1 2)
  let _ = if n == 0 then #[trace(not)] 1 else #[trace(unused)] 2i16
  let e = #[trace(empty)] (take 0 zs)
  let shapes = #[trace(shapes)] (map (\y -> if y > 8 then #circle (f32.i32 y) else if y > 7 then #square 1 2 else (#none: shape)) ys)
  let grid = #[trace(grid)] (transpose [ys, xs])
  let vs = copy ys with [0] = 77
  let vs = (#[trace(before)] vs) with [1] = 78
  let slice = #[trace(slice)] (#[trace(after)] vs)[::2]
  let d = jvp (\x -> #[trace(square)] (x * x)) 3f32 1
  let v = vjp (\x -> #[trace(cube)] (x * x * x)) 2f64 1
  let (u, k) = (called r.a, #[trace(counted)] (count 2 offset))
  in ( u + k + i32.sum (map (\(a, b) -> if b then a else 0) zs), length e, i32.sum grid[0] + i32.sum slice + i32.f32 d + i32.f64 v
     , match s case #circle _ -> 1i32 case _ -> 2i32
     , map (\s -> match s case #circle r -> r case #square a b -> a * b case #none -> 0f32) shapes)

entry fails (xs: []i32) =
  let ys = #[trace(ys)] map (10 /) xs
  in #[trace(sum)] (i32.sum ys)
`

// wantTraces is worked out by hand.
const wantTraces = `Trace at offset: 6i32
Trace at main.fut:16:12-37: [7i32, 8i32, 9i32]
Trace at zipped: [(7i32, false), (8i32, false), (9i32, true)]
Trace at helper: 0i32
Trace at acc: 0i32
Trace at helper: 2i32
Trace at acc: 2i32
Trace at main.fut:19:11-54: {a = 2i32, b = (255u8, ()), c = -1i64}
Trace at shape: #square 1.0f32 2.0f32
Trace at unused: 2i16
Trace at empty: empty([0](i32, bool))
Trace at shapes: [#none, #square 1.0f32 2.0f32, #circle 9.0f32]
Trace at grid: [[7i32, 1i32], [8i32, 2i32], [9i32, 3i32]]
Trace at before: [77i32, 8i32, 9i32]
Trace at after: [77i32, 78i32, 9i32]
Trace at slice: [77i32, 9i32]
Trace at square: 9.0f32
Trace at cube: 8.0f64
Trace at called: (2i32, -2i32)
Trace at counted: 7i32
Trace at counted: 8i32
Trace at counted: 8i32
`

func TestTracesArePrintedAlikeEverywhere(t *testing.T) {
	prog, sink, ok := compiler.Check("main.fut", compiler.CheckOptions{Loader: check.Files{"main.fut": traced}})
	if !ok {
		t.Fatal(sink.Sorted()[0].Message)
	}
	args := []value.Value{parse(t, "2i64"), parse(t, "[1, 2, 3]")}
	zero := []value.Value{parse(t, "[1, 0]")}
	var b strings.Builder
	in := compiler.Interpret(prog, interp.Options{Trace: func(at source.Span, tag, text string) {
		if tag == "" {
			tag = at.String()
		}
		b.WriteString("Trace at " + tag + ": " + text + "\n")
	}})
	if err := in.Init(context.Background()); err != nil {
		t.Fatal(err)
	}
	want, err := in.Call(context.Background(), "main", args)
	if err != nil || b.String() != wantTraces {
		t.Errorf("the interpreter traces\n%s%v", b.String(), err)
	}
	for _, name := range configurations() {
		if name == "interpreter" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			e := &member{configuration: name}
			if err := e.open(); err != nil {
				t.Fatal(err)
			}
			defer e.Close() //nolint:errcheck // all results are in
			var b strings.Builder
			e.Executor.(*conformance.Device).TraceTo(&b)
			p, err := e.Load(conformance.NewChecked(prog))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			got, err := p.Call(context.Background(), "main", args)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got, want, value.Equal) {
				t.Errorf("results %v, wanted %v", got, want)
			}
			if b.String() != wantTraces {
				t.Errorf("traces\n%swanted\n%s", b.String(), wantTraces)
			}
			b.Reset()
			if _, err := p.Call(context.Background(), "fails", zero); err == nil || b.String() != "" {
				t.Errorf("an index by zero: traces %q, %v", b.String(), err)
			}
		})
	}
}

func parse(t *testing.T, text string) value.Value {
	t.Helper()
	v, err := value.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
