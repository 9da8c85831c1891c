package main

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"skald/shaders"
)

// swept are the dialects of sweeps.
var swept = []shaders.Dialect{shaders.Native, shaders.Portable, {Language: shaders.CUDA}}

// csvHeader names the columns of the CSV file. The bound is 0 for exact functions; judge_worst_ulp is the worst error of the judge
// among judge_values values that were put to the series.
var csvHeader = []string{
	"function", "dialect", "tuples", "all", "judge", "worst_ulp", "bound_ulp", "wrong", "at", "operations_per_s",
	"judge_worst_ulp", "judge_values",
}

// printCSV writes what files of finished shards hold, a row a function and dialect, as benchmarks/functions.csv has them.
func printCSV(w io.Writer, files []string) error {
	var all []outcome
	for _, file := range files {
		done, err := readState(file)
		if err != nil {
			return err
		}
		for _, out := range done {
			all = append(all, withBound(out))
		}
	}
	slices.SortFunc(all, func(a, b outcome) int {
		// By type first, which is behind the last underscore.
		i, j := strings.LastIndexByte(a.Function, '_'), strings.LastIndexByte(b.Function, '_')
		return cmp.Or(cmp.Compare(a.Function[i:], b.Function[j:]), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Dialect, b.Dialect))
	})
	rows := [][]string{csvHeader}
	for _, out := range all {
		rows = append(rows, out.row())
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// withBound replaces the bound by the one that the function's comment promises now: it may have changed since the sweep.
func withBound(out outcome) outcome {
	for _, d := range swept {
		if x, ok := inexactFunction(d, out.Function); ok && dialectName(d) == out.Dialect {
			out.Bound = x.bound
		}
	}
	return out
}

// row is an outcome in the CSV file.
func (out outcome) row() []string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	row := []string{
		out.Function, out.Dialect, strconv.Itoa(out.Count), strconv.FormatBool(out.All), out.Judge, number(out.ULP), number(out.Bound),
		strconv.Itoa(out.Wrong), out.At, number(out.Rate), "", "",
	}
	if out.Bound > 0 {
		row[10], row[11] = number(out.JudgeULP), strconv.Itoa(out.JudgeCount)
	}
	return row
}
