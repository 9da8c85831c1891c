package compiler_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/middle/core"
	"skald/targets"
)

// manyTypes has a kernel with arrays of nine types, which eight bindings are enough for: arrays of one size of element are bound as one.
const manyTypes = `entry main [n] (a: [n]i8) (b: [n]u8) (c: [n]i16) (d: [n]u16) (efgh: [n](i32, u32, f32, bool)) (i: [n]i64) =
  map5 (\a b (c, d) (e, f, g, h) i ->
          if h then i64.i8 a + i64.u8 b + i64.i16 c + i64.u16 d + i64.i32 e + i64.u32 f + i64.f32 g else i)
       a b (zip c d) efgh i
`

func TestKernelsWithArraysOfManyTypesRunEverywhere(t *testing.T) {
	compiled, d := compiler.Compile(checkText(t, manyTypes), compiler.CompileOptions{})
	if d != nil {
		t.Fatal(d)
	}
	if got := compiled.Refusals(targets.ProfileNames()); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// Deep nests of branches are a limitation of WGSL with the place, chains of them are not, however long.
func TestNestsThatAreTooDeepForWGSLAreNamed(t *testing.T) {
	const head, start = "entry main [k] (xs: [k]i32) = map (\\x -> ", "let a: *[4]i32 = [x, x, x, x] in "
	nest, chain := head+start, head
	for i := range 150 {
		nest += fmt.Sprintf("if x > %d then let a[%d] = x * %d in ", i, i%4, i)
		chain += fmt.Sprintf("if x > %d then x * %d else ", i, i)
	}
	for text, want := range map[string]string{
		chain + "x) xs\n": "",
		nest + "a" + strings.Repeat(" else [x, 1, 2, 3]", 150) + ") xs\n": "branches and loops are nested 152 deep, at most 62 are compiled",
	} {
		compiled, d := compiler.Compile(checkText(t, text), compiler.CompileOptions{})
		if d != nil {
			t.Fatal(d)
		}
		got := compiled.Refusals([]string{"portable", "sm_90"})
		switch {
		case want == "" && len(got) > 0:
			t.Errorf("a chain is refused: %v", got)
		case want != "" && (len(got) == 0 || !strings.Contains(got[0].Message, want) || got[0].Place == ""):
			t.Errorf("%v, want %q", got, want)
		}
	}
}

// A kernel's text names the file that it comes from.
func TestFilesMayHaveBracesInTheirNames(t *testing.T) {
	const text = "entry main (xs: []i32) = map (+1) xs\n"
	for _, name := range []string{"a}b.fut", "a{b.fut", strings.Repeat("{", 130) + ".fut"} {
		compiled, d := compiler.Compile(checkFile(t, name, text), compiler.CompileOptions{})
		if d != nil {
			t.Fatal(d)
		}
		if got := compiled.Refusals([]string{"portable", "native", "sm_90"}); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestProfilesThatRefuseAProgramAreNamed(t *testing.T) {
	names := []string{"portable", "native", "cpu"}
	few := diag.Limit("main.fut:2:3", "kernel main_map_1: it needs 9 buffers, the device allows 8")
	got := compiler.Named([][]*diag.Diagnostic{{few}, {few}, nil}, names)
	const want = "devices like portable or native cannot run all of this: kernel main_map_1: it needs 9 buffers, the device allows 8"
	if len(got) != 1 || got[0].Severity != diag.Remark || got[0].Place != "main.fut:2:3" || got[0].Message != want {
		t.Errorf("%v", got)
	}
	// It is an error where no device is left.
	got = compiler.Named([][]*diag.Diagnostic{{few}, {few}}, names[:2])
	if len(got) != 1 || got[0].Code != diag.CodeLimit || !got[0].IsError() || len(got[0].Notes) != 1 {
		t.Errorf("%v", got)
	}
}

// A limitation of lowering is one on all devices.
func TestAProgramThatNoTargetRunsIsAnError(t *testing.T) {
	ir, err := core.Parse(`stage memory
fun main (n_1: i64, m_2: mem(i32, device)): (r_6: i64) = {
  let (xs_3: [n_1]i32 @m_2{0; 1}) = segmap.grid (i_4 < n_1) (i32) {
    let (pm_5: mem(i32, private)) = alloc i32 n_1 private at "a.fut:7:1-2"
    in (1i32)
  }
  in (n_1)
}
`)
	if err != nil {
		t.Fatal(err)
	}
	got := compiler.FromCore(ir).Refusals(targets.ProfileNames())
	if len(got) != 1 || got[0].Code != diag.CodeLimit || got[0].Place != "a.fut:7:1-2" || len(got[0].Notes) != 1 {
		t.Errorf("%v", got)
	}
	for _, name := range targets.ProfileNames() {
		if !strings.Contains(got[0].Notes[0].Message, name) {
			t.Errorf("%q does not name %s", got[0].Notes[0].Message, name)
		}
	}
}

// No device updates rows of an accumulator by an operator on rows: one thread does, which is noted with its place.
func TestAccumulatorsWhoseOperatorsCombineRowsAreUpdatedByOneThread(t *testing.T) {
	const text = `def larger (a: [4]i32) (b: [4]i32) : [4]i32 =
  loop c = replicate 4 0 for k < 4 do c with [k] = i32.max a[k] b[k]
entry main [m] (rows: [m][4]i32) : [2][4]i32 =
  intrinsics.hist_stream (replicate 2 (replicate 4 0)) larger (replicate 4 0)
    (\(acc: *intrinsics.acc ([2][4]i32)) (i: i64) -> intrinsics.acc_write acc (i % 2) rows[i])
    (iota m)
`
	compiled, d := compiler.Compile(checkText(t, text), compiler.CompileOptions{Verify: true})
	if d != nil {
		t.Fatal(d)
	}
	if got := compiled.Refusals(targets.ProfileNames()); len(got) > 0 {
		t.Errorf("refused: %v", got)
	}
	const want = "This runs in one thread: the operator of its accumulator combines arrays, or makes large ones at main.fut:4:3-6:12."
	if got := compiled.Warnings(); len(got) != 1 || got[0].Code.ID != "few-threads" || got[0].Message != want {
		t.Errorf("%+v", got)
	}
}
