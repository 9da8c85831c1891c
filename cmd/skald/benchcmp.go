//go:build !runner

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"skald/tooling/bench"
)

func newBenchcmp() *cobra.Command {
	var sortBy, order string
	cmd := &cobra.Command{
		Use:   "benchcmp FILE_A FILE_B",
		Short: "Compare two reports of `skald bench --json`",
		Long: "Compare two reports of `skald bench --json`, ours or Futhark's: how many times faster each data set is in FILE_B. A\n" +
			"speedup below 1 is a slowdown. Those that differ by more than half of both standard deviations are significant: a\n" +
			"star, and at a terminal green or red.",
		Args: exactly(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			bad, known := bench.Orders[sortBy]
			if sortBy != "" && !known {
				return fail(exitUser, "--sort-by takes significant, geomean-significant or geomean-all, not %q", sortBy)
			}
			if order != "worst-first" && order != "best-first" {
				return fail(exitUser, "--order takes worst-first or best-first, not %q", order)
			}
			var reports [2]bench.Report
			for i, file := range args {
				var err error
				if reports[i], err = bench.ReadReport(file); err != nil {
					return fail(exitUser, "%v", err)
				}
			}
			found, missing := bench.Compare(reports[0], reports[1], args[0], args[1])
			if known {
				bench.Sort(found, bad, order == "best-first")
			}
			showComparison(cmd.OutOrStdout(), found, missing)
			return nil
		},
	}
	cmd.Flags().StringVar(&sortBy, "sort-by", "", "sort programs by significant, geomean-significant or geomean-all")
	cmd.Flags().StringVar(&order, "order", "worst-first", "with --sort-by: worst-first or best-first")
	return cmd
}

func showComparison(w io.Writer, found []bench.Comparison, missing []string) {
	paint := paintFor(w)
	for _, line := range missing {
		fmt.Fprintln(w, paint.warning(line))
	}
	for _, c := range found {
		fmt.Fprintf(w, "\n%s\n", paint.bold(c.Program))
		width := 0
		for _, d := range c.Datasets {
			width = max(width, len([]rune(shortened(d.Dataset))))
		}
		for _, d := range c.Datasets {
			text := fmt.Sprintf("%10.2fx", d.Speedup)
			switch {
			case d.Significant && d.Speedup >= 1:
				text = paint.good(text + "*")
			case d.Significant:
				text = paint.bad(text + "*")
			default:
				text += " "
			}
			fmt.Fprintf(w, "  %-*s %s", width+1, shortened(d.Dataset)+":", text)
			for _, space := range slices.Sorted(maps.Keys(d.Memory)) {
				fmt.Fprintf(w, "  memory (%s): %.2fx", space, d.Memory[space])
			}
			fmt.Fprintln(w)
		}
	}
}
