package emulated

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"skald/tooling/conformance"
)

// programs have kernels of every shape: the first time their cases take half a minute of a C++ compiler's time.
var programs = []string{
	"../../examples/*.fut", "../programs/failures/*.fut", "../programs/soacs/histograms.fut", "../programs/soacs/histogram-chains.fut",
	"../programs/soacs/scan.fut",
	"../programs/nested/private-array*.fut", "../programs/scalars/f16*.fut", "../programs/elements/f16.fut",
}

// caseTimeout is for a machine that others use, too: no case takes a tenth of it on one that is free.
const caseTimeout = 5 * time.Minute

// TestProgramsRunOnAnEmulatedGPU builds the emulation and runs programs with it in a process of its own, for libraries are found where
// the process was told when it began.
func TestProgramsRunOnAnEmulatedGPU(t *testing.T) {
	if os.Getenv(folderVariable) != "" {
		runPrograms(t)
		return
	}
	e := emulate(t)
	child := exec.Command(os.Args[0], "-test.run=^TestProgramsRunOnAnEmulatedGPU$", "-test.v")
	child.Env = append(e.env(e.compiler), "SKALD_CACHE="+t.TempDir())
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
			for _, r := range conformance.File(file, conformance.Options{Executor: gpu, Timeout: caseTimeout}) {
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
