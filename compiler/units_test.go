package compiler_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"skald/compiler"
	"skald/middle/imp"
	"skald/runtime/device"
	"skald/targets"
)

// What is compiled for processors does not depend on how many cores they have: code that an executable carries fits all of them.
func TestKernelsForProcessorsAreTheSameForAnyNumberOfCores(t *testing.T) {
	var files []string
	for _, folder := range []string{"examples", "testsuite/programs/soacs", "testsuite/programs/nested"} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".fut") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		prog, _, accepted := compiler.Check(file, compiler.CheckOptions{})
		if !accepted {
			continue
		}
		compiled, d := compiler.Compile(prog, compiler.CompileOptions{})
		if d != nil {
			continue
		}
		kernels := func(units int) string {
			low, err := compiled.Lower(targets.Find("cpu").Model(&device.Facts{Units: units, Compiled: true}))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, k := range low.Kernels {
				b.WriteString(imp.PrintKernel(k))
			}
			return b.String()
		}
		if few, many := kernels(1), kernels(100); few != many {
			t.Errorf("%s has other kernels for other processors:\n%s\n%s", file, few, many)
		}
	}
	if len(files) < 30 {
		t.Errorf("only %d programs are found", len(files))
	}
}
