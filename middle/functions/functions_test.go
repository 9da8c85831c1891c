package functions_test

import (
	"testing"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/functions"
	"skald/middle/pass"
	"skald/middle/passtest"
)

const program = `stage kernels
fun main (n_1: i64, xs_2: [n_1]i32): (zs_3: [n_1]i32) = {
  let (zs_4: [n_1]i32) = loop (ys_5: [n_1]i32 = xs_2) for i_6: i64 < 3i64 {
    let (ws_7: [n_1]i32) = segmap.grid (j_8 < n_1) (i32) {
      let (y_9: i32) = index ys_5 [j_8]
      let (w_10: i32) = add.i32 y_9 1i32
      in (w_10)
    }
    in (ws_7)
  }
  in (zs_4)
}
`

// A rule sees the kernels in loops of the host, and what it writes takes their place.
func TestKernelsAreReplacedWhereTheyAre(t *testing.T) {
	p := passtest.Parse(t, program)
	copied := func(b *core.Builder, s *core.Stm, e core.Seg) bool {
		b.Bind(s.Dst, &core.Copy{Array: p.Funs[0].Body.Stms[0].Exp.(*core.Loop).Params[0].Var})
		return true
	}
	out := functions.Map(p, func(f *core.Fun) *core.Fun { return functions.Kernels(f, copied) })
	if err := core.Verify(out); err != nil {
		t.Fatal(err)
	}
	if out.Any(func(e core.Exp) bool { _, ok := e.(core.Seg); return ok }) {
		t.Errorf("a kernel is left:\n%s", core.Print(out))
	}
	if core.Print(p) == core.Print(out) || core.Print(p) != core.Print(passtest.Parse(t, program)) {
		t.Error("the program itself changed, or nothing did")
	}
}

func TestFunctionsWithoutChangesAreTheSame(t *testing.T) {
	f := passtest.Parse(t, program).Funs[0]
	if functions.Kernels(f, func(*core.Builder, *core.Stm, core.Seg) bool { return false }) != f {
		t.Error("a copy")
	}
}

// What only GPUs want is done there alone; programs that it would not change do not even depend on the device.
func TestOnlyChangedProgramsAskForTheDevice(t *testing.T) {
	p := passtest.Parse(t, program)
	other := func(f *core.Fun) *core.Fun { g := *f; return &g }
	for _, c := range []struct {
		device  facts.Facts
		f       func(*core.Fun) *core.Fun
		changed bool
	}{
		{facts.Facts{}, other, true},
		{facts.Facts{Tasks: 4}, other, false},
		{facts.Facts{Software: true}, other, false},
		{facts.Facts{}, func(f *core.Fun) *core.Fun { return f }, false},
	} {
		if out := functions.MapForGPU(&pass.Context{Device: c.device}, p, c.f); (out != p) != c.changed {
			t.Errorf("%+v: changed is %v", c.device, out != p)
		}
	}
}
