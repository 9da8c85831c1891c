package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/webgpu"
)

// session is one run of the lab.
type session struct {
	*options
	rate    float64           // The best copy rate so far, bytes a microsecond.
	devices map[string]string // What each device said of itself.
	results []Result
}

// open opens a device with profiling.
func open(which string) (device.Device, error) {
	switch which {
	case "webgpu":
		return webgpu.Open(webgpu.Options{Profile: true})
	case "portable":
		return webgpu.Open(webgpu.Options{Profile: true, Portable: true})
	case "guaranteed":
		d, err := webgpu.Open(webgpu.Options{Profile: true, Portable: true})
		if err != nil {
			return nil, err
		}
		return limit(d), nil
	case "dawn":
		return webgpu.Open(webgpu.Options{Profile: true, Library: "dawn"})
	case "cuda":
		return cuda.Open(cuda.Options{Profile: true})
	}
	return nil, fmt.Errorf("no device is called %q", which)
}

// limited is a device of which only what WebGPU guarantees is used.
type limited struct {
	device.Device
	facts device.Facts
}

// limit restricts a device to WebGPU's guaranteed limits, without subgroups.
func limit(d device.Device) *limited {
	f := *d.Facts()
	f.Subgroups, f.SubgroupSize, f.SubgroupLinear, f.SubgroupID, f.F16, f.Enables = false, 0, false, false, false, nil
	f.WorkgroupMemory, f.MaxThreads, f.MaxBindings = 16<<10, 256, 8
	f.MaxBindingSize, f.MaxBufferSize = 128<<20, 256<<20
	f.ForwardProgress = false
	return &limited{d, f}
}

// Facts gives the restricted facts.
func (l *limited) Facts() *device.Facts { return &l.facts }

// run runs all cases on all devices.
func (s *session) run() error {
	s.devices = map[string]string{}
	header(os.Stdout)
	if err := s.runOn(slices.DeleteFunc(slices.Clone(s.options.devices), func(d string) bool {
		return d == "guaranteed"
	}), s.sizes); err != nil {
		return err
	}
	if slices.Contains(s.options.devices, "guaranteed") {
		return s.runOn([]string{"guaranteed"}, min(s.sizes, guaranteedSizes))
	}
	return nil
}

// runOn runs the cases of some sizes on some devices, a case on all before the next.
func (s *session) runOn(devices []string, of sizes) error {
	all := cases(of, families)
	if s.variants {
		all = append(all[:1:1], cases(of, variants)...) // The copy is the first.
	}
	start := time.Now()
	for i, c := range all {
		if !s.only.MatchString(c.Name) && !strings.HasPrefix(c.Name, "copy/") {
			continue
		}
		for _, d := range devices {
			fmt.Fprintf(os.Stderr, "\r\x1b[K%d of %d, %.0f s: %s on %s", i+1, len(all), time.Since(start).Seconds(), c.Name, d)
			if err := s.one(d, &c); err != nil {
				return err
			}
		}
		forget()
		if err := s.save(); err != nil { // After each case, so that a run that is stopped leaves what it has.
			return err
		}
	}
	return nil
}

// one runs a case on a device of its own: what earlier cases allocated changes where memory lies, and times.
func (s *session) one(which string, c *Case) error {
	dev, err := open(which)
	if err != nil {
		return err
	}
	f := dev.Facts()
	s.devices[which] = fmt.Sprintf("%s, %s, %s", f.Name, f.API, f.Driver)
	r := run(dev, *c, s.runs)
	if err := dev.Close(); err != nil {
		return err
	}
	fmt.Fprint(os.Stderr, "\r\x1b[K")
	r.Device, r.Bytes = which, c.Bytes
	if r.Median() > 0 && strings.HasPrefix(c.Name, "copy/") && which != "guaranteed" {
		s.rate = max(s.rate, float64(c.Bytes)/r.Median())
	}
	if s.rate > 0 {
		r.Floor = float64(c.Bytes) / s.rate
	}
	switch which {
	case "webgpu", "dawn":
		r.Target = c.Target[0]
	case "cuda":
		r.Target = c.Target[1]
	default:
	}
	row(os.Stdout, &r)
	s.results = append(s.results, r)
	return nil
}

// runCUB runs the program that times NVIDIA's library; it prints a result a line, as JSON.
func (s *session) runCUB() error {
	cmd := exec.Command(s.cub)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("run %s: %w", s.cub, err)
	}
	for line := range strings.Lines(string(out)) {
		var r Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return fmt.Errorf("a line of %s: %w", s.cub, err)
		}
		r.Device = "cub"
		slices.Sort(r.Times)
		row(os.Stdout, &r)
		s.results = append(s.results, r)
	}
	return nil
}

func header(w io.Writer) {
	fmt.Fprintf(w, "%-36s %-10s %8s %8s %8s %8s %8s %8s\n", "case", "device", "floor", "median", "min", "max", "/floor", "target")
}

// row prints one line of the table.
func row(w io.Writer, r *Result) {
	switch {
	case r.Skip != "":
		fmt.Fprintf(w, "%-36s %-10s SKIPPED: %s\n", r.Case, r.Device, r.Skip)
	case r.Error != "":
		fmt.Fprintf(w, "%-36s %-10s WRONG: %s\n", r.Case, r.Device, r.Error)
	default:
		ratio := 0.0
		if r.Floor > 0 {
			ratio = r.Median() / r.Floor
		}
		fmt.Fprintf(w, "%-36s %-10s %8.1f %8.1f %8.1f %8.1f %8.2f %8.0f", r.Case, r.Device, r.Floor, r.Median(), r.Times[0],
			r.Times[len(r.Times)-1], ratio, r.Target)
		if r.Flops > 0 {
			fmt.Fprintf(w, "  %.1f TFLOP/s", r.Flops/r.Median()/1e6)
		}
		fmt.Fprintln(w)
	}
}
