//go:build !runner

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/tooling/evaluate"
	"skald/tooling/literate"
)

// literateFlags are the flags of `skald literate`.
type literateFlags struct {
	measuredFlags
	backend     string
	output      string
	html        bool
	stopOnError bool
	prebuilt    bool
}

func newLiterate() *cobra.Command {
	var f literateFlags
	cmd := &cobra.Command{
		Use:   "literate FILE",
		Short: "Make a page of a program: its comments as text, and what its directives show",
		Long: "Make a page of a program, in Markdown or HTML: comments at the left margin are text, definitions code, and directives,\n" +
			"lines that begin with `-- >`, show what they compute: a value, a picture (:img), a plot (:plot2d, :gnuplot), a video\n" +
			"(:video) or a sound (:audio). Files go to the folder FILE-img; results are kept there, and computed again only when\n" +
			"something has changed. Directives can read and write files and run programs: treat a page from elsewhere like a shell\n" +
			"script.",
		Args: exactly(1),
		RunE: interruptible(func(ctx context.Context, _ *cobra.Command, args []string) error { return f.run(ctx, args[0]) }),
	}
	fs := cmd.Flags()
	f.measuredFlags.add(fs)
	fs.StringVar(&f.backend, "backend", "auto", "what the program runs on; interpreter is one of them")
	fs.StringVarP(&f.output, "output", "o", "",
		"the page to write (FILE without .fut, with .md unless given); .html makes it one for browsers")
	fs.BoolVar(&f.html, "html", false, "write FILE.html, a page for browsers")
	fs.BoolVar(&f.stopOnError, "stop-on-error", false, "write no page if a directive fails")
	fs.BoolVar(&f.prebuilt, "skip-compilation", false, "take the program from the executable beside it")
	return cmd
}

func (f *literateFlags) run(ctx context.Context, file string) error {
	base, ok := strings.CutSuffix(file, ".fut")
	if !ok {
		return fail(exitUser, "%s is no program: its name must end with .fut", file)
	}
	if err := f.program.parsePassed(f.passed); err != nil {
		return err
	}
	if f.output == "" {
		f.output = base + ".md"
		if f.html {
			f.output = base + ".html"
		}
	}
	if _, err := os.Stat(filepath.Dir(f.output)); err != nil {
		return fail(exitUser, "cannot write the page: %v", err)
	}
	sum, hashed, ok := compiler.Hash(file, nil)
	if !ok {
		return failedWith(hashed)
	}
	text, err := source.ReadFile(file)
	if err != nil {
		return fail(exitUser, "%v", err)
	}
	var sink diag.Sink
	blocks := literate.Parse(source.NewFile(file, text), &sink)
	if sink.HasErrors() {
		return failedWith(&sink)
	}
	closing := func() {}
	defer func() { closing() }()
	images := strings.TrimSuffix(f.output, filepath.Ext(f.output)) + "-img"
	defer os.Remove(images) //nolint:errcheck // it goes if there is nothing in it
	page := &literate.Page{
		Dir: images, Base: filepath.Base(images), Sources: filepath.Dir(file), Stamp: sum + " " + f.backend,
		Program: sync.OnceValues(func() (*evaluate.Program, error) {
			p, closed, err := f.evaluator(ctx, file, f.backend, literate.Calls(blocks), f.prebuilt)
			if err == nil {
				closing = closed
			}
			return p, err
		}),
	}
	if f.verbose {
		page.Begin = func(d *literate.Directive) { fmt.Fprintf(os.Stderr, "%v: %s\n", d.At, d.Line) }
	}
	markdown, failed, err := page.Run(ctx, blocks)
	if err != nil {
		return err
	}
	for _, err := range failed {
		fmt.Fprintln(os.Stderr, err)
	}
	if len(failed) > 0 && f.stopOnError {
		return &failure{code: exitTest}
	}
	if err := literate.Write(f.output, filepath.Base(base), markdown); err != nil {
		return fail(exitUser, "cannot write the page: %v", err)
	}
	if len(failed) > 0 {
		return &failure{code: exitTest}
	}
	return nil
}

// failedWith prints diagnostics and returns the failure for them.
func failedWith(sink *diag.Sink) error {
	if err := render(os.Stderr, "text", sink.Sorted()); err != nil {
		return err
	}
	return &failure{code: codeOf(sink.All())}
}
