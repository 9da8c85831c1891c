// Command testlog reads the JSON output of `go test -json` from standard input and says in few words how the tests went:
// it is what scripts/test.sh prints.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// event is one line of the output of `go test -json`.
type event struct {
	Action, Package, Test, Output string
}

// tally is what is known of all tests.
type tally struct {
	passed, failed, skipped int
	output                  map[string][]string // by test, of those that are not finished
	failures                []string
	skips                   []string
}

func main() {
	failures := flag.Bool("failures", false, "print what failed tests printed")
	skips := flag.Bool("skips", false, "print why tests were skipped")
	count := flag.Bool("count", false, "print the line of counts")
	flag.Parse()
	t := read(os.Stdin)
	if *failures {
		fmt.Println(strings.Join(t.failures, ""))
	}
	if *skips {
		fmt.Printf("test: %d tests passed, %d failed, %d were skipped\n", t.passed, t.failed, t.skipped)
		for _, s := range t.skips {
			fmt.Println("  skipped " + s)
		}
	}
	if *count {
		fmt.Printf("%d passed, %d failed, %d skipped\n", t.passed, t.failed, t.skipped)
	}
}

// read takes in all events.
func read(r io.Reader) *tally {
	t := &tally{output: map[string][]string{}}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		var e event
		if json.Unmarshal(in.Bytes(), &e) == nil {
			t.add(e)
		}
	}
	return t
}

func (t *tally) add(e event) {
	name := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		t.output[name] = append(t.output[name], e.Output)
		return
	case "build-output":
		// What the compiler says of a package that does not build; there is no test yet that it could belong to.
		t.failures = append(t.failures, e.Output)
		return
	case "pass":
		if e.Test != "" {
			t.passed++
		}
	case "fail":
		if e.Test != "" {
			t.failed++
		}
		t.failures = append(t.failures, t.output[name]...)
	case "skip":
		if e.Test != "" {
			t.skipped++
			t.skips = append(t.skips, name+": "+reason(t.output[name]))
		}
	default:
		return
	}
	delete(t.output, name)
}

// reason is the line in which a test says why it skips.
func reason(lines []string) string {
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "===") && !strings.HasPrefix(l, "---") {
			return l
		}
	}
	return "no reason given"
}
