package sanitizegpu

import (
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skald/compiler"
	"skald/middle/imp"
	"skald/targets"
	"skald/testsuite/depth"
)

var update = flag.Bool("update", false, "write programs.txt")

// root is the repository's folder.
const root = "../.."

// fewest is how many programs the list has at least.
const fewest = 60

// TestEveryShapeHasAProgram compiles our programs for an H200. Each kind of kernel has a line in the list, at depth full each shape, and
// then each line a program that has it.
func TestEveryShapeHasAProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it compiles all programs")
	}
	shapes := shapesOf(t)
	if *update {
		if err := os.WriteFile(ListFile, []byte(listOf(shapes)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Read(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	exact := depth.Of() >= depth.Full
	programs, listed := map[string]bool{}, map[string]bool{}
	for _, l := range list {
		programs[l.Program], listed[l.Shape], listed[kindOf(l.Shape)] = true, true, true
		if exact && !slices.Contains(shapes[l.Shape], l.Program) {
			t.Errorf("%s has no kernel of the shape %q", l.Program, l.Shape)
		}
	}
	for shape, of := range shapes {
		if !listed[kindOf(shape)] || exact && !listed[shape] {
			t.Errorf("no program is listed for the shape %q, which %s has; -update lists one", shape, of[0])
		}
	}
	if len(programs) < fewest {
		t.Errorf("only %d programs are listed", len(programs))
	}
	t.Logf("%d shapes, %d programs", len(list), len(programs))
}

// kindOf is the first word of a shape.
func kindOf(shape string) string {
	kind, _, _ := strings.Cut(shape, ",")
	return kind
}

// shapesOf finds the shapes of the kernels of our programs, each with the programs that have it.
func shapesOf(t *testing.T) map[string][]string {
	out := map[string][]string{}
	m := targets.FindProfile("h200-cuda")
	for _, file := range ours(t) {
		for _, k := range kernelsOf(filepath.Join(root, file), m) {
			shape := Shape(k)
			if !slices.Contains(out[shape], file) {
				out[shape] = append(out[shape], file)
			}
		}
	}
	return out
}

// kernelsOf compiles a program; one that is to be rejected has no kernels.
func kernelsOf(file string, m *targets.Model) []*imp.Kernel {
	prog, _, ok := compiler.Check(file, compiler.CheckOptions{})
	if !ok {
		return nil
	}
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{})
	if d != nil {
		return nil
	}
	low, err := compiled.Lower(m)
	if err != nil {
		return nil
	}
	return low.Kernels
}

// ours lists our programs, in order.
func ours(t *testing.T) []string {
	var files []string
	for _, folder := range []string{"examples", "testsuite/programs"} {
		err := fs.WalkDir(os.DirFS(root), folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".fut") && !strings.Contains(path, "rejected") {
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

// listOf chooses for each shape, in order, a program that is not chosen yet, if there is one.
func listOf(shapes map[string][]string) string {
	chosen := map[string]bool{}
	var b strings.Builder
	for _, shape := range slices.Sorted(maps.Keys(shapes)) {
		program := shapes[shape][0]
		for _, p := range shapes[shape] {
			if !chosen[p] {
				program = p
				break
			}
		}
		chosen[program] = true
		b.WriteString(program + ": " + shape + "\n")
	}
	return b.String()
}
