package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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

// Note [Processes]
//
// A driver may give a process only so many devices, 64 on one that we met, also when each is closed before the next is
// opened. The lab therefore runs itself for a few cases at a time.

// casesEach is how many cases a process runs, on all devices.
const casesEach = 10

// run runs all cases on all devices, in processes of their own.
func (s *session) run() error {
	s.devices = map[string]string{}
	header(os.Stdout)
	most := slices.DeleteFunc(slices.Clone(s.options.devices), func(d string) bool { return d == "guaranteed" })
	if err := s.runApart(most, s.sizes); err != nil || len(most) == len(s.options.devices) {
		return err
	}
	return s.runApart([]string{"guaranteed"}, min(s.sizes, guaranteedSizes))
}

// chosen are the cases of some sizes that were asked for, the copy first.
func (s *session) chosen(of sizes) []Case {
	all := cases(of, families)
	if s.variants {
		all = append(all[:1:1], cases(of, variants)...) // The copy is the first.
	}
	return append(all[:1:1], slices.DeleteFunc(slices.Clone(all[1:]), func(c Case) bool {
		return !s.only.MatchString(c.Name)
	})...)
}

// runApart runs the cases of some sizes on some devices, a few at a time.
func (s *session) runApart(devices []string, of sizes) error {
	if len(devices) == 0 {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "lab")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a folder for temporary files
	file := filepath.Join(dir, "part.json")
	for from := 0; from < len(s.chosen(of)); from += casesEach {
		cmd := exec.Command(self, append(os.Args[1:], "-device", strings.Join(devices, ","), "-cub", "", "-table", "", "-svg", "",
			"-json", file, "-from", strconv.Itoa(from))...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		failed := cmd.Run() // What it has done by then is in the file.
		data, err := os.ReadFile(file)
		if err != nil {
			return errors.Join(failed, err)
		}
		var part []Result
		if err := json.Unmarshal(data, &part); err != nil {
			return err
		}
		s.take(part)
		if err := errors.Join(s.save(), os.Remove(file)); err != nil {
			return err
		}
		if failed != nil {
			fmt.Fprintf(os.Stderr, "lab: cases from %d: %v\n", from, failed)
		}
	}
	return nil
}

// take adds the results of another process; the copy, which each has run, once.
func (s *session) take(part []Result) {
	for _, r := range part {
		s.devices[r.Device] = r.About
		again := slices.ContainsFunc(s.results, func(o Result) bool { return o.Case == r.Case && o.Device == r.Device })
		if !again {
			s.results = append(s.results, r)
		}
	}
}

// runPart runs the cases that a process of its own was started for, a case on all devices before the next.
func (s *session) runPart(from int) error {
	of := s.sizes
	if slices.Contains(s.options.devices, "guaranteed") {
		of = min(of, guaranteedSizes)
	}
	all := s.chosen(of)
	for i, c := range all {
		if i > 0 && (i < from || i >= from+casesEach) {
			continue
		}
		for _, d := range s.options.devices {
			fmt.Fprintf(os.Stderr, "\r\x1b[K%d of %d: %s on %s", i+1, len(all), c.Name, d)
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
	about := fmt.Sprintf("%s, %s, %s", f.Name, f.API, f.Driver)
	r := run(dev, *c, s.runs)
	if err := dev.Close(); err != nil {
		return err
	}
	fmt.Fprint(os.Stderr, "\r\x1b[K")
	r.Device, r.Bytes, r.About = which, c.Bytes, about
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
