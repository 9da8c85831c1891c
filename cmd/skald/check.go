//go:build !runner

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/types"
)

// checkFlags are the flags of all commands that read a program.
type checkFlags struct {
	noWarnings bool
	werror     bool
	entries    []string
	format     string
	mentioned  func(check.Mention)
}

func (f *checkFlags) add(cmd *cobra.Command) {
	f.addShown(cmd)
	cmd.Flags().StringArrayVar(&f.entries, "entry-point", nil, "make this function an entry point too (may be repeated)")
}

// addShown adds the flags that say what is shown.
func (f *checkFlags) addShown(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&f.noWarnings, "no-warnings", "w", false, "print no warnings")
	cmd.Flags().BoolVar(&f.werror, "Werror", false, "treat warnings as errors")
	cmd.Flags().StringVar(&f.format, "diagnostics", "text", "how errors are printed: text, short or json")
	complete(cmd, "diagnostics", func() []string { return []string{"text", "short", "json"} })
}

// complete tells the shell's completion what a flag may be: values, each with a tab and its meaning if it needs one.
func complete(cmd *cobra.Command, flag string, values func() []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(fmt.Sprintf("complete: %v", err))
	}
}

// check reads and checks a program, and prints what there is to say of it on standard error.
func (f *checkFlags) check(path string) (*types.Prog, error) {
	// Most of what is allocated here stays, so collecting it early is for nothing: a third of the time of a short process.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	prog, sink, ok := compiler.Check(path, compiler.CheckOptions{Entries: f.entries, Mentioned: f.mentioned})
	list := slices.DeleteFunc(sink.Sorted(), func(d *diag.Diagnostic) bool { return !d.IsError() && inLibrary(path, d) })
	if err := f.show(list); err != nil {
		return nil, err
	}
	if !ok {
		return nil, &failure{code: codeOf(list)}
	}
	return prog, nil
}

// checkNamed is check, and refuses a name of --entry-point that the program does not define.
func (f *checkFlags) checkNamed(path string) (*types.Prog, error) {
	prog, err := f.check(path)
	if err != nil {
		return nil, err
	}
	for _, name := range f.entries {
		if !slices.ContainsFunc(prog.Entries(), func(d *types.Def) bool { return d.Entry.Name == name }) {
			return nil, fail(exitUser, "--entry-point: %s defines no function %q", path, name)
		}
	}
	return prog, nil
}

// inLibrary reports whether a diagnostic of a program is about a file of somebody else's: of a package, which package managers put below
// a folder lib. Whoever works on the package itself names a file there.
func inLibrary(program string, d *diag.Diagnostic) bool {
	if !d.Span.Valid() {
		return false
	}
	below, err := filepath.Rel(filepath.Dir(program), d.Span.File.Name())
	return err == nil && slices.Contains(strings.Split(filepath.ToSlash(below), "/"), "lib")
}

// show prints diagnostics, and returns the failure that ends the command if there are errors, or warnings that count as such.
func (f *checkFlags) show(list []*diag.Diagnostic) error {
	errs, warnings := 0, 0
	shown := list[:0:0]
	for _, d := range list {
		if d.IsError() {
			errs++
		} else if warnings++; f.noWarnings {
			continue
		}
		shown = append(shown, d)
	}
	if err := render(os.Stderr, f.format, shown); err != nil {
		return err
	}
	switch {
	case errs > 0:
		return &failure{code: codeOf(list)}
	case f.werror && warnings > 0:
		return fail(exitUser, "warnings are errors here (--Werror)")
	}
	return nil
}

// render prints diagnostics in one of the formats.
func render(w io.Writer, format string, list []*diag.Diagnostic) error {
	for _, d := range list {
		suggestFile(d)
	}
	switch format {
	case "text":
		return diag.Text(w, list)
	case "short":
		return diag.Lines(w, list)
	case "json":
		return diag.JSON(w, list)
	default:
		return fail(exitUser, "--diagnostics takes text, short or json, not %q", format)
	}
}

// codeOf is the exit code for a list of diagnostics: that of the most serious kind.
func codeOf(list []*diag.Diagnostic) int {
	for _, d := range list {
		if d.Severity == diag.Internal || d.Severity == diag.Limitation {
			return exitInternal
		}
	}
	return exitUser
}

// report prints one diagnostic and returns the failure that ends the command.
func report(d *diag.Diagnostic) error {
	list := []*diag.Diagnostic{d}
	if err := render(os.Stderr, "text", list); err != nil {
		return err
	}
	return &failure{code: codeOf(list)}
}

func newCheck() *cobra.Command {
	var flags checkFlags
	cmd := &cobra.Command{
		Use:    "check FILE",
		Short:  "Check that a program is valid",
		Args:   exactly(1),
		PreRun: collectRarely,
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := flags.checkNamed(args[0])
			return err
		},
	}
	flags.add(cmd)
	return cmd
}
