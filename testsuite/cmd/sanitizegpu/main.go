// Command sanitizegpu runs the cases of programs on CUDA in one process, for compute-sanitizer to look at: see package
// testsuite/sanitizegpu. At the end it says how many cases passed.
//
//	compute-sanitizer --tool memcheck sanitizegpu [-folder FOLDER] [-part N/M] [FILE...]
//
// Without files it runs those of testsuite/sanitizegpu/programs.txt in the folder, a copy of the repository. -part runs the Nth of M
// parts, so that several processes share the work. It exits with 1 if a case fails; what the sanitizer finds it reports itself.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"skald/testsuite/sanitizegpu"
	"skald/tooling/conformance"
)

func main() {
	folder := flag.String("folder", ".", "where the repository is, or a copy of its programs")
	part := flag.String("part", "1/1", "which part of the programs to run, of how many")
	device := flag.String("device", "cuda", "the device, as `skald test` calls it")
	timeout := flag.Duration("timeout", time.Minute, "how long a case may take")
	flag.Parse()
	failed, err := run(os.Stdout, *device, *folder, *part, flag.Args(), *timeout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sanitizegpu:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// run runs a part of the files, or of the list if there are none, and returns the number of cases that failed.
func run(w io.Writer, device, folder, part string, files []string, timeout time.Duration) (failed int, err error) {
	if len(files) == 0 {
		if files, err = listed(folder); err != nil {
			return 0, err
		}
	}
	var n, of int
	if _, err := fmt.Sscanf(part, "%d/%d", &n, &of); err != nil || n < 1 || n > of {
		return 0, fmt.Errorf("-part takes N/M, not %q", part)
	}
	gpu, err := conformance.Open(device)
	if err != nil {
		return 0, err
	}
	defer gpu.Close() //nolint:errcheck // nothing is under way
	passed, programs := 0, 0
	for i, file := range files {
		if i%of != n-1 {
			continue
		}
		programs++
		before := passed
		for _, r := range conformance.File(file, conformance.Options{Executor: gpu, Timeout: timeout}) {
			switch r.Status {
			case conformance.Fail:
				failed++
				fmt.Fprintf(w, "FAIL %s: %s: %s\n", r.File, r.Case, r.Reason)
			case conformance.Pass:
				passed++
			default:
			}
		}
		fmt.Fprintf(w, "%s: %d passed\n", file, passed-before) // What was done shows if the process is ended.
	}
	fmt.Fprintf(w, "%d programs: %d cases passed, %d failed\n", programs, passed, failed)
	return failed, nil
}

// listed returns the programs of the list, each once.
func listed(folder string) ([]string, error) {
	lines, err := sanitizegpu.Read(os.DirFS(filepath.Join(folder, "testsuite/sanitizegpu")))
	if err != nil {
		return nil, err
	}
	var files []string
	for _, l := range lines {
		if file := filepath.Join(folder, l.Program); !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files, nil
}
