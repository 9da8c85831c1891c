// Command testlog reads the JSON output of `go test -json` from standard input and says in few words how the tests went:
// it is what scripts/test.sh prints.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// event is one line of the output of `go test -json`.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds of wall-clock time
}

// tally is what is known of all tests.
type tally struct {
	passed, failed, skipped int
	output                  map[string][]string // by test, of those that are not finished
	failures                []string
	skips                   []string
	times                   []duration // of packages, and of tests that are in no other
}

// duration is how long a package or test took.
type duration struct {
	name    string
	seconds float64
}

func main() {
	failures := flag.Bool("failures", false, "print what failed tests printed")
	skips := flag.Bool("skips", false, "print why tests were skipped")
	count := flag.Bool("count", false, "print the line of counts")
	slowest := flag.Int("slowest", 0, "print so many packages and tests that took longest")
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
	t.printSlowest(*slowest)
	if *count {
		fmt.Printf("%d passed, %d failed, %d skipped\n", t.passed, t.failed, t.skipped)
	}
}

// printSlowest prints what took longest, the slowest first.
func (t *tally) printSlowest(n int) {
	slices.SortStableFunc(t.times, func(a, b duration) int { return cmp.Compare(b.seconds, a.seconds) })
	for _, d := range t.times[:min(n, len(t.times))] {
		fmt.Printf("%8.1f s  %s\n", d.seconds, d.name)
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
	if (e.Action == "pass" || e.Action == "fail") && !strings.Contains(e.Test, "/") {
		t.times = append(t.times, duration{strings.TrimSpace(name), e.Elapsed})
	}
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
