// Command rejections checks that Futhark's own negative test programs are rejected, each for the reason in rejected.txt:
// the code of our first error, and its first line.
//
//	usage: rejections [-write] FOLDER
//
// FOLDER is the folder tests of a checkout of Futhark. With -write the table is regenerated; read the difference: each line
// is a claim that the reason is the one for which the program is among the tests. A limitation of ours is no reason.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"skald/tooling/conformance"
)

// tablePath is the table, seen from the top of the repository.
const tablePath = "testsuite/cmd/rejections/rejected.txt"

func main() {
	write := flag.Bool("write", false, "regenerate the table")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: rejections [-write] FOLDER")
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), tablePath, *write); err != nil {
		fmt.Fprintln(os.Stderr, "rejections:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, folder, table string, write bool) error {
	results, err := rejections(folder)
	if err != nil {
		return err
	}
	if write {
		var b bytes.Buffer
		for _, r := range results {
			fmt.Fprintln(&b, line(r))
		}
		return os.WriteFile(table, b.Bytes(), 0o644)
	}
	text, err := os.ReadFile(table)
	if err != nil {
		return err
	}
	bad := compare(w, strings.Split(strings.TrimSpace(string(text)), "\n"), results)
	fmt.Fprintf(w, "%d negative programs, %d not as the table says\n", len(results), bad)
	if bad > 0 {
		return fmt.Errorf("read the differences, and correct skald or the table")
	}
	return nil
}

// rejections checks the negative programs below a folder, in order of their names, which are made relative to it, in messages too.
func rejections(folder string) ([]conformance.Result, error) {
	var out []conformance.Result
	opts := conformance.Options{Mode: conformance.CheckOnly, Executor: conformance.Interpreter{}}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".fut" {
			return err
		}
		for _, r := range conformance.File(path, opts) {
			if r.Kind != conformance.Rejected {
				continue
			}
			if r.File, err = filepath.Rel(folder, path); err != nil {
				return err
			}
			r.Error = strings.ReplaceAll(r.Error, filepath.Clean(folder)+string(filepath.Separator), "")
			out = append(out, r)
		}
		return nil
	})
	return out, err
}

// line is a result as the table has it. What is not rejected has no code.
func line(r conformance.Result) string {
	if r.Status != conformance.Pass {
		return filepath.ToSlash(r.File) + "\tNOT REJECTED\t"
	}
	return filepath.ToSlash(r.File) + "\t" + r.Code + "\t" + r.Error
}

// compare prints the differences between the table and what was found, and counts the programs that differ.
func compare(w io.Writer, table []string, results []conformance.Result) int {
	want := map[string]string{}
	for _, l := range table {
		name, _, _ := strings.Cut(l, "\t")
		want[name] = l
	}
	bad := 0
	for _, r := range results {
		got := line(r)
		name, _, _ := strings.Cut(got, "\t")
		if want[name] != got {
			fmt.Fprintf(w, "- %s\n+ %s\n", want[name], got)
			bad++
		}
		delete(want, name)
	}
	for _, l := range table {
		if name, _, _ := strings.Cut(l, "\t"); want[name] != "" {
			fmt.Fprintf(w, "- %s\n+ no such negative program\n", l)
			bad++
		}
	}
	return bad
}
