package imp_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
	"skald/middle/imp/wire"
)

func encodedSample(t *testing.T) (*imp.Prog, []byte) {
	t.Helper()
	p, err := imp.Parse(everything)
	if err != nil {
		t.Fatal(err)
	}
	first := p.Kernels[0].Name
	return p, wire.Encode(p, func(k *imp.Kernel) map[string]*imp.Code {
		if k.Name != first {
			return nil
		}
		c := &imp.Code{Source: "text of " + k.Name, Entry: k.Name, Wide: true, Shared: 12}
		c.Layout(k)
		return map[string]*imp.Code{"": c, "64 32": c}
	})
}

// The sample has every statement and expression.
func TestTheBinaryFormKeepsEverything(t *testing.T) {
	p, data := encodedSample(t)
	_, again := encodedSample(t)
	if !bytes.Equal(data, again) {
		t.Error("equal programs have different binary forms")
	}
	kept, err := wire.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range p.Kernels {
		if kept.Names()[i] != k.Name {
			t.Errorf("kernel %d is called %s", i, kept.Names()[i])
		}
		if n := kept.Arrays(k.Name); n != k.Globals() {
			t.Errorf("kernel %s has %d arrays, not %d", k.Name, k.Globals(), n)
		}
		if code := kept.Code(k.Name, "64 32"); (code != nil) != (i == 0) || i == 0 && (code.Source != "text of "+k.Name || code.Shared != 12) {
			t.Errorf("kernel %s has the code %v", k.Name, code)
		}
	}
	for i, f := range p.Funs {
		if kept.Functions()[i] != f.Name {
			t.Errorf("function %d is called %s", i, kept.Functions()[i])
		}
	}
	whole, err := kept.Whole()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(imp.Print(p), imp.Print(whole)); d != "" {
		t.Error(d)
	}
	if err := imp.Verify(whole); err != nil {
		t.Error(err)
	}
	if _, err := kept.Kernel("nobody"); err == nil || kept.Code("nobody", "") != nil {
		t.Error("there is a kernel of any name")
	}
	if _, err := kept.Function("nobody"); err == nil || kept.Arrays("nobody") != 0 {
		t.Error("there is a function of any name")
	}
}

// Damaged bytes are an error or another program, and never a panic.
func TestDamagedBinaryFormsDoNotPanic(t *testing.T) {
	_, data := encodedSample(t)
	read := func(data []byte) error {
		p, err := wire.Open(data)
		if err != nil {
			return err
		}
		for _, n := range p.Names() {
			p.Code(n, "")
		}
		_, err = p.Whole()
		return err
	}
	for n := range data {
		if read(data[:n]) == nil {
			t.Errorf("the first %d of %d bytes are a program", n, len(data))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		damaged := bytes.Clone(data)
		damaged[rng.IntN(len(data))] = byte(rng.Uint32())
		_ = read(damaged)
	}
}

// Names, comments and the numbers of sites are no part of the shape of a kernel; all else is.
func TestKernelsWithTheSameCodeHaveOneShape(t *testing.T) {
	const one = `site "a.fut:1:1" "out of %" (i64)
site "b.fut:2:2" "beyond %" (i64)
kernel one(n_1: i64, read @xs_0: i32, write @ys_1: i32) group 64 at "a.fut:1:1" {
  let i_2: idx = thread_id
  if lt.i64(n_1, 4:i64) {
    @ys_1[i_2] = @xs_0[i_2]
  }
  assert lt.i64(n_1, 3:i64) site 0 (n_1)
}
`
	shapeOf := func(text string) string {
		p, err := imp.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return wire.ShapesOf(p.Kernels).Of(p.Kernels[0])
	}
	other := strings.NewReplacer("one(", "two(", "n_1", "rows_1", "@xs_", "@as_", "site 0", "site 1", ` at "a.fut:1:1"`, "").Replace(one)
	if shapeOf(one) != shapeOf(other) {
		t.Error("kernels that differ in names and sites have different shapes")
	}
	for old, changed := range map[string]string{"4:i64": "5:i64", "group 64": "group 32", "n_1, 3": "n_1, 2", "write": "atomic"} {
		if shapeOf(one) == shapeOf(strings.ReplaceAll(one, old, changed)) {
			t.Errorf("kernels that differ in %s have one shape", old)
		}
	}
}
