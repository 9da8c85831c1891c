// Command exampletimes runs the examples on a device with inputs of some size, compares the results with the interpreter's, and
// times the kernels: the data of benchmarks/examples.csv. Run it from the top of the repository.
//
//	usage: exampletimes [-device NAME] [-runs N] [-only REGEXP] [-small]
//
// Integers must be exact; for floats the relative L2 error is printed, which must stay below the conformance tests' tolerance; of
// mandelbrot's pixels, which floats decide, at most one in a thousand may differ.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"text/tabwriter"
	"time"

	"skald/compiler"
	"skald/frontend/interp"
	"skald/frontend/types"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/value"
)

func main() {
	name := flag.String("device", "webgpu", "the device")
	library := flag.String("webgpu-library", "", "the WebGPU library")
	driver := flag.String("webgpu-driver", "", "a software driver")
	runs := flag.Int("runs", 30, "how often each program is timed")
	only := flag.String("only", "", "run the cases whose name and input a regular expression matches")
	small := flag.Bool("small", false, "use small inputs, for a test of this program itself")
	flag.Parse()
	opts := compiler.DeviceOptions{Name: *name, Profile: true, Flags: map[string]string{
		"webgpu-library": *library, "webgpu-driver": *driver,
	}}
	pattern, err := regexp.Compile(*only)
	if err == nil {
		err = run(opts, *runs, selected(cases(*small), pattern))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "exampletimes:", err)
		os.Exit(1)
	}
}

// selected are the cases that a pattern matches.
func selected(cs []benchCase, pattern *regexp.Regexp) []benchCase {
	return slices.DeleteFunc(cs, func(c benchCase) bool { return !pattern.MatchString(c.name + " " + c.size) })
}

func run(opts compiler.DeviceOptions, runs int, cs []benchCase) error {
	dev, note, err := compiler.OpenDevice(opts)
	if err != nil {
		return err
	}
	defer dev.Close() //nolint:errcheck // all results are in
	if note != "" {
		fmt.Println("note:", note)
	}
	f := dev.Facts()
	fmt.Printf("device: %s, %s, %s, driver %s\n", f.Name, f.Kind, f.API, f.Driver)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "program\tinput\tresult against the interpreter\tkernels µs: median\tmin\tmax\twhole run µs: median\tlaunches")
	bad := 0
	for _, c := range cs {
		line, ok, err := one(dev, c, runs)
		if err != nil {
			line, ok = err.Error(), false
		}
		if !ok {
			bad++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.name, c.size, line)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if bad > 0 {
		return fmt.Errorf("%d programs failed", bad)
	}
	return nil
}

// one runs one case and returns the rest of its line.
func one(dev *compiler.Device, c benchCase, runs int) (line string, ok bool, err error) {
	prog, sink, accepted := compiler.Check(c.file, compiler.CheckOptions{})
	if !accepted {
		return "", false, fmt.Errorf("not accepted: %v", sink.Sorted()[0])
	}
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{})
	if d != nil {
		return "", false, d
	}
	p, err := compiled.On(dev)
	if err != nil {
		return "", false, err
	}
	defer p.Close()
	args := c.args()
	verdict, ok, err := compare(prog, p, c, args)
	if err != nil {
		return "", false, err
	}
	times, err := measure(dev, p, c.entry, args, runs)
	if err != nil {
		return "", false, err
	}
	return verdict + "\t" + times, ok, nil
}

// compare runs the case on the device and, on the part that it allows for, in the interpreter.
func compare(prog *types.Prog, p *host.Program, c benchCase, args []value.Value) (string, bool, error) {
	checked := args
	if c.checked != nil {
		checked = c.checked()
	}
	got, err := p.Call(c.entry, checked)
	if err != nil {
		return "", false, err
	}
	want, err := compiler.Interpret(prog, interp.Options{}).Call(context.Background(), c.entry, checked)
	if err != nil {
		return "", false, fmt.Errorf("interpreter: %w", err)
	}
	for i := range want {
		verdict, ok := judge(got[i], want[i], c.decidedByFloats)
		if !ok || i == len(want)-1 {
			return verdict, ok, nil
		}
	}
	return "no results", false, nil
}

// judge compares one result.
func judge(got, want value.Value, decidedByFloats bool) (string, bool) {
	if got.Elem() != want.Elem() || !slices.Equal(got.Shape(), want.Shape()) {
		return "another type or shape", false
	}
	if !got.Elem().IsFloat() {
		differ := 0
		for i := range want.Len() {
			if got.At(i) != want.At(i) {
				differ++
			}
		}
		switch {
		case differ == 0:
			return "exact", true
		case decidedByFloats:
			return fmt.Sprintf("%d of %d differ", differ, want.Len()), float64(differ) <= 0.001*float64(want.Len())
		default:
			return fmt.Sprintf("%d of %d differ", differ, want.Len()), false
		}
	}
	e := value.RelativeError(got, want)
	return fmt.Sprintf("relative L2 error %.1e", e), e < 1e-3
}

// measure times the entry point: on the device, the sum over its kernels, and on the host, the whole run with its waits.
func measure(dev device.Device, p *host.Program, entry string, args []value.Value, runs int) (string, error) {
	up, err := p.Upload(entry, args)
	if err != nil {
		return "", err
	}
	defer p.FreeArgs(up)
	var kernels, whole []float64
	launches := int64(0)
	if err := device.WarmUp(dev, device.WarmUpTime); err != nil {
		return "", err
	}
	for i := range runs + 3 {
		dev.Timings()
		before := dev.Stats().Launches
		start := time.Now()
		r, err := p.Run(up)
		if err != nil {
			return "", err
		}
		took := time.Since(start)
		p.FreeResults(r)
		launches = dev.Stats().Launches - before
		var sum time.Duration
		for _, t := range dev.Timings() {
			sum += t.Time
		}
		if i >= 3 {
			kernels = append(kernels, float64(sum.Nanoseconds())/1000)
			whole = append(whole, float64(took.Nanoseconds())/1000)
		}
	}
	slices.Sort(kernels)
	slices.Sort(whole)
	n := len(kernels)
	return fmt.Sprintf("%.1f\t%.1f\t%.1f\t%.0f\t%d", kernels[n/2], kernels[0], kernels[n-1], whole[n/2], launches), nil
}
