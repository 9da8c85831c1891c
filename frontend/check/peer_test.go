package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"sort"
	"strings"
	"testing"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/types"
)

// TestPeerPrograms counts which programs of the test suite at SKALD_PEER are accepted and rejected as that says.
// SKALD_PEER_ONLY restricts it to paths that match a pattern; SKALD_PEER_OUT is a file for what went wrong.
func TestPeerPrograms(t *testing.T) {
	root := os.Getenv("SKALD_PEER")
	if root == "" {
		t.Skip("SKALD_PEER does not name a folder of test programs")
	}
	only := regexp.MustCompile(os.Getenv("SKALD_PEER_ONLY"))
	var files []string
	err := filepath.WalkDir(filepath.Join(root, "tests"), func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".fut") && only.MatchString(path) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	tally := map[string]*folder{}
	var report strings.Builder
	for _, path := range files {
		p := readProgram(t, path)
		if p == nil {
			continue
		}
		rel, _ := filepath.Rel(filepath.Join(root, "tests"), path)
		dir := filepath.Dir(rel)
		if tally[dir] == nil {
			tally[dir] = &folder{}
		}
		tally[dir].count(p, rel, &report)
	}
	if out := os.Getenv("SKALD_PEER_OUT"); out != "" {
		if err := os.WriteFile(out, []byte(report.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	logTally(t, tally)
}

type folder struct{ positive, accepted, negative, rejected, matched int }

// program is a test program and what its block says.
type program struct {
	path     string
	negative bool
	message  string
	warning  string
}

var warningLine = regexp.MustCompile(`(?m)^-- warning: *(.*)$`)

var errorLine = regexp.MustCompile(`(?m)^-- *error: *(.*)$`)

func readProgram(t *testing.T, path string) *program {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := &program{path: path}
	if m := warningLine.FindStringSubmatch(string(text)); m != nil {
		p.warning = strings.TrimSpace(m[1])
	}
	block := regexp.MustCompile(`(?m)^-- *==\s*\n((?:--.*\n?)*)`).FindStringSubmatch(string(text))
	if block != nil {
		lines := strings.Split(block[1], "\n")
		for _, line := range lines {
			if m := errorLine.FindStringSubmatch(line); m != nil && strings.HasPrefix(line, "-- error:") {
				p.negative, p.message = true, strings.TrimSpace(m[1])
			}
			if strings.HasPrefix(line, "-- input") || strings.HasPrefix(line, "-- entry") || strings.HasPrefix(line,
				"-- output") {
				break
			}
		}
	}
	return p
}

func (f *folder) count(p *program, rel string, report *strings.Builder) {
	var sink diag.Sink
	ok, crash := run(p.path, &sink)
	messages := ""
	for _, d := range sink.All() {
		messages += fmt.Sprintf("%s: [%s] %s [%s]\n", d.Span, d.Code, d.Message, d.Code)
	}
	if crash != "" {
		fmt.Fprintf(report, "CRASH %s\n%s\n\n", rel, crash)
	}
	if p.warning != "" && !regexp.MustCompile("(?s)"+p.warning).MatchString(messages) {
		fmt.Fprintf(report, "WARNING %s expected: %s\n%s\n", rel, p.warning, messages)
	}
	if !p.negative {
		f.positive++
		if ok {
			f.accepted++
		} else if crash == "" {
			fmt.Fprintf(report, "REJECTED %s\n%s\n", rel, messages)
		}
		return
	}
	f.negative++
	if ok {
		fmt.Fprintf(report, "ACCEPTED %s expected: %s\n\n", rel, p.message)
		return
	}
	if crash != "" {
		return
	}
	f.rejected++
	pattern, err := regexp.Compile("(?s)" + p.message)
	if err != nil || pattern.MatchString(messages) || pattern.MatchString(strings.Join(strings.Fields(messages), " ")) {
		f.matched++
	} else {
		fmt.Fprintf(report, "MESSAGE %s expected: %s\n%s\n", rel, p.message, messages)
	}
}

func run(path string, sink *diag.Sink) (ok bool, crash string) {
	defer func() {
		if r := recover(); r != nil {
			crash = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	prog, ok := check.Check(check.OS{}, path, sink, check.Options{})
	if ok {
		if err := types.Verify(prog); err != nil {
			return ok, "VERIFY " + err.Error()
		}
	}
	return ok, ""
}

func logTally(t *testing.T, tally map[string]*folder) {
	var names []string
	for name := range tally {
		names = append(names, name)
	}
	sort.Strings(names)
	var sum folder
	for _, name := range names {
		f := tally[name]
		t.Logf("%-40s accepted %d of %d, rejected %d of %d, message %d", name, f.accepted, f.positive, f.rejected,
			f.negative, f.matched)
		sum.positive += f.positive
		sum.accepted += f.accepted
		sum.negative += f.negative
		sum.rejected += f.rejected
		sum.matched += f.matched
	}
	t.Logf("all: accepted %d of %d, rejected %d of %d, message %d", sum.accepted, sum.positive, sum.rejected,
		sum.negative, sum.matched)
}
