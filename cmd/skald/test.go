//go:build !runner

package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"skald/tooling/artifact"
	"skald/tooling/conformance"
)

// testFlags are the flags of `skald test`.
type testFlags struct {
	typeCheck   bool
	interpret   bool
	compiled    bool
	compile     bool
	structure   bool
	seed        uint64
	property    conformance.Properties
	backend     string
	noTerminal  bool
	exclude     []string
	entry       string
	concurrency int
	timeout     time.Duration
	autoOutput  string
	reference   string
	root        string
	json        string
	verbose     bool
	worker      bool
	passed      []string
	tuning      string
	noTuning    bool
	// program are the options that --pass-option passes to programs.
	program programFlags
}

func newTest() *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test FILE|FOLDER...",
		Short: "Run programs against the test blocks in them",
		Long: "Run programs against the test blocks in them: Futhark's, as its own tests have them. Cases run on the best device unless\n" +
			"-t, -i, -C or -s says otherwise. An entry point with the attribute #[prop], named by a line `property: NAME` in a block, is\n" +
			"called with a hundred random values of growing size; --seed chooses others. With -s the constructs in `structure` stanzas\n" +
			"are counted in core IR: an empty name means after fusion, gpu with kernels, gpu-mem with memory.",
		Args: atLeastOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.OutOrStdout(), args)
		},
	}
	fs := cmd.Flags()
	fs.BoolVarP(&f.typeCheck, "typecheck", "t", false, "only check that programs are accepted or rejected as they should be")
	fs.BoolVarP(&f.interpret, "interpret", "i", false, "run the cases in the interpreter")
	fs.BoolVarP(&f.compiled, "compiled", "c", false, "run the cases in compiled programs, which is the default")
	fs.BoolVarP(&f.compile, "compile", "C", false, "only check and compile")
	fs.BoolVarP(&f.structure, "structure", "s", false, "only count the constructs that structures are about")
	fs.Uint64Var(&f.seed, "seed", 1, "where the random values that properties are tried on begin")
	fs.StringVar(&f.backend, "backend", "auto", "what compiled programs run on")
	fs.BoolVar(&f.noTerminal, "no-terminal", false, "show no progress")
	fs.StringArrayVar(&f.exclude, "exclude", []string{"disable", "notest"}, "skip programs and cases with this tag (may be repeated)")
	fs.IntVarP(&f.property.Candidates, "num-tests", "n", conformance.DefaultProperties.Candidates, "how many values a property is tried on")
	fs.Int64VarP(&f.property.LargestSize, "max-size", "m", conformance.DefaultProperties.LargestSize, "the size of the last of them")
	fs.IntVar(&f.property.Patience, "num-tries", conformance.DefaultProperties.Patience,
		"how often in a row a property's own function may fail to make a counterexample smaller")
	fs.StringVarP(&f.entry, "entry-point", "e", "", "run only the cases of this entry point")
	fs.IntVar(&f.concurrency, "concurrency", runtime.NumCPU(), "how many programs are tested at the same time")
	fs.DurationVar(&f.timeout, "timeout", conformance.DefaultTimeout, "how long a case may take")
	fs.StringVar(&f.autoOutput, "auto-output", "", "a folder with reference outputs for cases that say \"auto output\"")
	fs.StringVar(&f.reference, "reference", "",
		"what computes the other reference outputs, the interpreter or a backend (unless given, figures are enough where there are)")
	fs.StringVar(&f.root, "auto-output-root", "", "the folder that reference outputs are named after (the first argument unless given)")
	fs.StringVar(&f.json, "json", "", "write a report to this file")
	fs.StringArrayVar(&f.passed, "pass-option", nil, "an option for the programs, as their executables take it (may be repeated)")
	fs.StringVar(&f.tuning, "tuning", "tuning", "the ending of tuning files: PROGRAM.fut.tuning")
	fs.BoolVar(&f.noTuning, "no-tuning", false, "read no tuning files")
	fs.BoolVar(&f.worker, "worker", false, "")
	fs.Lookup("worker").Hidden = true
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print counts by folder")
	return cmd
}

func (f *testFlags) run(w io.Writer, args []string) error {
	files, err := programFiles(args)
	if err != nil {
		return fail(exitUser, "%v", err)
	}
	if p := f.property; p.Candidates < 1 || p.LargestSize < 1 || p.Patience < 1 {
		return fail(exitUser, "--num-tests, --max-size and --num-tries take positive numbers")
	}
	if err := f.program.parsePassed(f.passed); err != nil {
		return err
	}
	name := f.backend
	if f.interpret || f.typeCheck || f.structure {
		name = "interpreter"
	}
	if _, err := f.program.named(f.backend); err != nil {
		return err
	}
	var given tuning
	if err := f.program.given(&given); err != nil {
		return fail(exitUser, "--pass-option: %v", err)
	}
	own := f.program.device
	own.Checked = f.program.debug
	given.open(&own)
	exec, err := conformance.OpenWith(name, own)
	if err != nil {
		return fail(exitUser, "%v", err)
	}
	opts := f.options(exec, &given, args)
	if f.reference != "" {
		if opts.Reference, err = conformance.Open(f.reference); err != nil {
			return fail(exitUser, "%v", err)
		}
		defer opts.Reference.Close() //nolint:errcheck // all results are in
	}
	if f.worker {
		defer exec.Close() //nolint:errcheck // all results are in
		return conformance.Serve(orphaned(os.Stdin), w, conformance.File, opts)
	}
	test := func(file string) []conformance.Result { return conformance.File(file, opts) }
	if exec.Compiles() {
		if err := exec.Close(); err != nil { // workers have devices of their own
			return fail(exitUser, "%v", err)
		}
		workers := newWorkers(f.concurrency, f.timeout)
		defer workers.close()
		test = workers.file
	}
	return f.finish(w, f.all(w, files, name, test))
}

// orphaned is a stream whose end ends the process, even while it tests: whoever started it has gone. A worker that has nothing to do
// ends by itself before.
func orphaned(in io.Reader) io.Reader {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, in)
		_ = w.CloseWithError(err) // a pipe's end cannot fail
		time.Sleep(time.Second)
		os.Exit(exitUser)
	}()
	return r
}

// options are what the flags say.
func (f *testFlags) options(exec conformance.Executor, given *tuning, args []string) conformance.Options {
	opts := conformance.Options{
		Executor: exec, Exclude: f.exclude, Entry: f.entry, Timeout: f.timeout, AutoOutput: f.autoOutput, Root: f.root,
		Seed: f.seed, Properties: f.property, Tuning: f.tuning, Untuned: f.noTuning || f.program.tuning != "",
		Prepare: func(p conformance.Tunable) error {
			if err := given.set(p); err != nil {
				return fmt.Errorf("--pass-option: %w", err)
			}
			return nil
		},
	}
	if opts.Root == "" {
		opts.Root = args[0]
	}
	switch {
	case f.typeCheck:
		opts.Mode = conformance.CheckOnly
	case f.compile:
		opts.Mode = conformance.CompileOnly
	case f.structure:
		opts.Mode = conformance.StructureOnly
	}
	return opts
}

// all tests the files, several at a time, and prints failures as they come, in the order of the files.
func (f *testFlags) all(
	w io.Writer, files []string, backend string, test func(string) []conformance.Result,
) *conformance.Report {
	report := &conformance.Report{Backend: backend}
	results := make([]chan []conformance.Result, len(files))
	slots := make(chan struct{}, max(f.concurrency, 1))
	for i := range files {
		results[i] = make(chan []conformance.Result, 1)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for i, file := range files {
			slots <- struct{}{}
			go func() {
				results[i] <- test(file)
				<-slots
			}()
		}
	})
	progress := !f.noTerminal && term.IsTerminal(int(os.Stdout.Fd()))
	for i := range files {
		if progress {
			line := fmt.Sprintf("%d/%d, %d failed: %s", i, len(files), report.Count(conformance.Fail), files[i])
			fmt.Fprint(w, "\r\033[K"+oneRow(line))
		}
		for _, r := range <-results[i] {
			report.Results = append(report.Results, r)
			if r.Status == conformance.Fail {
				if progress {
					fmt.Fprint(w, "\r\033[K")
				}
				printResult(w, r)
			}
		}
	}
	wg.Wait()
	if progress {
		fmt.Fprint(w, "\r\033[K")
	}
	return report
}

func printResult(w io.Writer, r conformance.Result) {
	name := r.File
	if r.Entry != "" {
		name += ":" + r.Entry
	}
	if r.Case != "" {
		name += ": " + r.Case
	}
	fmt.Fprintf(w, "FAIL %s (%s)\n  %s\n", name, r.Kind, strings.ReplaceAll(strings.TrimRight(r.Reason, "\n"), "\n", "\n  "))
}

// finish prints the counts and writes the report.
func (f *testFlags) finish(w io.Writer, report *conformance.Report) error {
	if f.verbose {
		if err := report.Table(w); err != nil {
			return err
		}
	}
	if f.json != "" {
		if err := artifact.Write(f.json, report.JSON); err != nil {
			return fail(exitUser, "%v", err)
		}
	}
	if n := report.Repeated(); n > 0 {
		fmt.Fprintf(w, "%s: %d results come from a second run, alone, after a device was lost\n", report.Backend, n)
	}
	failed := report.Count(conformance.Fail)
	fmt.Fprintf(w, "%s: %d passed, %d failed, %d skipped\n", report.Backend,
		report.Count(conformance.Pass), failed, report.Count(conformance.Skip))
	if failed > 0 {
		return &failure{code: exitTest}
	}
	return nil
}

// programFiles lists the programs in files and folders, in order of name.
func programFiles(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, withSuggestion(err)
		}
		if !info.IsDir() {
			files = append(files, arg)
			continue
		}
		err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
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
	return slices.Compact(files), nil
}

// oneRow cuts a line short so that it fits one row of the terminal, and the next can take its place.
func oneRow(line string) string {
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if chars := []rune(line); err == nil && width > 0 && len(chars) >= width {
		return string(chars[:width-1])
	}
	return line
}
