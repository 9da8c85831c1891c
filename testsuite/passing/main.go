// Command passing runs the project's own programs on every configuration that a machine without a GPU has, and compares
// the numbers of passing cases with testsuite/passing.txt: fewer is a failure, more is written into the file.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skald/testsuite/conformance"
)

const tablePath = "testsuite/passing.txt"

// folders hold the programs.
var folders = []string{"examples", "testsuite/programs"}

// configurations are what the programs are run on.
var configurations = []string{"interpreter", "cpu", "native-lavapipe", "portable-swiftshader", "dawn-swiftshader"}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "passing:", err)
		os.Exit(1)
	}
}

func run() error {
	want, err := readTable()
	if err != nil {
		return err
	}
	got := map[string]int{}
	bad := false
	files, err := programs()
	if err != nil {
		return err
	}
	for _, name := range configurations {
		n, ok, err := configuration(name, files)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		got[name] = n
		bad = bad || !ok || n < want[name]
		if n < want[name] {
			fmt.Printf("  %s: %d cases pass, but %s says %d\n", name, n, tablePath, want[name])
		}
	}
	if bad {
		return fmt.Errorf("there are failures")
	}
	return writeTable(got)
}

// configuration runs all programs on one executor. ok is false if anything failed, or if a device ran no kernel.
func configuration(name string, files []string) (passed int, ok bool, err error) {
	exec, err := conformance.Open(name)
	if err != nil {
		return 0, false, err
	}
	defer exec.Close() //nolint:errcheck // all results are in
	report := &conformance.Report{Backend: name}
	for _, f := range files {
		for _, r := range conformance.File(f, conformance.Options{Executor: exec}) {
			report.Results = append(report.Results, r)
			if r.Status == conformance.Fail {
				fmt.Printf("  FAIL %s %s %s (%s): %s\n", r.File, r.Entry, r.Case, r.Kind, r.Reason)
			}
		}
	}
	passed, failed := report.Count(conformance.Pass), report.Count(conformance.Fail)
	line := fmt.Sprintf("  %-22s %5d passed, %d failed, %d skipped", name, passed, failed, report.Count(conformance.Skip))
	ok = failed == 0
	if d, isDevice := exec.(*conformance.Device); isDevice {
		line += fmt.Sprintf("; %d kernels on %s (%s)", d.Launches(), d.Facts().Name, d.Facts().API)
		ok = ok && d.Launches() > 0
	}
	fmt.Println(line)
	return passed, ok, nil
}

// programs lists the files that are run.
func programs() ([]string, error) {
	var files []string
	for _, dir := range folders {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".fut") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(files)
	return files, nil
}

func readTable() (map[string]int, error) {
	text, err := os.ReadFile(tablePath)
	if err != nil {
		return nil, err
	}
	table := map[string]int{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			continue
		}
		n, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", tablePath, err)
		}
		table[fields[0]] = n
	}
	return table, nil
}

func writeTable(got map[string]int) error {
	var b strings.Builder
	for _, name := range configurations {
		fmt.Fprintf(&b, "%s %d\n", name, got[name])
	}
	old, err := os.ReadFile(tablePath)
	if err != nil || string(old) == b.String() {
		return err
	}
	fmt.Println("  more cases pass than before: writing", tablePath)
	return os.WriteFile(tablePath, []byte(b.String()), 0o644)
}
