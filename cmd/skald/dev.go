//go:build !runner

package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/targets"
)

// devFlags are the flags of `skald dev`.
type devFlags struct {
	check       checkFlags
	from, after string
	profile     string
	without     []string
	list        bool
	verify      bool
	timings     bool
	locations   bool
}

func newDev() *cobra.Command {
	var f devFlags
	cmd := &cobra.Command{
		Use:   "dev [FILE]",
		Short: "Print a program as it is after any pass",
		Long: "Print a program as it is after any pass, of those that run when it is built (front) and of those that run where it runs (gpu,\n" +
			"for the device that --profile names). With --from, FILE is a program in core IR, as this command prints it after that\n" +
			"pass, and only the passes from there on are run.",
		Args:   atMostOne,
		PreRun: collectRarely,
		RunE: func(cmd *cobra.Command, args []string) error {
			w := cmd.OutOrStdout()
			if f.list || len(args) == 0 {
				printPipeline(w)
				return nil
			}
			text, d, err := f.dump(args[0], cmd.ErrOrStderr())
			switch {
			case err != nil:
				return err
			case d != nil:
				return report(d)
			}
			if !f.timings {
				fmt.Fprint(w, text)
			}
			return nil
		},
	}
	f.check.add(cmd)
	stages := compiler.Stages()
	names := func() []string {
		names := make([]string, len(stages))
		for i, s := range stages {
			names[i] = s.Name + "\t" + s.Doc
		}
		return names
	}
	usual := stages[0].Name
	for _, s := range stages {
		if s.Form == compiler.FormCore {
			usual = s.Name
		}
	}
	cmd.Flags().StringVar(&f.after, "after", usual, "the pass after which to print")
	cmd.Flags().StringVar(&f.from, "from", "", "the pass after which FILE was printed (it is source text unless given)")
	cmd.Flags().StringVar(&f.profile, "profile", targets.DefaultProfile(),
		"the device that passes which depend on one are for: "+targets.Listed(targets.ProfileNames()))
	cmd.Flags().StringSliceVar(&f.without, "without", nil, "passes to leave out (may be repeated); --print-pipeline says which can be")
	complete(cmd, "after", names)
	complete(cmd, "without", names)
	complete(cmd, "profile", targets.ProfileNames)
	complete(cmd, "from", names)
	cmd.Flags().BoolVar(&f.list, "print-pipeline", false, "list the passes")
	cmd.Flags().BoolVar(&f.verify, "check", false, "verify the program after each pass")
	cmd.Flags().BoolVar(&f.locations, "locations", false, "print where statements come from, which --from keeps for messages")
	cmd.Flags().BoolVar(&f.timings, "timings", false, "print how long each pass takes, and not the program")
	return cmd
}

// dump reads and prints the program. The diagnostic, if any, has not been printed.
func (f *devFlags) dump(path string, log io.Writer) (string, *diag.Diagnostic, error) {
	opts := compiler.CompileOptions{Verify: f.verify, Locations: f.locations, Model: targets.FindProfile(f.profile), Without: f.without}
	if opts.Model == nil {
		return "", nil, noProfile(f.profile)
	}
	if err := opts.Valid(); err != nil {
		return "", nil, fail(exitUser, "%v", err)
	}
	if f.timings {
		opts.Timed = func(pass string, took time.Duration) { fmt.Fprintf(log, "%-18s %9.3f ms\n", pass, took.Seconds()*1000) }
	}
	if f.from == "" {
		prog, err := f.check.check(path)
		if err != nil {
			return "", nil, err
		}
		text, d, err := compiler.Dump(prog, f.after, opts)
		if err != nil {
			err = fail(exitUser, "%v", err)
		}
		return text, d, err
	}
	ir, err := source.ReadFile(path)
	if err != nil {
		return "", nil, fail(exitUser, "%v", err)
	}
	text, d, err := compiler.DumpCore(ir, f.from, f.after, opts)
	if err != nil {
		err = fail(exitUser, "%s: %v", path, err)
	}
	return text, d, err
}

func printPipeline(w io.Writer) {
	for _, s := range compiler.Stages() {
		without := "--without"
		if s.Needed != "" {
			without = "needed"
		}
		fmt.Fprintf(w, "%-18s %-6s %-8s %-10s %s\n", s.Name, s.Pipeline, s.Form, without, s.Doc)
	}
}
