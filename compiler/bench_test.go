package compiler_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skald/compiler"
	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/internalise"
	"skald/middle/pass"
	"skald/middle/pipeline"
	"skald/middle/surface"
)

// examplePrograms are the programs of the folder examples, checked, in order of name.
func examplePrograms(b *testing.B) (names []string, progs []*types.Prog) {
	b.Helper()
	files, err := filepath.Glob("examples/*.fut")
	if err != nil || len(files) == 0 {
		b.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".fut"))
		progs = append(progs, checkText(b, string(text)))
	}
	return names, progs
}

// BenchmarkCheck reads and checks one example, with what it uses of the prelude.
func BenchmarkCheck(b *testing.B) {
	files, _ := filepath.Glob("examples/*.fut")
	for _, file := range files {
		b.Run(strings.TrimSuffix(filepath.Base(file), ".fut"), func(b *testing.B) {
			for b.Loop() {
				if _, _, ok := compiler.Check(file, compiler.CheckOptions{}); !ok {
					b.Fatal("not accepted")
				}
			}
		})
	}
}

// BenchmarkCompile runs all passes on one checked example.
func BenchmarkCompile(b *testing.B) {
	names, progs := examplePrograms(b)
	for i, name := range names {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, d := compiler.Compile(progs[i], compiler.CompileOptions{}); d != nil {
					b.Fatal(d.Message)
				}
			}
		})
	}
}

// apply runs a pass on every program of a list and returns what it makes of them.
func apply[From, To any](b *testing.B, p pass.Pass[From, To], in []From) []To {
	out := make([]To, len(in))
	for i, prog := range in {
		made, d := pass.Apply(&pass.Context{}, p, prog, nil)
		if d != nil {
			b.Fatal(d.Message)
		}
		out[i] = made
	}
	return out
}

// measure is the benchmark of one pass on all examples together; it returns what comes out.
func measure[From, To any](b *testing.B, p pass.Pass[From, To], in []From) []To {
	b.Run(p.Name, func(b *testing.B) {
		for b.Loop() {
			apply(b, p, in)
		}
	})
	return apply(b, p, in)
}

// BenchmarkPass runs each pass by itself, on the six examples as they are when they come to it.
func BenchmarkPass(b *testing.B) {
	_, progs := examplePrograms(b)
	for _, p := range surface.Passes {
		progs = measure(b, p, progs)
	}
	irs := measure(b, internalise.Pass, progs)
	for _, p := range pipeline.All() {
		irs = measure(b, p, irs)
	}
	if irs[0].Stage != core.StageChosen {
		b.Fatalf("the passes end at stage %s", irs[0].Stage)
	}
}

// BenchmarkKernels lowers each example for a GPU and prints its WGSL: what an executable does when it knows the device.
func BenchmarkKernels(b *testing.B) {
	names, progs := examplePrograms(b)
	for _, profile := range []string{"portable", "native"} {
		model := compiler.DeviceProfile(profile)
		for i, name := range names {
			p, d := compiler.Compile(progs[i], compiler.CompileOptions{})
			if d != nil {
				b.Fatal(d.Message)
			}
			b.Run(profile+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if _, err := p.KernelText(model); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkLoad reads an example from its bundle.
func BenchmarkLoad(b *testing.B) {
	bundle := compile(b, readExample(b)).Bundle()
	for b.Loop() {
		if _, err := compiler.Load(bundle); err != nil {
			b.Fatal(err)
		}
	}
}
