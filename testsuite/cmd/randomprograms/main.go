// Command randomprograms makes random programs and compares what they do on an executor with what the interpreter says.
//
//	go run ./testsuite/cmd/randomprograms [-backend NAME] [-seed S] [-programs N] [-seconds T] [-workers W] [-patience D] [-shrink TRIES]
//		[-out FOLDER]
//
// The programs have the seeds from S on, N of them or as many as T seconds suffice for. W processes share the work, each with a device
// of its own; one that ends, or takes longer for a program than -patience, is replaced, and its program counts as a difference. It prints
// a line of counts, and each difference with its program, shrunk where -shrink allows; with -out each goes into a file, too. It exits
// with 1 if there are differences, and with 2 if it cannot run. Interrupted, it prints the counts of what is done, and exits with 130 if
// that has no difference.
//
// It is a program that needs nothing beside it but a device's library, so that it can be carried to another machine. The
// backends are those of `skald test`.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"skald/runtime/cpu"
	"skald/targets"
	"skald/testsuite/random"
	"skald/testsuite/random/compare"
	"skald/tooling/conformance"
)

type options struct {
	backend           string
	seed              uint64
	programs, workers int
	limit, patience   time.Duration
	shrink            int
	out               string
	worker, show      bool
}

func main() {
	var o options
	seconds := 0
	flag.StringVar(&o.backend, "backend", "cpu", "the executor, as `skald test` calls it, core for the evaluator of the "+
		"core IR, or evaluated-PROFILE for that of kernels")
	flag.Uint64Var(&o.seed, "seed", 0, "the first seed")
	flag.IntVar(&o.programs, "programs", 1000, "how many programs; 0 for as many as -seconds suffices for")
	flag.IntVar(&seconds, "seconds", 0, "when to begin no more programs; 0 for no bound")
	flag.DurationVar(&o.patience, "patience", time.Minute, "how long a worker may take for a program")
	flag.IntVar(&o.workers, "workers", runtime.NumCPU(), "how many processes")
	flag.IntVar(&o.shrink, "shrink", 0, "how many programs to try for a smaller one that differs")
	flag.StringVar(&o.out, "out", "", "a folder for the programs that differ")
	flag.BoolVar(&o.worker, "worker", false, "be one of the processes: read seeds, write results")
	flag.BoolVar(&o.show, "show", false, "print the program of the seed with its arguments, and run nothing")
	flag.Parse()
	o.limit = time.Duration(seconds) * time.Second
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "randomprograms:", err)
		code = 2
	}
	os.Exit(code)
}

func run(ctx context.Context, o options) (int, error) {
	switch {
	case o.show:
		fmt.Print(random.Make(o.seed).File())
		return 0, nil
	case o.programs == 0 && o.limit == 0:
		return 2, fmt.Errorf("neither -programs nor -seconds bounds the run")
	case o.worker: // A terminal interrupts all processes at once; the supervisor ends this one.
		return 0, work(o, os.Stdin, os.Stdout)
	default:
		return supervise(ctx, o)
	}
}

// open opens the executor that -backend names.
func open(name string) (conformance.Executor, error) {
	if name == "core" {
		return compare.Evaluator{}, nil
	}
	if profile, ok := strings.CutPrefix(name, "evaluated-"); ok {
		m := targets.FindProfile(profile)
		if m == nil {
			return nil, fmt.Errorf("no profile is called %s; there are %s", profile, strings.Join(targets.ProfileNames(), ", "))
		}
		// Not looking for races: scatters of random programs write equal values to one place.
		return conformance.On(name, m.Evaluated(cpu.Options{})), nil
	}
	return conformance.Open(name)
}
