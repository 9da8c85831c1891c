package main

import (
	"flag"
	"fmt"
	"os"

	"skald/runtime/webgpu"
)

// plan is what a sweep covers.
type plan struct {
	state   string // File of finished shards.
	only    string // Regular expression of function names.
	pairs   uint64 // Scrambled tuples of a function; a quarter of an inexact one of f64.
	limit   uint64 // Tuples of any function at most, for a quick look.
	series  int    // Random arguments of an inexact function that are put to the series; 16 times that of f64.
	seconds int    // Time after which no new function is begun; 0 for none.
	workers int    // Functions taken at once.
	rates   bool   // Measure operations a second, after all else.
	cuda    bool   // On CUDA.
}

func main() {
	var p plan
	var o webgpu.Options
	sweep := flag.Bool("sweep", false, "sweep the functions on a device, with CUDA as judge")
	csv := flag.Bool("csv", false, "print the outcomes in the state files that are named as arguments")
	flag.StringVar(&p.state, "state", "sweep.json", "file of finished shards; those in it are not run again")
	flag.StringVar(&p.only, "only", "", "regular expression of the functions to take")
	flag.Uint64Var(&p.pairs, "pairs", 1<<30, "tuples of functions that have more than 2^32; at most 2^32")
	flag.Uint64Var(&p.limit, "limit", 1<<32, "tuples of any function at most, for a quick look")
	flag.IntVar(&p.series, "series", 1024, "random arguments of an inexact function that are put to the series")
	flag.IntVar(&p.seconds, "seconds", 0, "begin no new function after so many seconds")
	flag.IntVar(&p.workers, "workers", 4, "functions taken at once")
	flag.BoolVar(&p.rates, "rates", true, "measure operations a second")
	flag.StringVar(&o.Library, "library", "", "webgpu library")
	flag.StringVar(&o.Driver, "driver", "", "Vulkan driver, instead of the system's")
	flag.BoolVar(&o.Portable, "portable", false, "use the portable dialect")
	flag.BoolVar(&p.cuda, "cuda", false, "sweep the CUDA library instead")
	flag.Parse()
	var err error
	switch {
	case *sweep:
		err = runSweep(p, o)
	case *csv:
		err = printCSV(os.Stdout, flag.Args())
	default:
		err = fmt.Errorf("nothing to do; see -help")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "arith:", err)
		os.Exit(1)
	}
}
