// Command subset lists the programs, among the files and folders that it is given, that use only the constructs of the
// first language level: definitions with size and type parameters, the primitive types, tuples, records, arrays, `if`,
// patterns, `loop`, functions of all forms, ranges, indices, slices, updates, imports, attributes, and the combinators on
// regular arrays. The list goes to standard output, the number of programs left out for each reason to standard error:
//
//	go run ./testsuite/subset FOLDER >list
//	skald test --backend cpu $(cat list)
//
// A program is left out for the first construct outside that it or a file that it imports has. Programs that must be
// rejected are left out, as they do not run. -reasons prints each file with its reason.
package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/testsuite/spec"
)

func main() {
	reasons := flag.Bool("reasons", false, "print each program that is left out with its reason")
	flag.Parse()
	if err := run(flag.Args(), *reasons, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "subset:", err)
		os.Exit(1)
	}
}

// run classifies all programs below the paths.
func run(paths []string, reasons bool, out, counts io.Writer) error {
	left := map[string]int{}
	inside := 0
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".fut") {
				return err
			}
			reason := outside(path)
			switch {
			case reason == "":
				inside++
				fmt.Fprintln(out, path)
			case reasons:
				fmt.Fprintf(counts, "%s: %s\n", path, reason)
			}
			if reason != "" {
				left[reason]++
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(counts, "%6d programs inside\n", inside)
	for _, r := range byCount(left) {
		fmt.Fprintf(counts, "%6d left out: %s\n", left[r], r)
	}
	return nil
}

// byCount gives the reasons, the most frequent first.
func byCount(left map[string]int) []string {
	var reasons []string
	for r := range left {
		reasons = append(reasons, r)
	}
	slices.SortFunc(reasons, func(a, b string) int {
		if d := left[b] - left[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return reasons
}

// outside says why the program in a file is left out, or gives "".
func outside(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return "cannot be read"
	}
	var sink diag.Sink
	switch block := spec.Parse(source.NewFile(path, string(text)), &sink); {
	case sink.HasErrors():
		return "test block"
	case block.Rejected != nil:
		return "must be rejected"
	}
	return classify(path)
}
