package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skald/tooling/conformance"
)

// table collects results.
type table struct {
	o        *options
	backends []string // Lines about each.
	rows     []row
	csv      [][]string
	failures int
	left     int
}

// row are the counts of a suite on a backend.
type row struct {
	backend, suite                          string
	programs                                int
	cases, casesPassed                      int
	others, othersPassed                    int
	skipped, repeated, lost, timeouts, left int
}

// missing notes a backend that is not there.
func (t *table) missing(backend string, err error) {
	why, _, _ := strings.Cut(err.Error(), "\n")
	t.csv = append(t.csv, []string{backend, "", "", "", "", "not run", why})
}

// add counts the results of a backend.
func (t *table) add(backend, about string, programs []string, done map[string][]conformance.Result) {
	t.backends = append(t.backends, fmt.Sprintf("- %s: %s", backend, about))
	rows := map[string]*row{}
	var suites []string
	for _, p := range programs {
		suite := t.o.suiteOf(p)
		r := rows[suite]
		if r == nil {
			r = &row{backend: backend, suite: suite}
			rows[suite], suites = r, append(suites, suite)
		}
		results, known := done[p]
		if !known {
			r.left++
			t.left++
			continue
		}
		r.programs++
		for _, x := range results {
			r.count(x)
			if x.Status == conformance.Fail {
				t.failures++
				reason := strings.Join(strings.Fields(x.Reason), " ")
				t.csv = append(t.csv, []string{backend, suite, p, x.Entry, x.Case, string(x.Kind), reason[:min(len(reason), 400)]})
			}
		}
	}
	for _, s := range suites {
		t.rows = append(t.rows, *rows[s])
	}
}

func (r *row) count(x conformance.Result) {
	if x.Earlier != "" {
		r.repeated++
	}
	switch {
	case x.Status == conformance.Skip:
		r.skipped++
		return
	case x.Status == conformance.Fail && strings.Contains(x.Reason, "lost the device"):
		r.lost++
	case x.Status == conformance.Fail && strings.Contains(x.Reason, "time-out"):
		r.timeouts++
	}
	passed := 0
	if x.Status == conformance.Pass {
		passed = 1
	}
	if x.Kind == conformance.Ran {
		r.cases++
		r.casesPassed += passed
	} else {
		r.others++
		r.othersPassed += passed
	}
}

// write writes the tables, the first to w too. The error is errUnfinished if programs are left.
func (t *table) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", strings.Join(t.backends, "\n"))
	b.WriteString("| backend | suite | programs | cases | passed | other results | passed | skipped | run again | lost the device |" +
		" time-outs | left |\n" +
		"|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", r.backend, r.suite, r.programs,
			r.cases, r.casesPassed, r.others, r.othersPassed, r.skipped, r.repeated, r.lost, r.timeouts, r.left)
	}
	fmt.Fprint(w, b.String())
	if err := os.WriteFile(filepath.Join(t.o.out, "summary.md"), []byte(b.String()), 0o644); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(t.o.out, "failures.csv"))
	if err != nil {
		return err
	}
	head := []string{"backend", "suite", "program", "entry", "case", "kind", "reason"}
	slices.SortStableFunc(t.csv, func(a, b []string) int { return slices.Compare(a[:3], b[:3]) })
	if err := errors.Join(csv.NewWriter(f).WriteAll(append([][]string{head}, t.csv...)), f.Close()); err != nil {
		return err
	}
	if t.left > 0 {
		return errUnfinished
	}
	return nil
}
