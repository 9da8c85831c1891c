// Command latency times calls on a device by the wall clock: what a call takes besides its kernels. Each line has the median and
// the best of many calls on uploaded arguments, the median of the kernels' own times in calls that are profiled, and what a call asks
// of the device. The first two lines are the device's floor: an empty submission that is waited for, and the reading of one word.
//
//	usage: latency [-device NAME] [-runs N] [-only REGEXP] [-small] [-cpuprofile FILE]
//
// A round of a loop is timed as the difference between a call of 101 rounds and one of a single round, over 100.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime/pprof"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"skald/compiler"
	"skald/frontend/check"
	"skald/runtime/device"
	"skald/runtime/host"
)

//go:embed latency.fut
var program string

// options are the flags.
type options struct {
	device compiler.DeviceOptions
	runs   int
	only   *regexp.Regexp
	small  bool
}

func main() {
	var o options
	flag.StringVar(&o.device.Name, "device", "webgpu", "the device")
	library := flag.String("webgpu-library", "", "the WebGPU library")
	driver := flag.String("webgpu-driver", "", "a software driver")
	portable := flag.Bool("portable", false, "use nothing beyond standard WebGPU")
	flag.IntVar(&o.runs, "runs", 100, "how many calls are timed")
	flag.BoolVar(&o.small, "small", false, "use small inputs")
	only := flag.String("only", "", "time the cases whose name a regular expression matches")
	profile := flag.String("cpuprofile", "", "write a profile of the processor's time to a file")
	flag.Parse()
	o.device.Flags = map[string]string{
		"webgpu-library": *library, "webgpu-driver": *driver, "webgpu-portable": strconv.FormatBool(*portable),
	}
	var err error
	if o.only, err = regexp.Compile(*only); err == nil {
		err = profiled(*profile, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "latency:", err)
		os.Exit(1)
	}
}

// profiled times the cases, and writes a profile to a file if one is named.
func profiled(file string, o options) error {
	if file == "" {
		return run(o, os.Stdout)
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // a lost profile shows itself
	defer pprof.StopCPUProfile()
	return run(o, os.Stdout)
}

// machine is the device opened twice, as measuring kernels slows calls down.
type machine struct {
	plain, profiled *compiler.Device
}

func open(o compiler.DeviceOptions) (m machine, err error) {
	if m.plain, _, err = compiler.OpenDevice(o); err != nil {
		return m, err
	}
	o.Profile = true
	m.profiled, _, err = compiler.OpenDevice(o)
	return m, err
}

// run times the cases and writes the table.
func run(o options, out *os.File) error {
	m, err := open(o.device)
	if err != nil {
		return err
	}
	defer m.plain.Close()    //nolint:errcheck // all results are in
	defer m.profiled.Close() //nolint:errcheck // all results are in
	f := m.plain.Facts()
	fmt.Fprintf(out, "device: %s, %s, driver %s\n", f.Name, f.API, f.Driver)
	if err := device.WarmUp(m.plain, device.WarmUpTime); err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "case\twall µs: median\tbest\tkernels µs: median\tlaunches\tcopies\tsubmissions\twaits")
	for _, c := range floors {
		if o.only.MatchString(c.name) {
			if err := c.line(w, m.plain, o.runs); err != nil {
				return err
			}
		}
	}
	compiled, err := compile()
	if err != nil {
		return err
	}
	for _, c := range cases(o.small) {
		if o.only.MatchString(c.name) {
			if err := c.line(w, m, compiled, o.runs); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return w.Flush()
}

func compile() (*compiler.Program, error) {
	prog, sink, ok := compiler.Check("latency.fut", compiler.CheckOptions{Loader: check.Files{"latency.fut": program}})
	if !ok {
		return nil, fmt.Errorf("not accepted: %v", sink.Sorted()[0])
	}
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{})
	if d != nil {
		return nil, d
	}
	return compiled, nil
}

// warmUps are the calls before those that are timed.
const warmUps = 5

// times calls f and returns the times of the calls in order of size, in microseconds.
func times(runs int, f func() error) ([]float64, error) {
	var out []float64
	for i := range runs + warmUps {
		start := time.Now()
		if err := f(); err != nil {
			return nil, err
		}
		if took := time.Since(start); i >= warmUps {
			out = append(out, micros(took))
		}
	}
	slices.Sort(out)
	return out, nil
}

func micros(t time.Duration) float64 { return float64(t.Nanoseconds()) / 1000 }

// calls times calls of an entry point, and returns with it what one call asks of the device.
func calls(dev *compiler.Device, p *host.Program, c timed, runs int) (wall []float64, asked device.Stats, err error) {
	up, err := p.Upload(c.entry, c.args())
	if err != nil {
		return nil, asked, err
	}
	defer p.FreeArgs(up)
	call := func() error {
		r, err := p.Run(up)
		if err == nil {
			p.FreeResults(r)
		}
		return err
	}
	if err := device.WarmUp(dev, device.WarmUpTime); err != nil { // it idled while the arguments were made
		return nil, asked, err
	}
	if wall, err = times(runs, call); err != nil {
		return nil, asked, err
	}
	before := dev.Stats()
	err = call()
	return wall, minus(dev.Stats(), before), err
}

// minus is what was asked of a device between two counts.
func minus(a, b device.Stats) device.Stats {
	return device.Stats{
		Launches: a.Launches - b.Launches, Copies: a.Copies - b.Copies, Submits: a.Submits - b.Submits, Syncs: a.Syncs - b.Syncs,
	}
}

// kernels returns the median of the kernels' times of a call.
func kernels(dev *compiler.Device, p *host.Program, c timed, runs int) (float64, error) {
	up, err := p.Upload(c.entry, c.args())
	if err != nil {
		return 0, err
	}
	defer p.FreeArgs(up)
	if err := device.WarmUp(dev, device.WarmUpTime); err != nil {
		return 0, err
	}
	var sums []float64
	for range runs + warmUps {
		dev.Timings()
		r, err := p.Run(up)
		if err != nil {
			return 0, err
		}
		p.FreeResults(r)
		sum := time.Duration(0)
		for _, t := range dev.Timings() {
			sum += t.Time
		}
		sums = append(sums, micros(sum))
	}
	sums = sums[warmUps:]
	slices.Sort(sums)
	return sums[len(sums)/2], nil
}
