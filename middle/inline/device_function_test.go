package inline_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/middle/core"
	"skald/middle/inline"
	"skald/middle/passtest"
)

// large is a program whose map calls a function of steps statements in calls places, with a constant of the program as an argument, and
// whose host code calls it once. The loop of the constant is too long to be computed by the compiler.
func large(steps, calls int) string {
	var b strings.Builder
	b.WriteString("stage soacs\nconsts fun consts (): (c_1: i64) = {\n  let (c_2: i64) = loop (a_3: i64 = 1i64) for i_4: i64 < 100000i64 {\n" +
		"    let (b_5: i64) = mul.i64 a_3 3i64\n    in (b_5)\n  }\n  in (c_2)\n}\n")
	b.WriteString("fun long (x_1: i64): (r_2: i64) globals (0 c_3: i64) = {\n  let (x_10: i64) = add.i64 x_1 c_3\n")
	for i := range steps - 1 {
		fmt.Fprintf(&b, "  let (x_%d: i64) = %s.i64 x_%d x_1\n", i+11, [...]string{"mul", "xor"}[i%2], i+10)
	}
	fmt.Fprintf(&b, "  in (x_%d)\n}\n", steps+9)
	b.WriteString("fun few (x_1: i64): (r_2: i64) = {\n  let (x_3: i64) = call long (x_1)\n  in (x_3)\n}\n")
	b.WriteString("fun main (n_1: i64, xs_2: [n_1]i64): (rs_3: *[n_1]i64, h_4: i64) = {\n" +
		"  let (rs_5: [n_1]i64) = screma n_1 (xs_2)\n    map fn (x_10: i64): (i64) {\n")
	for i := range calls {
		fmt.Fprintf(&b, "      let (x_%d: i64) = call %s (x_%d)\n", i+11, [...]string{"long", "few"}[i%2], i+10)
	}
	fmt.Fprintf(&b, "      in (x_%d)\n    }\n  let (h_6: i64) = call few (n_1)\n  in (rs_5, h_6)\n}\n", calls+10)
	b.WriteString("entry \"main\" main \"\"\n  param \"xs\" \"[]i64\" -1 1 1\n  result \"\" *\"[]i64\" -1 0 1\n  result \"\" \"i64\" -1 1 1\n")
	return b.String()
}

func calls(f *core.Fun) map[string]int {
	n := map[string]int{}
	core.Walk(f.Body, func(s *core.Stm) bool {
		if c, ok := s.Exp.(*core.Call); ok {
			n[c.Fun]++
		}
		return true
	})
	return n
}

func TestALargeFunctionCalledOftenIsADeviceFunction(t *testing.T) {
	p, err := core.Parse(large(120, 100))
	if err != nil {
		t.Fatal(err)
	}
	out := passtest.Apply(t, inline.Pass, p)
	r := out.Fun("long_device")
	if r == nil || !r.DeviceFunction || len(r.Params) != 2 || out.Funs[0] != r {
		t.Fatalf("the device function is not there, or not first:\n%s", core.Print(out))
	}
	if n := calls(out.Fun("main")); n["long_device"] != 100 || n["long"] != 1 || len(n) != 2 {
		t.Errorf("main calls %v", n)
	}
	passtest.SameResults(t, p, out, "main", "2i64\n[3i64, 4i64]\n")
}

func TestFunctionsOfSmallProgramsGoIntoTheirCallers(t *testing.T) {
	for _, c := range []struct{ steps, calls int }{{120, 30}, {60, 300}} {
		p, err := core.Parse(large(c.steps, c.calls))
		if err != nil {
			t.Fatal(err)
		}
		out := passtest.Apply(t, inline.Pass, p)
		if len(out.Funs) != 1 || len(calls(out.Funs[0])) != 0 {
			t.Errorf("%d calls of %d statements: there are %d functions", c.calls, c.steps, len(out.Funs))
		}
	}
}

// steering is a program whose map calls, 100 times, a function of many statements which call another in two of its three branches, with a
// number that decides between these or with one that is not known.
func steering(known bool) string {
	var b strings.Builder
	b.WriteString("stage soacs\nfun long (x_1: i64): (r_2: i64) = {\n  let (x_10: i64) = add.i64 x_1 1i64\n")
	for i := range 119 {
		fmt.Fprintf(&b, "  let (x_%d: i64) = %s.i64 x_%d x_1\n", i+11, [...]string{"mul", "xor"}[i%2], i+10)
	}
	b.WriteString("  in (x_129)\n}\nfun steered (x_1: i64, k_2: i64): (r_3: i64) = {\n  let (c_4: bool) = lt.i64 k_2 2i64\n" +
		"  let (r_5: i64) = if c_4 {\n    let (y_6: i64) = call long (x_1)\n    in (y_6)\n  } else {\n" +
		"    let (z_7: i64) = add.i64 x_1 k_2\n    in (z_7)\n  }\n  in (r_5)\n}\n" +
		"fun main (n_1: i64, xs_2: [n_1]i64): (rs_3: *[n_1]i64) = {\n" +
		"  let (rs_5: [n_1]i64) = screma n_1 (xs_2)\n    map fn (x_10: i64): (i64) {\n")
	for i := range 100 {
		k := "x_10"
		if known {
			k = fmt.Sprintf("%di64", i%4)
		}
		fmt.Fprintf(&b, "      let (x_%d: i64) = call steered (x_%d, %s)\n", i+11, i+10, k)
	}
	b.WriteString("      in (x_110)\n    }\n  in (rs_5)\n}\n" +
		"entry \"main\" main \"\"\n  param \"xs\" \"[]i64\" -1 1 1\n  result \"\" *\"[]i64\" -1 0 1\n")
	return b.String()
}

func TestACallWhoseArgumentsDecideItsBranchesIsReplaced(t *testing.T) {
	for _, known := range []bool{false, true} {
		p, err := core.Parse(steering(known))
		if err != nil {
			t.Fatal(err)
		}
		out := passtest.Apply(t, inline.Pass, p)
		n := calls(out.Fun("main"))
		if known && n["steered_device"] != 0 || !known && n["steered_device"] != 100 {
			t.Errorf("known %v: main calls %v", known, n)
		}
		passtest.SameResults(t, p, out, "main", "2i64\n[3i64, 4i64]\n")
	}
}
