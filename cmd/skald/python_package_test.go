package main

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skald/testsuite/depth"
)

// pythonPackage copies the package, so that nothing is built in the folder of its sources.
func pythonPackage(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "python")
	if err := os.CopyFS(dir, os.DirFS("../../bindings/python")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// otherPythons are versions that the package is for, if numpy is there for them.
var otherPythons = []string{"python3.10", "python3.13"}

func TestThePythonPackage(t *testing.T) {
	depth.Need(t, depth.Full)
	pythons := []string{python(t)}
	for _, name := range otherPythons {
		path, err := exec.LookPath(name)
		if err == nil {
			err = exec.Command(path, "-c", "import numpy").Run()
		}
		if err != nil {
			t.Logf("%s is not tried: it is not here, or has no numpy", name)
			continue
		}
		pythons = append(pythons, path)
	}
	dir, skald := pythonPackage(t), skaldHere(t)
	for _, py := range pythons {
		cmd := exec.Command(py, "-m", "unittest", "discover", "-s", "tests")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "SKALD="+skald, "PYTHONPATH="+filepath.Join(dir, "src"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", py, err, out)
		}
	}
}

func TestThePythonWheelIsPure(t *testing.T) {
	depth.Need(t, depth.Deep)
	py, dir := python(t), pythonPackage(t)
	succeed(t, dir, py, "-m", "build", "--wheel", "--no-isolation", "--outdir", "out")
	wheels, err := filepath.Glob(filepath.Join(dir, "out", "skald-*-py3-none-any.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatal(wheels, err)
	}
	r, err := zip.OpenReader(wheels[0])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // nothing was written
	var names []string
	for _, f := range r.File {
		if strings.HasPrefix(f.Name, "skald/") {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	want := "skald/__init__.py skald/_errors.py skald/_program.py skald/_server.py skald/_values.py skald/py.typed"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the wheel has %s, want %s", got, want)
	}
}

// Two workers of Dask on processors: the example of docs/dask.md, compared with numpy.
func TestStatisticsByWorkersOfDask(t *testing.T) {
	depth.Need(t, depth.Deep)
	py, dir, skald := python(t), pythonPackage(t), skaldHere(t)
	examples := filepath.Join(dir, "examples")
	succeed(t, examples, skald, "test", "-i", "parts.fut")
	cmd := exec.Command(py, "distributed_statistics.py", "--workers", "2", "--devices", "cpu", "--size", "20000", "--check")
	cmd.Dir = examples
	cmd.Env = append(os.Environ(), "SKALD="+skald, "PYTHONPATH="+filepath.Join(dir, "src"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "n 160000 mean ") || !strings.Contains(string(out), "as numpy says") {
		t.Errorf("%v\n%s", err, out)
	}
}
