// Command ongpu runs all test programs on the GPU of a machine, through each library and dialect, and writes tables of what came
// of it. It needs nothing but its folder: `scripts/test-gpu.sh pack FOLDER` makes one that can be carried to a machine without Go
// and without a network.
//
//	ongpu [-folder FOLDER] [-out FOLDER] [-backends NAMES] [-suites NAMES] [-workers N] [-timeout DURATION] [-limit DURATION] [-random N]
//	      [-seed S] [-without PASSES] [-share N]
//
// With -without it runs the programs with each of the passes left out (all is those of the device's pipeline that can be), each on one
// program in N of the suites.
//
// The folder has a folder a suite (Futhark's tests, our programs and examples, large arrays), of which those that are there are
// run, and perhaps auto-output, reference outputs for cases that say so. The suite "random" is N random programs
// from seed S on, which are compared with the interpreter.
//
// Results are kept in a file a backend, a line of JSON a program. After -limit no program is begun; ongpu then exits with 3, and
// the same command goes on with the programs that are left. Once all have been run it writes summary.md (counts by backend and
// suite) and failures.csv, and exits with 1 if there are failures.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"skald/tooling/conformance"
)

// options are what the command line says.
type options struct {
	folder, out      string
	backends, suites []string
	workers          int
	timeout, limit   time.Duration
	random           int
	seed             int      // The first of the random programs.
	without          []string // passes
	share            int      // One program in so many is run for a pass that is left out.
	worker           string
}

// Exit codes.
const (
	exitFailures   = 1
	exitUsage      = 2
	exitUnfinished = 3
)

// errUnfinished says that the time was over before all programs had been run.
var errUnfinished = errors.New("the time is over: run the same command again for the rest")

func main() {
	var o options
	flag.StringVar(&o.folder, "folder", ".", "where the suites are")
	flag.StringVar(&o.out, "out", "results", "where results are kept, and tables are written")
	backends := flag.String("backends", "native,portable,portable-guaranteed,dawn", "what the programs run on, as `skald test` calls it")
	suites := flag.String("suites", strings.Join(suiteNames, ","), "what is run")
	flag.IntVar(&o.workers, "workers", min(12, max(1, runtime.NumCPU()*3/4)), "how many programs run at the same time")
	flag.DurationVar(&o.timeout, "timeout", 12*time.Second, "how long a case may take")
	flag.DurationVar(&o.limit, "limit", 9*time.Minute, "after how long no program is begun")
	flag.IntVar(&o.random, "random", 2000, "how many random programs")
	flag.IntVar(&o.seed, "seed", 0, "the seed of the first random program; those behind it have the next ones")
	without := flag.String("without", "", "passes to leave out, one at a time; all: those of the device's pipeline that can be")
	flag.IntVar(&o.share, "share", 1, "for a pass that is left out run one program in so many")
	flag.StringVar(&o.worker, "worker", "", "for the program's own use: be a process that runs programs on a backend")
	flag.Parse()
	o.backends, o.suites = strings.Split(*backends, ","), strings.Split(*suites, ",")
	switch *without {
	case "":
	case "all":
		o.without = optionalPasses()
	default:
		o.without = strings.Split(*without, ",")
	}
	if o.worker != "" {
		if err := work(&o); err != nil {
			fmt.Fprintln(os.Stderr, "ongpu:", err)
			os.Exit(exitUsage)
		}
		return
	}
	failures, err := run(&o, os.Stdout)
	switch {
	case errors.Is(err, errUnfinished):
		fmt.Println(err)
		os.Exit(exitUnfinished)
	case err != nil:
		fmt.Fprintln(os.Stderr, "ongpu:", err)
		os.Exit(exitUsage)
	case failures > 0:
		os.Exit(exitFailures)
	}
}

// work is a process that runs the programs which it is told on one backend.
func work(o *options) error {
	exec, err := conformance.Open(o.worker)
	if err != nil {
		return err
	}
	defer exec.Close() //nolint:errcheck // all results are in
	return conformance.Serve(os.Stdin, os.Stdout, o.test, conformance.Options{
		Executor: exec, Exclude: []string{"disable", "notest"}, Timeout: o.timeout, Root: o.suitePath("futhark-tests"),
		AutoOutput: o.autoOutput(),
	})
}
