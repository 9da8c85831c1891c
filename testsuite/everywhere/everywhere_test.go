package everywhere

import (
	"flag"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"skald/testsuite/depth"
	"skald/tooling/conformance"
)

// root is the top of the repository.
const root = "../.."

// folders hold the programs.
var folders = []string{"examples", "testsuite/programs"}

// only names configurations to run on, instead of those of the depth: deep tests are run in parts (scripts/test-deep.sh).
var only = flag.String("configurations", "", "run on these configurations, separated by commas, instead of those of SKALD_TEST_DEPTH")

// configurations are what the programs run on. The evaluator is the first of the devices: the others are compared with it.
func configurations() []string {
	if *only != "" {
		return strings.Split(*only, ",")
	}
	names := []string{"interpreter", "evaluator", "cpu"}
	for _, profile := range evaluatedProfiles() {
		names = append(names, evaluated+profile)
	}
	if depth.Of() >= depth.Full {
		names = append(names, "native-lavapipe", "portable-swiftshader", "dawn-swiftshader")
	}
	return names
}

// caseTimeout is for a machine that others use, too: no case takes a tenth of it on one that is free.
const caseTimeout = 5 * time.Minute

// evaluated begins the name of a configuration where what programs become for the devices of a profile is evaluated, with a search for
// races.
const evaluated = "races-"

// evaluatedProfiles are those profiles: one in quick tests, one for each way that kernels are chosen by in full ones (standard WebGPU, and
// an H200 through WebGPU and CUDA), and all kinds in deep ones.
func evaluatedProfiles() []string {
	switch {
	case depth.Of() < depth.Full:
		return []string{"portable"}
	case depth.Of() < depth.Deep:
		return []string{"portable", "h200-wgpu", "h200-cuda"}
	}
	return []string{"portable", "native", "sm_90", "h200-wgpu", "h200-cuda", "lavapipe", "cpu", "cpu-evaluator"}
}

// evaluatedUnits is how many compute units the evaluated devices have at most: what fills an H200 takes the evaluator a second for each
// histogram, however few points it has, and a few workgroups race as many do. Deep tests have all units.
func evaluatedUnits() int {
	if depth.Of() < depth.Deep {
		return 8
	}
	return math.MaxInt
}

// mayRace are programs whose own accesses race, and why that is right.
var mayRace = map[string]string{
	root + "/testsuite/programs/derivatives/adjoints.fut": "its scatter writes one element twice, equal values, which the language allows",
	root + "/testsuite/programs/soacs/scatter-own.fut":    "its entry point flags writes true into one element for each point",
}

// allowed reports whether a failure of a program is a race that it may have.
func allowed(file, reason string) bool {
	return mayRace[filepath.ToSlash(file)] != "" && strings.Contains(reason, " has a race: ")
}

// member is the executor of a configuration, used by one program at a time.
type member struct {
	configuration string
	conformance.Executor
}

// open opens the executor.
func (m *member) open() (err error) {
	if profile, ok := strings.CutPrefix(m.configuration, evaluated); ok {
		m.Executor, err = conformance.Evaluated(profile, evaluatedUnits())
	} else {
		m.Executor, err = conformance.Open(m.configuration)
	}
	return err
}

// renew opens the executor again: a program that fails may have taken the device with it.
func (m *member) renew(t *testing.T) {
	t.Helper()
	m.Close() //nolint:errcheck // it may be lost
	if err := m.open(); err != nil {
		t.Fatal(err)
	}
}

// set is one executor a configuration.
type set []*member

// of are those that run something of a program.
func (s set) of(file string, some samples) set {
	return slices.DeleteFunc(slices.Clone(s), func(m *member) bool { return !some.wants(m.configuration, file, "") })
}

// configuration is that of an executor.
func (s set) configuration(e conformance.Executor) string {
	return s[slices.IndexFunc(s, func(m *member) bool { return m.Executor == e })].configuration
}

// executors are those of the set.
func (s set) executors() []conformance.Executor {
	out := make([]conformance.Executor, len(s))
	for i, m := range s {
		out[i] = m.Executor
	}
	return out
}

// openSets opens as many sets as there are processors.
func openSets(t *testing.T) chan set {
	t.Helper()
	sets := make(chan set, runtime.GOMAXPROCS(0))
	for range cap(sets) {
		var s set
		for _, name := range configurations() {
			m := &member{configuration: name}
			if err := m.open(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			s = append(s, m)
		}
		sets <- s
	}
	t.Cleanup(func() {
		for range cap(sets) {
			for _, m := range <-sets {
				m.Close() //nolint:errcheck // all results are in
			}
		}
	})
	return sets
}

func TestProgramsPassOnEveryConfiguration(t *testing.T) {
	sets := openSets(t)
	files := programs(t)
	if len(files) < 300 {
		t.Fatalf("only %d programs are found", len(files))
	}
	first := <-sets
	sets <- first
	some := samplesFor(t, first, files)
	for _, file := range files {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := <-sets
			defer func() { sets <- s }()
			on := s.of(file, some)
			if len(on) < len(s) {
				t.Logf("on %d of %d configurations; make test-deep runs it on all", len(on), len(s))
			}
			testProgram(t, file, on, some)
		})
	}
}

// testProgram runs a program on all executors of a set, or what is sampled of it; each result is a test.
func testProgram(t *testing.T, file string, s set, some samples) {
	on := s.executors()
	before := launches(on)
	var took []time.Duration // on each executor
	begun := time.Now()
	results := conformance.Everywhere(file, on, conformance.Options{
		Timeout: caseTimeout,
		Wants:   func(e conformance.Executor, entry string) bool { return some.wants(s.configuration(e), file, entry) },
		Done: func(conformance.Executor) {
			took = append(took, time.Since(begun))
			begun = time.Now()
		},
	})
	after := launches(on)
	for i, m := range s {
		failed := false
		t.Run(m.configuration, func(t *testing.T) {
			for _, r := range results[i] {
				if r.Reason == conformance.OtherEntry {
					continue
				}
				t.Run(strings.Trim(fmt.Sprintf("%s %s %s", r.Kind, r.Entry, r.Case), " "), func(t *testing.T) {
					switch {
					case r.Status == conformance.Fail && allowed(file, r.Reason):
						t.Log(r.Reason)
					case r.Status == conformance.Fail:
						t.Error(r.Reason)
					case r.Status == conformance.Skip:
						t.Skip(r.Reason)
					}
				})
			}
			if why := silent(before, after, i); why != "" {
				t.Errorf("%s %s", m.configuration, why)
			}
			t.Logf("took %.2f s of wall-clock time", took[i].Seconds())
			failed = t.Failed()
		})
		if failed {
			m.renew(t)
		}
	}
}

// launches are the numbers of kernels that the executors have run; -1 for one that runs none.
func launches(on []conformance.Executor) []int64 {
	counts := make([]int64, len(on))
	for i, e := range on {
		counts[i] = -1
		if d, ok := e.(*conformance.Device); ok {
			counts[i] = d.Launches()
		}
	}
	return counts
}

// silent says that the i-th executor, a device, ran no kernel though the first device ran some.
func silent(before, after []int64, i int) string {
	first := slices.IndexFunc(before, func(n int64) bool { return n >= 0 })
	if first < 0 || before[i] < 0 || after[first] == before[first] || after[i] > before[i] {
		return ""
	}
	return fmt.Sprintf("launched no kernel; the evaluator launched %d", after[first]-before[first])
}

func TestADeviceThatRunsNothingIsFound(t *testing.T) {
	before, after := []int64{-1, 10, 7, 7}, []int64{-1, 12, 8, 7}
	for i, want := range []string{"", "", "", "launched no kernel; the evaluator launched 2"} {
		if got := silent(before, after, i); got != want {
			t.Errorf("executor %d: %q, want %q", i, got, want)
		}
	}
	if got := silent([]int64{-1, 3, 7}, []int64{-1, 3, 7}, 2); got != "" {
		t.Errorf("a program without kernels: %q", got)
	}
}

// programs lists the files that are run.
func programs(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, dir := range folders {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".fut") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(files)
	return files
}
