package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Status says how a program or case went.
type Status uint8

// The outcomes.
const (
	Pass Status = iota
	Fail
	Skip
)

// String is the word that reports use.
func (s Status) String() string { return [...]string{"pass", "fail", "skip"}[s] }

// MarshalText makes the word stand in JSON.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word.
func (s *Status) UnmarshalText(text []byte) error {
	for _, x := range []Status{Pass, Fail, Skip} {
		if string(text) == x.String() {
			*s = x
			return nil
		}
	}
	return fmt.Errorf("no status is called %q", text)
}

// Result is how one program or case went. A result without Case is about the program as a whole: that it is accepted or
// rejected as expected, and compiles.
type Result struct {
	File    string `json:"file"`
	Kind    Kind   `json:"kind"`
	Entry   string `json:"entry,omitempty"`
	Case    string `json:"case,omitempty"`
	Status  Status `json:"status"`
	Reason  string `json:"reason,omitempty"`
	Against string `json:"against,omitempty"` // for auto output: where the reference is from
	Earlier string `json:"earlier,omitempty"` // why this had to be run again: see Note [Blame for a lost device]
	Code    string `json:"code,omitempty"`    // for a rejected program: the code of the first error
	Error   string `json:"error,omitempty"`   // for a rejected program: the first line of the first error
}

// Kind says what a result is about.
type Kind string

// The kinds of results.
const (
	Accepted Kind = "accepted"  // a positive program: it is accepted, with the warnings expected
	Rejected Kind = "rejected"  // a negative program: it is rejected as the user's error
	Message  Kind = "message"   // a negative program: the message is as expected
	Compiled Kind = "compiled"  // it compiles
	Ran      Kind = "case"      // a case has the result that it should, or a property holds
	Shaped   Kind = "structure" // the compiled program has the constructs that a structure counts
)

// Report is the outcome of a run.
type Report struct {
	Backend string   `json:"backend"`
	Results []Result `json:"results"`
}

// Count is the number of results with a status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, x := range r.Results {
		if x.Status == s {
			n++
		}
	}
	return n
}

// Repeated is the number of results that come from a second run: see Note [Blame for a lost device].
func (r *Report) Repeated() int {
	n := 0
	for _, x := range r.Results {
		if x.Earlier != "" {
			n++
		}
	}
	return n
}

// JSON writes the report as JSON.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(r)
}

// Table writes counts by folder and kind: passed of all that were not skipped.
func (r *Report) Table(w io.Writer) error {
	type key struct {
		dir  string
		kind Kind
	}
	pass, all := map[key]int{}, map[key]int{}
	var dirs []string
	for _, x := range r.Results {
		if x.Status == Skip {
			continue
		}
		for _, dir := range []string{filepath.Dir(x.File), "total"} {
			k := key{dir, x.Kind}
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
			all[k]++
			if x.Status == Pass {
				pass[k]++
			}
		}
	}
	slices.SortFunc(dirs, func(a, b string) int {
		if (a == "total") != (b == "total") {
			return cmp.Compare(strings.Count(a, "total"), strings.Count(b, "total"))
		}
		return cmp.Compare(a, b)
	})
	kinds := []Kind{Accepted, Rejected, Message, Compiled, Ran, Shaped}
	head := []any{"folder", "accepted", "rejected", "message", "compiled", "cases", "structures"}
	if _, err := fmt.Fprintf(w, "%-40s %11s %11s %11s %11s %11s %11s\n", head...); err != nil {
		return err
	}
	for _, dir := range dirs {
		line := fmt.Sprintf("%-40s", dir)
		for _, k := range kinds {
			cell := ""
			if n := all[key{dir, k}]; n > 0 {
				cell = fmt.Sprintf("%d/%d", pass[key{dir, k}], n)
			}
			line += fmt.Sprintf(" %11s", cell)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
