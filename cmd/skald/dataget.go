//go:build !runner

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"skald/runtime/value"
	"skald/tooling/bench"
	"skald/tooling/evaluate"
	"skald/tooling/script"
	"skald/tooling/spec"
)

func newDataget() *cobra.Command {
	var f measuredFlags
	var backend string
	cmd := &cobra.Command{
		Use:   "dataget FILE DATASET",
		Short: "Print the input of a data set in a program's test blocks, in the binary format",
		Long: "Print the input of a data set in a program's test blocks, in the binary format. DATASET is its name, as `skald bench`\n" +
			"shows it, or a part of it that no other has. Values that a script computes are computed with the program.",
		Args: exactly(2),
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			c, err := findDataset(args[0], args[1])
			if err != nil {
				return err
			}
			values := evaluate.New(args[0])
			if names := calls(&c.Input); names != nil {
				var closed func()
				if values, closed, err = f.evaluator(ctx, args[0], backend, names, buildAgain); err != nil {
					return err
				}
				defer closed()
			}
			vs, err := values.Values(&c.Input)
			if err != nil {
				return evaluationError(err)
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			for _, v := range vs {
				err = errors.Join(err, value.WriteBinary(out, v))
			}
			return errors.Join(err, out.Flush())
		}),
	}
	cmd.Flags().StringVar(&backend, "backend", "auto", "what scripts run on; interpreter is one of them")
	f.tuning = "tuning"
	return cmd
}

// calls lists the functions that computing some values calls; nil if none is needed.
func calls(v *spec.Values) []string {
	if v.Kind == spec.InScript {
		return append([]string{}, script.Calls(v.Script)...)
	}
	if v.Kind == spec.InScriptFile {
		return []string{}
	}
	return nil
}

// findDataset finds the data set of a name, or of a name with this part.
func findDataset(file, name string) (bench.Case, error) {
	cases, err := bench.Cases(file)
	if err != nil {
		return bench.Case{}, programError(err)
	}
	var exact, partly []bench.Case
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.Name()] {
			continue
		}
		seen[c.Name()] = true
		if c.Name() == name {
			exact = append(exact, c)
		}
		if strings.Contains(c.Name(), name) {
			partly = append(partly, c)
		}
	}
	if exact != nil {
		partly = exact
	}
	if len(partly) == 1 {
		return partly[0], nil
	}
	message, shown := "there is no data set %q; there are:", cases
	if len(partly) > 1 {
		message, shown = "several data sets have %q in their names:", partly
	}
	fmt.Fprintf(os.Stderr, "skald: "+message+"\n", name)
	for _, c := range shown {
		fmt.Fprintf(os.Stderr, "  %s\n", c.Name())
	}
	return bench.Case{}, &failure{code: exitUser}
}
