package lowering

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"skald/compiler"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// Where a size is 2^30 or more, indices that a program computes in i32 overflow as they should: the form of a task that takes them to be
// indices does not run (Note [Small indices] in middle/lower).
func TestIndicesThatOverflowWrapAround(t *testing.T) {
	const src = `entry least (n: i64): i64 = i64.minimum (map (\i -> i64.i32 (i32.i64 i + 0x40000000)) (iota n))`
	file := filepath.Join(t.TempDir(), "least.fut")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	prog, sink, accepted := compiler.Check(file, compiler.CheckOptions{})
	if !accepted {
		t.Fatal(sink.Sorted())
	}
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{})
	if d != nil {
		t.Fatal(d)
	}
	p, err := compiled.On(on("cpu-compiled", devices(t)["cpu-compiled"]))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for n, want := range map[int64]int64{1000: 1 << 30, 1 << 30: 1 << 30, 1<<30 + 1: math.MinInt32} {
		got, err := p.Call("least", []value.Value{value.Scalar(prim.MakeI64(n))})
		if err != nil {
			t.Fatal(err)
		}
		if x := got[0].At(0).Int(); x != want {
			t.Errorf("n = %d: %d, want %d", n, x, want)
		}
	}
}
