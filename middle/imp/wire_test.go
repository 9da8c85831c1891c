package imp_test

import (
	"bytes"
	"math/rand/v2"
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
	fails := false
	for _, k := range p.Kernels {
		fails = fails || k.HasAssert()
	}
	if kept.Fails() != fails {
		t.Errorf("some kernel fails: %v", kept.Fails())
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
