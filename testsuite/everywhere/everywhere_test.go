package everywhere

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"skald/testsuite/depth"
	"skald/tooling/conformance"
)

// root is the top of the repository.
const root = "../.."

// folders hold the programs.
var folders = []string{"examples", "testsuite/programs"}

// configurations are what the programs run on. The evaluator is the first of the devices: the others are compared with it.
func configurations() []string {
	names := []string{"interpreter", "evaluator", "cpu"}
	if depth.Of() >= depth.Full {
		names = append(names, "native-lavapipe", "portable-swiftshader", "dawn-swiftshader")
	}
	return names
}

// set is one executor a configuration, used by one program at a time.
type set []conformance.Executor

// renew opens the i-th executor again: a program that fails may have taken the device with it.
func (s set) renew(t *testing.T, i int) {
	t.Helper()
	name := s[i].Name()
	s[i].Close() //nolint:errcheck // it may be lost
	e, err := conformance.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	s[i] = e
}

// openSets opens as many sets as there are processors.
func openSets(t *testing.T) chan set {
	t.Helper()
	sets := make(chan set, runtime.GOMAXPROCS(0))
	for range cap(sets) {
		var s set
		for _, name := range configurations() {
			e, err := conformance.Open(name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			s = append(s, e)
		}
		sets <- s
	}
	t.Cleanup(func() {
		for range cap(sets) {
			for _, e := range <-sets {
				e.Close() //nolint:errcheck // all results are in
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
	for _, file := range files {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			t.Parallel()
			s := <-sets
			defer func() { sets <- s }()
			testProgram(t, file, s)
		})
	}
}

// testProgram runs a program on all executors of a set; each result is a test.
func testProgram(t *testing.T, file string, s set) {
	before := launches(s)
	results := conformance.Everywhere(file, s, conformance.Options{})
	after := launches(s)
	for i, e := range s {
		failed := false
		t.Run(e.Name(), func(t *testing.T) {
			for _, r := range results[i] {
				t.Run(strings.Trim(fmt.Sprintf("%s %s %s", r.Kind, r.Entry, r.Case), " "), func(t *testing.T) {
					switch r.Status {
					case conformance.Fail:
						t.Error(r.Reason)
					case conformance.Skip:
						t.Skip(r.Reason)
					default:
					}
				})
			}
			if why := silent(before, after, i); why != "" {
				t.Errorf("%s %s", e.Name(), why)
			}
			failed = t.Failed()
		})
		if failed {
			s.renew(t, i)
		}
	}
}

// launches are the numbers of kernels that the executors have run; -1 for one that runs none.
func launches(s set) []int64 {
	counts := make([]int64, len(s))
	for i, e := range s {
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
