// Command processor compares what skald makes for the processor, compiled C and WebAssembly, with C by hand, on the same inputs and with
// as many threads: the data of benchmarks/processor.csv. Run it from the top of the repository.
//
//	usage: processor [-runs N] [-threads N] [-rounds N]
//
// All run alternately for some rounds, so that what else the machine does disturbs all; of each the shortest time counts. Checksums of
// the results must agree: exactly where they are integers, else in four digits.
package main

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"skald/compiler"
	"skald/runtime/host"
)

const folder = "testsuite/bench/processor"

func main() {
	runs := flag.Int("runs", 20, "how often each benchmark runs in a round")
	threads := flag.Int("threads", runtime.NumCPU(), "how many threads each has")
	rounds := flag.Int("rounds", 3, "how many rounds there are")
	cpuTime := flag.Bool("cpu-time", false, "measure the processor's time, not the clock's: for one thread, on a machine that others use")
	flag.Parse()
	runtime.GOMAXPROCS(*threads)
	useCPUTime = *cpuTime
	if err := run(*runs, *threads, *rounds, 1); err != nil {
		fmt.Fprintln(os.Stderr, "processor:", err)
		os.Exit(1)
	}
}

// useCPUTime says that the time which this process has had on all processors counts.
var useCPUTime bool

var started = time.Now()

// now is the clock that runs are measured by.
func now() time.Duration {
	if useCPUTime {
		return processorTime()
	}
	return time.Since(started)
}

// row is what is known of a benchmark.
type row struct {
	name     string
	c        float64   // microseconds
	ours     []float64 // those of each of ways
	amount   float64   // what the C program does of what bounds it,
	bound    string    // what that is,
	possible float64   // and how much of it is possible in a microsecond
	sum      float64
	sums     []float64
}

// ways are the compilers that skald's programs run by, as --cpu-compiler names them.
var ways = []string{"gcc", "wasm"}

// program is the programs on a device.
type program struct {
	dev    *compiler.Device
	loaded *host.Program
}

func run(runs, threads, rounds, shrink int) error {
	dir, err := os.MkdirTemp("", "skald-processor-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left behind is in the folder for such files
	reference := filepath.Join(dir, "reference")
	gcc := exec.Command("gcc", "-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-pthread",
		fmt.Sprintf("-DSHRINK=%d", shrink), "-o", reference, filepath.Join(folder, "reference.c"), "-lm")
	if out, err := gcc.CombinedOutput(); err != nil {
		return fmt.Errorf("gcc: %w\n%s", err, out)
	}
	var programs []program
	for _, compilerName := range ways {
		dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{
			Name: "cpu", Flags: map[string]string{"cpu-compiler": compilerName}, Warn: func(s string) { fmt.Fprintln(os.Stderr, s) },
		})
		if err != nil {
			return err
		}
		defer dev.Close() //nolint:errcheck // all results are in
		p, err := prepare(dev)
		if err != nil {
			return err
		}
		defer p.Close()
		programs = append(programs, program{dev, p})
	}
	var rows []row
	for range rounds {
		theirs, err := referenceRows(reference, threads, runs)
		if err != nil {
			return err
		}
		for i := range theirs {
			if len(rows) < len(theirs) {
				rows = append(rows, theirs[i])
				rows[i].ours, rows[i].sums = slices.Repeat([]float64{math.Inf(1)}, len(ways)), make([]float64, len(ways))
			}
			r := &rows[i]
			r.c, r.possible = min(r.c, theirs[i].c), max(r.possible, theirs[i].possible)
			for w, p := range programs {
				took, sum, err := ours(p.dev, p.loaded, r.name, shrink, runs)
				if err != nil {
					return fmt.Errorf("%s: %w", r.name, err)
				}
				r.ours[w], r.sums[w] = min(r.ours[w], took), sum
			}
		}
	}
	return report(rows, threads)
}

// prepare compiles the programs for the processor.
func prepare(dev *compiler.Device) (*host.Program, error) {
	prog, sink, accepted := compiler.Check(filepath.Join(folder, "processor.fut"), compiler.CheckOptions{})
	if !accepted {
		return nil, fmt.Errorf("not accepted: %v", sink.Sorted()[0])
	}
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{})
	if d != nil {
		return nil, d
	}
	return compiled.On(dev)
}

// referenceRows runs the C program.
func referenceRows(path string, threads, runs int) ([]row, error) {
	clock := "wall"
	if useCPUTime {
		clock = "cpu"
	}
	out, err := exec.Command(path, strconv.Itoa(threads), strconv.Itoa(runs), clock).Output()
	if err != nil {
		return nil, fmt.Errorf("the C program: %w", err)
	}
	records, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, r := range records {
		if len(r) != 6 {
			return nil, fmt.Errorf("the C program printed %q", r)
		}
		next := row{name: r[0], bound: r[3]}
		for i, to := range map[int]*float64{1: &next.c, 2: &next.amount, 4: &next.possible, 5: &next.sum} {
			if *to, err = strconv.ParseFloat(r[i], 64); err != nil {
				return nil, err
			}
		}
		rows = append(rows, next)
	}
	return rows, nil
}

// ours runs an entry point and returns the shortest time of a run, and a checksum of the results.
func ours(dev *compiler.Device, p *host.Program, entry string, shrink, runs int) (best, sum float64, err error) {
	args := inputs(entry, shrink)
	results, err := p.Call(entry, args) // compiles, too
	if err != nil {
		return 0, 0, err
	}
	sum = checksum(entry, results)
	up, err := p.Upload(entry, args)
	if err != nil {
		return 0, 0, err
	}
	defer p.FreeArgs(up)
	best = math.Inf(1)
	for range runs + 1 {
		start := now()
		r, err := p.Run(up)
		if err == nil {
			err = dev.Sync()
		}
		if err != nil {
			return 0, 0, err
		}
		best = min(best, float64((now()-start).Nanoseconds())/1e3)
		p.FreeResults(r)
	}
	return best, sum, nil
}

// report writes the table.
func report(rows []row, threads int) error {
	w := csv.NewWriter(os.Stdout)
	records := [][]string{{
		"program", "threads", "C µs", "skald µs", "skald / C", "WebAssembly µs", "WebAssembly / C",
		"what bounds C", "C's rate, 10^9/s", "share of what is possible",
	}}
	bad := ""
	for _, r := range rows {
		f := func(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }
		records = append(records, []string{
			r.name, strconv.Itoa(threads), f(r.c, 0), f(r.ours[0], 0), f(r.ours[0]/r.c, 2),
			f(r.ours[1], 0), f(r.ours[1]/r.c, 2), r.bound, f(r.amount/r.c/1e3, 1), f(r.amount/r.c/r.possible, 2),
		})
		for w, sum := range r.sums {
			if math.Abs(r.sum-sum) > 1e-4*math.Abs(r.sum) {
				bad = fmt.Sprintf("%s: the C program has %g, ours by %s %g", r.name, r.sum, ways[w], sum)
			}
		}
	}
	if err := w.WriteAll(records); err != nil {
		return err
	}
	if bad != "" {
		return fmt.Errorf("%s", bad)
	}
	return nil
}
