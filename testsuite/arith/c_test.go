package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
	"skald/testsuite/depth"
)

// public lists the functions of Futhark that a dialect has; the others are the library's own.
func public(d shaders.Dialect) (exact []signature, refs []meaning, loose []inexact) {
	for _, name := range shaders.Names(d) {
		if s, ref, ok := exactReference(name); ok {
			exact = append(exact, s)
			refs = append(refs, ref)
		} else if x, ok := inexactFunction(d, name); ok {
			loose = append(loose, x)
		}
	}
	return exact, refs, loose
}

func TestEveryLanguageHasTheFunctionsOfTheNativeDialect(t *testing.T) {
	exact, _, loose := public(shaders.Native)
	var names []string
	for _, s := range exact {
		names = append(names, s.Name)
	}
	for _, x := range loose {
		names = append(names, x.sig.Name)
	}
	for _, l := range []shaders.Language{shaders.CUDA, shaders.C} {
		for _, name := range names {
			if _, ok := shaders.Lookup(shaders.Dialect{Language: l}, name); !ok {
				t.Errorf("language %d has no %s", l, name)
			}
		}
	}
}

// cProgram reads for each function a count and that many tuples, and writes the results, all as 64-bit words.
func cProgram(t *testing.T, sigs []signature) string {
	t.Helper()
	names := slices.Clone(cBits)
	for _, s := range sigs {
		names = append(names, s.Name)
	}
	library, err := shaders.Library(shaders.Dialect{Language: shaders.C}, names)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(library)
	b.WriteString("#include <stdio.h>\nint main(void) {\n  u64 n, a[3];\n")
	for _, s := range sigs {
		fmt.Fprintf(&b, `  if (fread(&n, 8, 1, stdin) != 1) return 1;
  for (u64 i = 0; i < n; i++) {
    if (fread(a, 8, %d, stdin) != %d) return 1;
    u64 r = %s;
    fwrite(&r, 8, 1, stdout);
  }
`, len(s.Params), len(s.Params), cCall(s, []string{"a[0]", "a[1]", "a[2]"}[:len(s.Params)]))
	}
	b.WriteString("  return 0;\n}\n")
	return b.String()
}

// cBound is what the functions of C libraries keep, in ulps: theirs are not ours to fix.
const cBound = 4

func TestCLibraryAgreesWithTheMeaning(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	exact, refs, loose := public(shaders.Dialect{Language: shaders.C})
	sigs := exact
	for _, x := range loose {
		sigs = append(sigs, x.sig)
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "arith.c"), filepath.Join(dir, "arith")
	if err := os.WriteFile(source, []byte(cProgram(t, sigs)), 0o644); err != nil {
		t.Fatal(err)
	}
	flags := []string{"-std=gnu11", "-O1", "-fwrapv", "-ffp-contract=off", "-Wall", "-Wno-unused-function", "-Werror"}
	if out, err := exec.Command(cc, append(flags, "-o", program, source, "-lm")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var in bytes.Buffer
	inputs := make([][]uint64, len(sigs))
	for i, s := range sigs {
		args := tuples(rand.New(rand.NewPCG(9, 9)), s.Params, depth.Choose(300, 5_000, 20_000))
		if i >= len(exact) {
			args = loose[i-len(exact)].arguments()
		}
		inputs[i] = args
		for _, part := range []any{uint64(len(args) / len(s.Params)), args} {
			if err := binary.Write(&in, binary.LittleEndian, part); err != nil {
				t.Fatal(err)
			}
		}
	}
	run := exec.Command(program)
	run.Stdin = &in
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range sigs {
		n := len(inputs[i]) / len(s.Params)
		got := make([]uint64, n)
		for j := range got {
			got[j] = prim.Canonical(s.Result, binary.LittleEndian.Uint64(out[8*j:]))
		}
		out = out[8*n:]
		if i < len(exact) {
			checkExact(t, s, refs[i], inputs[i], got)
		} else {
			x := loose[i-len(exact)]
			x.bound = max(x.bound, cBound)
			checkBound(t, x, inputs[i], got)
		}
	}
}

// The compiler checks functions that nothing calls, and then drops them: that is fast.
func TestCUDALibraryCompiles(t *testing.T) {
	c, err := cuda.OpenCompiler()
	if err != nil {
		t.Skip(err)
	}
	exact, _, loose := public(shaders.Dialect{Language: shaders.CUDA})
	for _, x := range loose {
		exact = append(exact, x.sig)
	}
	names := slices.Clone(cBits)
	for _, s := range exact {
		names = append(names, s.Name)
	}
	library, err := shaders.Library(shaders.Dialect{Language: shaders.CUDA}, names)
	if err != nil {
		t.Fatal(err)
	}
	spec := device.KernelSpec{
		Name: "all", Entry: "all", Buffers: 1, Workgroup: [3]uint32{64, 1, 1},
		Source: library + "extern \"C\" __global__ void all(u64 *a) { *a = 0; }\n",
	}
	if _, err := c.Compile(&spec, "sm_90"); err != nil {
		t.Error(err)
	}
}
