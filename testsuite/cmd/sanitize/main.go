// Command sanitize runs the test blocks of programs in compiled code for the processor that gcc's address and undefined-behaviour
// sanitizers watch, and says what they found.
//
//	go run ./testsuite/cmd/sanitize [-exclude TAG,…] [-timeout D] [-auto-output FOLDER] [-auto-output-root FOLDER] [-v] FILE|FOLDER…
//
// Where a case compares with a reference, that comes from the folder of reference outputs, as of `skald test`, and else from the
// interpreter. A case that is stopped at its time keeps the device, so what comes behind it in the same run may be late, too.
//
// It starts itself once more with the address sanitizer as the first library. It prints a line of counts, and each report of a sanitizer
// with the program during which it came; it exits with 1 if there is any report or a case fails, and with 2 if it cannot run.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"skald/backends/c"
	"skald/runtime/cpu"
	"skald/targets"
	"skald/tooling/conformance"
)

// inside is the variable that tells the second process from the first.
const inside = "SKALD_SANITIZE_REPORTS"

func main() {
	exclude := flag.String("exclude", "disable,notest", "programs and cases with these tags are skipped")
	timeout := flag.Duration("timeout", time.Minute, "how long a case may take")
	autoOutput := flag.String("auto-output", "", "a folder with reference outputs for cases that say \"auto output\"")
	root := flag.String("auto-output-root", "", "the folder that reference outputs are named after (the first argument unless given)")
	verbose := flag.Bool("v", false, "print each case as soon as it has been run, with its time")
	flag.Parse()
	code, err := 0, error(nil)
	if reports := os.Getenv(inside); reports != "" {
		o := conformance.Options{Exclude: strings.Split(*exclude, ","), Timeout: *timeout, AutoOutput: *autoOutput, Root: *root}
		if o.Root == "" {
			o.Root = flag.Arg(0)
		}
		if *verbose {
			o.Each = printer()
		}
		code, err = run(flag.Args(), reports, o)
	} else {
		code, err = again()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sanitize:", err)
		code = 2
	}
	os.Exit(code)
}

// printer returns a function that prints the result of a case, where its reference is from, and how long it took with what came before.
func printer() func(conformance.Result) {
	last := time.Now()
	return func(r conformance.Result) {
		if r.Kind != conformance.Ran {
			return
		}
		fmt.Printf("%s: %s %s: %s, %.1f s %s\n", r.File, r.Entry, r.Case, r.Status, time.Since(last).Seconds(), r.Against)
		last = time.Now()
	}
}

// again starts this program with the sanitizer's library, and returns what it exits with.
func again() (int, error) {
	out, err := exec.Command("gcc", "-print-file-name=libasan.so").Output()
	library := strings.TrimSpace(string(out))
	if err != nil || !filepath.IsAbs(library) {
		return 0, fmt.Errorf("gcc has no address sanitizer: %q, %w", library, err)
	}
	dir, err := os.MkdirTemp("", "skald-sanitize-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left behind is in the folder for such files
	reports := filepath.Join(dir, "report")
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), inside+"="+dir, "LD_PRELOAD="+library,
		"ASAN_OPTIONS=detect_leaks=0:halt_on_error=0:handle_segv=0:handle_sigbus=0:allow_user_segv_handler=1:log_path="+reports,
		"UBSAN_OPTIONS=print_stacktrace=0:log_path="+reports)
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), nil
}

// run runs the programs below paths.
func run(paths []string, reports string, o conformance.Options) (int, error) {
	if err := os.Unsetenv("LD_PRELOAD"); err != nil { // The compiler needs none.
		return 0, err
	}
	dev := cpu.Open(cpu.Options{
		Print: c.Module, StopName: c.StopName, Sanitize: true, Timeout: o.Timeout,
		Warn: func(s string) { fmt.Fprintln(os.Stderr, s) },
	})
	if !dev.Facts().Compiled {
		return 0, fmt.Errorf("no compiler")
	}
	e := conformance.On("sanitized", targets.Find("cpu").On(dev))
	defer e.Close() //nolint:errcheck // all results are in
	o.Executor = e
	files, err := programs(paths)
	if err != nil {
		return 0, err
	}
	counts, found, seen := map[conformance.Status]int{}, 0, int64(0)
	for _, file := range files {
		for _, r := range conformance.File(file, o) {
			counts[r.Status]++
			if r.Status == conformance.Fail {
				fmt.Printf("%s: %s %s: %s\n", file, r.Entry, r.Case, r.Reason)
			}
		}
		text, err := reported(reports, &seen)
		if err != nil {
			return 0, err
		}
		if text != "" {
			found++
			fmt.Printf("%s: a sanitizer reports\n%s\n", file, text)
		}
	}
	fmt.Printf("%d programs, %d cases passed, %d failed; %d programs with reports\n",
		len(files), counts[conformance.Pass], counts[conformance.Fail], found)
	if found > 0 || counts[conformance.Fail] > 0 {
		return 1, nil
	}
	return 0, nil
}

// programs lists the files below paths.
func programs(paths []string) (files []string, err error) {
	for _, path := range paths {
		err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".fut") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// reported returns what sanitizers have written beyond the first seen bytes.
func reported(dir string, seen *int64) (text string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "report*"))
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		all.Write(data)
	}
	text = all.String()[*seen:]
	*seen += int64(len(text))
	var lines []string
	for line := range strings.Lines(text) {
		if strings.Contains(line, "ERROR:") || strings.Contains(line, "runtime error:") || strings.Contains(line, " is located ") ||
			strings.Contains(line, "    #0 ") {
			lines = append(lines, "  "+strings.TrimSpace(line))
		}
	}
	return strings.Join(lines, "\n"), nil
}
