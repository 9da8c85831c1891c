// Command parallelism runs an entry point on the evaluator, as code for a GPU, and prints what it asked of the device: kernels,
// launches, waits, allocations, peak bytes, and the launch with the fewest threads at work of those that move many
// elements. It needs no GPU, so it finds code that would run in few threads of one.
//
//	usage: parallelism [-units N | -profile NAME] [-elements N] [-v] PROGRAM ENTRY < INPUT
//	       parallelism -table [-only PART] [-profile NAME] [-suite FOLDER] [-elements N] > benchmarks/structure.csv
//	       parallelism -bindings [-only PART] [-profile NAME] [-suite FOLDER] > benchmarks/bindings.csv
//	       parallelism -traffic [-without PASS] [-only PART] [-profile NAME] [-suite FOLDER] > benchmarks/traffic.csv
//
// The first form runs code for a GPU of which only the number of units is known, or, with -profile, for a device of a recorded profile.
// The second form runs the examples, and programs of futhark-benchmarks in a folder, as a device of a recorded profile would, with inputs
// that the evaluator can take, and prints one row each. The third form prints how many of their kernels have more arrays than a device with
// few bindings (profile portable) binds, and how many arrays are copied for that. The fourth form prints which of their arrays neighbouring
// threads access far apart, on a device with few units, so that these inputs saturate it.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"skald/compiler"
	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/value"
	"skald/targets"
)

// gpuUnits is how many cores the evaluator claims to have, so that thresholds are those of GPUs: 2^15 points.
const gpuUnits = 1024

func main() {
	units := flag.Int("units", gpuUnits, "how many cores the device claims to have, which decides on versions")
	elements := flag.Int64("elements", 1_000_000, "how many accesses to memory are many")
	all := flag.Bool("v", false, "print each kernel: launches, fewest threads, accesses")
	table := flag.Bool("table", false, "print a table of the examples and the suite")
	profile := flag.String("profile", "", "the `name` of the profile whose devices are asked (for -table "+tableProfile+" unless given)")
	folder := flag.String("suite", "", "the `folder` with futhark-benchmarks")
	traffic := flag.Bool("traffic", false, "print which arrays of the examples and the suite neighbouring threads access far apart")
	bindings := flag.Bool("bindings", false, "print which kernels have more arrays than a device binds, and what is copied for that")
	waits := flag.Bool("waits", false, "print how often the loops of host code wait a round, of the examples and all programs of the suite")
	without := flag.String("without", "", "for -traffic, a `pass` to leave out")
	only := flag.String("only", "", "for -table, -bindings and -traffic, a `part` of the names of programs")
	flag.Parse()
	var err error
	switch {
	case *traffic:
		err = printTraffic(os.Stdout, cmp.Or(*profile, tableProfile), *folder, *without, *only)
	case *waits:
		err = printWaits(os.Stdout, cmp.Or(*profile, tableProfile), *folder, *only)
	case *bindings:
		err = printBindings(os.Stdout, cmp.Or(*profile, bindingsProfile), *folder, *only)
	case *table:
		err = printTable(os.Stdout, cmp.Or(*profile, tableProfile), *folder, *only, *elements)
	case flag.NArg() != 2:
		flag.Usage()
		os.Exit(2)
	default:
		var args []value.Value
		if args, err = value.ReadAll(os.Stdin); err != nil {
			break
		}
		var r *report
		if r, err = runOn(*profile, flag.Arg(0), flag.Arg(1), args, *units); err == nil {
			r.print(os.Stdout, *elements, *all)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "parallelism:", err)
		os.Exit(1)
	}
}

// report is what one call asked of the device.
type report struct {
	stats    device.Stats
	launches []cpu.Access
	result   []value.Value
}

// claims is the evaluator with other facts than its own.
type claims struct {
	*cpu.Device
	facts device.Facts
}

// Facts says what the device claims to be.
func (c *claims) Facts() *device.Facts { return &c.facts }

// runOn calls an entry point once, on the evaluator as a device of a profile if one is named, and else with so many units.
func runOn(profile, path, entry string, args []value.Value, units int) (*report, error) {
	if profile == "" {
		return run(path, entry, args, units)
	}
	m, err := findProfile(profile)
	if err != nil {
		return nil, err
	}
	return call(path, entry, args, nil, func(watch func(cpu.Access)) *targets.Device { return m.Evaluated(cpu.Options{Watch: watch}) })
}

// run calls an entry point once, on the evaluator with so many units.
func run(path, entry string, args []value.Value, units int) (*report, error) {
	return call(path, entry, args, nil, func(watch func(cpu.Access)) *targets.Device {
		dev := &claims{Device: cpu.Open(cpu.Options{Watch: watch})}
		dev.facts = *dev.Device.Facts()
		dev.facts.Units = units
		return targets.Find("cpu").On(dev)
	})
}

// call calls an entry point once on the device that open returns, which tells watch what launches do.
func call(path, entry string, args []value.Value, without []string, open func(watch func(cpu.Access)) *targets.Device) (*report, error) {
	p, err := compiled(path, without)
	if err != nil {
		return nil, err
	}
	r := &report{}
	dev := open(func(a cpu.Access) { r.launches = append(r.launches, a) })
	running, err := p.On(dev)
	if err != nil {
		return nil, err
	}
	defer running.Close() //nolint:errcheck // all results are in
	r.launches = nil
	before := dev.Stats()
	if r.result, err = running.Call(entry, args); err != nil {
		return nil, err
	}
	r.stats = dev.Stats()
	r.stats.Launches -= before.Launches
	r.stats.Syncs -= before.Syncs
	return r, nil
}

// compiled compiles a program without some passes.
func compiled(path string, without []string) (*compiler.Program, error) {
	prog, sink, ok := compiler.Check(path, compiler.CheckOptions{})
	if !ok {
		return nil, fmt.Errorf("%s is not accepted: %s", path, sink.Sorted()[0].Message)
	}
	p, d := compiler.Compile(prog, compiler.CompileOptions{Without: without})
	if d != nil {
		return nil, d // not p: a nil pointer in an interface is not nil
	}
	return p, nil
}

// fewest is the launch with the fewest threads among those that access at least so many elements; nil if there is none.
func (r *report) fewest(elements int64) *cpu.Access {
	var least *cpu.Access
	for i, a := range r.launches {
		if a.Elements >= elements && (least == nil || a.Threads < least.Threads) {
			least = &r.launches[i]
		}
	}
	return least
}

func (r *report) print(w io.Writer, elements int64, all bool) {
	s := r.stats
	fmt.Fprintf(w, "kernels %d, launches %d, waits %d, allocations %d, peak bytes %d\n", s.Pipelines, s.Launches, s.Syncs, s.Allocs, s.Peak)
	if a := r.fewest(elements); a != nil {
		fmt.Fprintf(w, "fewest threads: %d in %s, with %d accesses\n", a.Threads, a.Kernel, a.Elements)
	} else {
		fmt.Fprintf(w, "no launch makes %d accesses\n", elements)
	}
	if all {
		r.printKernels(w)
	}
}

// kernelUse is what all launches of one kernel come to.
type kernelUse struct {
	name              string
	launches, fewest  int64
	elements, threads int64
}

// printKernels prints a line for each kernel, those with the most accesses a thread first.
func (r *report) printKernels(w io.Writer) {
	by := map[string]*kernelUse{}
	var list []*kernelUse
	for _, a := range r.launches {
		k := by[a.Kernel]
		if k == nil {
			k = &kernelUse{name: a.Kernel, fewest: a.Threads}
			by[a.Kernel] = k
			list = append(list, k)
		}
		k.launches++
		k.fewest = min(k.fewest, a.Threads)
		k.elements += a.Elements
		k.threads += a.Threads
	}
	slices.SortStableFunc(list, func(x, y *kernelUse) int {
		return cmp.Compare(y.elements/max(1, y.threads), x.elements/max(1, x.threads))
	})
	for _, k := range list {
		fmt.Fprintf(w, "%-32s launches %6d  fewest threads %9d  accesses %12d  a thread %d\n",
			k.name, k.launches, k.fewest, k.elements, k.elements/max(1, k.threads))
	}
}
