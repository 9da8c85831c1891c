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
	random  int    // Random arguments of each exact function.
	pairs   int    // Random arguments of each 64-bit exact function.
	stride  uint   // Every stride-th f32 is tried in functions of one f32.
	series  int    // Random arguments of each inexact f64 function.
	seconds int    // Time after which no new function is begun; 0 for none.
	rates   bool   // Measure operations a second, too.
	cuda    bool   // On CUDA.
	cross   bool   // Judge on the device; see Note [Judging on the device].
	// portable is the dialect of a sweep that judges on the device, which must have every type for that.
	portable bool
	most     uint64 // Tuples of a function to judge on the device at most, random ones then; 0 for no limit.
	spans    bool   // Take whole spans, with CUDA as judge.
	limit    uint64 // Tuples of a span at most.
}

func main() {
	var p plan
	var o webgpu.Options
	sweep := flag.Bool("sweep", false, "sweep the functions on a device")
	flag.StringVar(&p.state, "state", "sweep.json", "file of finished shards; those in it are not run again")
	flag.StringVar(&p.only, "only", "", "regular expression of the functions to take")
	flag.IntVar(&p.random, "random", 1_000_000, "random arguments of an exact function")
	flag.IntVar(&p.pairs, "pairs", 10_000_000, "random arguments of an exact function on 64-bit integers")
	flag.UintVar(&p.stride, "stride", 64, "try every n-th f32 in functions of one f32")
	flag.IntVar(&p.series, "series", 100_000, "random arguments of an inexact f64 function")
	flag.IntVar(&p.seconds, "seconds", 0, "begin no new function after so many seconds")
	flag.BoolVar(&p.rates, "rates", true, "measure operations a second")
	flag.StringVar(&o.Library, "library", "", "webgpu library")
	flag.StringVar(&o.Driver, "driver", "", "Vulkan driver, instead of the system's")
	flag.BoolVar(&o.Portable, "portable", false, "use the portable dialect")
	flag.BoolVar(&p.cuda, "cuda", false, "sweep the CUDA library instead")
	flag.BoolVar(&p.cross, "cross", false, "judge on the device: all f16 and f32, all pairs of f16, -pairs tuples of 64-bit values")
	flag.Uint64Var(&p.most, "most", 0, "judge at most so many random tuples of a function on the device, for a quick look")
	flag.BoolVar(&p.spans, "spans", false, "take whole spans (every f32, every pair of f16, 2^30 others), with CUDA as judge")
	flag.Uint64Var(&p.limit, "limit", 1<<32, "tuples of a span at most")
	flag.Parse()
	if !*sweep {
		fmt.Fprintln(os.Stderr, "arith: nothing to do; see -help")
		os.Exit(2)
	}
	if p.cross {
		p.portable, o.Portable = o.Portable, false
	}
	if err := runSweep(p, o); err != nil {
		fmt.Fprintln(os.Stderr, "arith:", err)
		os.Exit(1)
	}
}
