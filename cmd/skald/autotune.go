//go:build !runner

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"skald/tooling/artifact"
	"skald/tooling/autotune"
	"skald/tooling/bench"
)

func newAutotune() *cobra.Command {
	var f measuredFlags
	var backend, specFile string
	var budget int
	var prebuilt bool
	cmd := &cobra.Command{
		Use:   "autotune FILE",
		Short: "Find good thresholds for the data sets of a program's test blocks, and write them to FILE.tuning",
		Long: "Find good thresholds for the data sets of a program's test blocks, and write them to FILE.tuning, which `skald test`,\n" +
			"`skald bench` and executables read. Nested parallelism is compiled in versions, between which thresholds decide. Cases\n" +
			"tagged notune or disable are left out. In the end each data set runs with the defaults and with what was found in turn:\n" +
			"where one is slower beyond noise, or none is faster, thresholds keep their defaults.",
		Args: exactly(1),
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if f.runs < 1 || f.timeout == 0 || budget == 0 {
				return fail(exitUser, "--runs, --timeout and --budget take positive numbers")
			}
			if err := f.program.parsePassed(f.passed); err != nil {
				return err
			}
			p, err := bench.Read(args[0], bench.Selection{Exclude: []string{"notune", "disable"}, SpecFile: specFile, Prebuilt: prebuilt})
			if err != nil {
				return programError(err)
			}
			if p == nil {
				return fail(exitUser, "%s has no data sets to tune it for", args[0])
			}
			return f.autotune(ctx, cmd.OutOrStdout(), backend, p, time.Duration(max(budget, 0))*time.Second)
		}),
	}
	f.add(cmd.Flags())
	cmd.Flags().StringVar(&backend, "backend", "auto", "what the program runs on")
	cmd.Flags().IntVarP(&f.runs, "runs", "r", 10, "the least number of runs of each measurement")
	cmd.Flags().IntVar(&f.timeout, "timeout", 60, "how many seconds the first runs of a data set may take; -1 for ever")
	cmd.Flags().IntVar(&budget, "budget", -1, "how many seconds the search may take; -1 for ever. The comparison comes after it")
	cmd.Flags().StringVar(&specFile, "spec-file", "", "take the test block from this file, in which it is no comment")
	cmd.Flags().BoolVar(&prebuilt, "skip-compilation", false, "take the program from the executable beside it")
	return cmd
}

// An argument of load.
const withoutProfile = false

func (f *measuredFlags) autotune(ctx context.Context, w io.Writer, backend string, p *bench.Program, budget time.Duration) error {
	// The device is not to be given up: the search bounds each measurement itself.
	limit := time.Duration(max(f.timeout, 0)) * time.Second
	f.timeout = 0
	l, _, err := f.load(backend, p, withoutProfile, "")
	if err != nil {
		return err
	}
	defer func() { f.drop(l) }()
	again := func() (*bench.Loaded, error) {
		opened, _, err := f.load(backend, p, withoutProfile, "")
		if err == nil {
			l = opened
		}
		return opened, err
	}
	show := newStatus(w)
	say := func(format string, args ...any) {
		show.set(format, args...)
		if f.verbose {
			fmt.Fprintf(os.Stderr, format+"\n", args...)
		}
	}
	out, err := autotune.Tune(ctx, l, p.Cases, autotune.Options{Runs: f.runs, Timeout: limit, Budget: budget, Again: again, Say: say})
	show.clear()
	if err != nil {
		return fail(exitRun, "%s: %v", p.File, err)
	}
	if out.Met == 0 {
		fmt.Fprintf(w, "%s has no thresholds that its data sets meet\n", p.File)
		return nil
	}
	file := p.File + "." + f.tuning
	if err := artifact.WriteText(file, out.File()); err != nil {
		return fail(exitUser, "cannot write the tuning file: %v", err)
	}
	for _, d := range out.Datasets {
		c := d.Change
		fmt.Fprintf(w, "  %-40s %10.0f µs before, %10.0f µs now, %.2fx (%.2f to %.2f)\n", shortened(d.Name)+":", d.Before, d.After,
			1/c.Median, 1/c.High, 1/c.Low)
	}
	fmt.Fprintf(w, "wrote %s: %d of %d thresholds, the others keep their defaults\n", file, len(out.Values), out.Met)
	return nil
}
