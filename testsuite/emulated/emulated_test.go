package emulated

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"skald/tooling/conformance"
)

// programs have kernels of every shape: their cases take a minute of a C++ compiler's time.
var programs = []string{
	"../../examples/*.fut", "../programs/failures/*.fut", "../programs/soacs/histograms.fut", "../programs/soacs/scan.fut",
}

// folderVariable names the folder of the emulation, for its compiler and for the process that runs programs there.
const folderVariable = "SKALD_EMULATION"

// TestProgramsRunOnAnEmulatedGPU builds the emulation and runs programs with it in a process of its own, for libraries are found where
// the process was told when it began.
func TestProgramsRunOnAnEmulatedGPU(t *testing.T) {
	if os.Getenv(folderVariable) != "" {
		runPrograms(t)
		return
	}
	if _, err := exec.LookPath("c++"); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("emulation")); err != nil {
		t.Fatal(err)
	}
	compiler := filepath.Join(dir, "libnvrtc.so")
	for _, args := range [][]string{
		{"-Wl,-soname,libcuda.so.1", "-o", filepath.Join(dir, "libcuda.so.1"), filepath.Join(dir, "driver.cpp"), "-lpthread", "-ldl"},
		{"-o", compiler, filepath.Join(dir, "compiler.cpp")},
	} {
		if out, err := exec.Command("c++", append([]string{"-O1", "-std=c++17", "-shared", "-fPIC"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	child := exec.Command(os.Args[0], "-test.run=^TestProgramsRunOnAnEmulatedGPU$", "-test.v")
	child.Env = append(os.Environ(), "LD_LIBRARY_PATH="+dir, "SKALD_NVRTC_LIB="+compiler, "SKALD_CACHE="+t.TempDir(), folderVariable+"="+dir)
	out, err := child.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

// runPrograms runs all cases of the programs on CUDA.
func runPrograms(t *testing.T) {
	gpu, err := conformance.Open("cuda")
	if err != nil {
		t.Fatal(err)
	}
	defer gpu.Close()
	passed := 0
	for _, pattern := range programs {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal("no programs", pattern, err)
		}
		for _, file := range files {
			for _, r := range conformance.File(file, conformance.Options{Executor: gpu, Timeout: conformance.DefaultTimeout}) {
				if r.Status == conformance.Fail {
					t.Errorf("%s: %s: %s", r.File, r.Case, r.Reason)
				}
				if r.Status == conformance.Pass {
					passed++
				}
			}
		}
	}
	t.Logf("%d results passed", passed)
	if passed < 50 {
		t.Errorf("only %d results", passed)
	}
}
