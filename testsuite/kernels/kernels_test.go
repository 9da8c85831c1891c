package kernels

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/middle/imp"
	"skald/middle/pass"
	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/targets"
	"skald/testsuite/depth"
)

// folders hold the programs.
var folders = []string{"../../examples", "../bench", "../programs"}

// deep asks for more than fits the minutes of `make test`.
var deep = depth.Of() >= depth.Deep

// TestEveryKernelIsCUDA compiles kernels of our programs for sm_90: those that the list of accepted kernels lacks, and a sample of the
// others (Note [Accepted kernels]); quick tests a sample of all. Deep tests compile all, and their wide forms, and for two other GPUs those
// that their lists lack, and a sample. A kernel that is the text of another one is compiled once.
func TestEveryKernelIsCUDA(t *testing.T) {
	nvrtc, err := cuda.OpenCompiler()
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	t.Run(first, func(t *testing.T) {
		switch {
		case deep:
			compileFor(t, nvrtc, first, specsOf(t, targets.FindProfile(first)))
		case depth.Of() < depth.Full && !*accept:
			compileFor(t, nvrtc, first, oneIn(32, emittedSpecs(t, first)))
		default:
			compileListed(t, nvrtc, first, emittedSpecs(t, first), mostLacking, 32)
		}
	})
	if !deep {
		return
	}
	for _, profile := range others {
		t.Run(profile, func(t *testing.T) {
			compileListed(t, nvrtc, profile, specsOf(t, targets.FindProfile(profile)), math.MaxInt, 16)
		})
	}
}

// compileListed compiles the kernels that the list for a profile lacks, at most so many unless all are to be accepted, and one in some of
// the others.
func compileListed(t *testing.T, nvrtc *cuda.Compiler, profile string, specs []device.KernelSpec, most, sample int) {
	t.Helper()
	l, hash := readList(t, "nvrtc", profile), hashFor(profile)
	lacking, known := split(t, l, hash, specs)
	if len(lacking) > most && !*accept {
		t.Fatalf("%s lacks %d of %d kernels, more than %d: run `make nvrtc`", l.file(), len(lacking), len(specs), most)
	}
	chosen := append(oneIn(*parts, lacking), oneIn(sample, known)...)
	compileFor(t, nvrtc, profile, chosen)
	if *accept && !t.Failed() {
		write(t, l, hash, specs, chosen)
	}
}

// compileFor compiles kernels for a profile.
func compileFor(t *testing.T, nvrtc *cuda.Compiler, profile string, specs []device.KernelSpec) {
	t.Helper()
	compile := func(spec device.KernelSpec) error {
		_, err := nvrtc.Compile(&spec, profile)
		return err
	}
	for i, err := range pass.Each(specs, compile) {
		if err != nil {
			t.Errorf("%s: %v", specs[i].Name, err)
		}
	}
	t.Logf("%d kernels compiled", len(specs))
}

// emittedSpecs are the kernels of all programs for a GPU as they are emitted, which are those that it runs. Each is named after the
// program, too.
func emittedSpecs(t *testing.T, profile string) []device.KernelSpec {
	var out []device.KernelSpec
	emitted(t, programs(t, folders), profile, unnamed, func(file string, code *imp.Code, _ string) {
		out = append(out, device.KernelSpec{Name: file + ": " + code.Entry, Source: code.Source, Entry: code.Entry})
	})
	return out
}

// specsOf prints the kernels of all programs for a GPU, and their wide forms. Each is named after the program, too.
func specsOf(t *testing.T, m *targets.Model) []device.KernelSpec {
	seen := map[string]bool{}
	var out []device.KernelSpec
	for _, file := range programs(t, folders) {
		compiled := compile(t, file)
		if compiled == nil {
			continue
		}
		low, err := compiled.Lower(m)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, k := range low.Kernels {
			for _, form := range []*imp.Kernel{k, imp.WidenKernel(k)} {
				code, err := m.Print(form)
				if err != nil {
					t.Errorf("%s: %v", file, err)
					continue
				}
				if text := unnamed(code.Source); !seen[text] {
					seen[text] = true
					out = append(out, device.KernelSpec{Name: file + ": " + k.Name, Source: code.Source, Entry: code.Entry})
				}
			}
		}
	}
	return out
}

// compiledPrograms are the programs that compile has compiled, by file.
var compiledPrograms = map[string]*compiler.Program{}

// compile compiles a program, once for all tests; nil if it is to be rejected, or shows a limitation. Tests call it one after the other.
func compile(t *testing.T, file string) *compiler.Program {
	p, known := compiledPrograms[file]
	if known {
		return p
	}
	if prog, _, ok := compiler.Check(file, compiler.CheckOptions{}); ok {
		var d *diag.Diagnostic
		if p, d = compiler.Compile(prog, compiler.CompileOptions{DumpDir: t.TempDir()}); d != nil {
			p = nil
		}
	}
	compiledPrograms[file] = p
	return p
}

// programs lists the programs of folders.
func programs(t *testing.T, folders []string) []string {
	var files []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".fut") {
				files = append(files, path)
			}
			return err
		})
		if err := errors.Join(err); err != nil || len(files) == 0 {
			t.Fatal("no programs in", folder, err)
		}
	}
	return files
}
