package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// session is one run of the lab.
type session struct {
	*options
	start   func(devices []string, from int) (*part, error)
	rate    float64           // The best copy rate so far, bytes a microsecond.
	devices map[string]string // What each device said of itself.
	results []Result
}

// run runs all cases on all devices. With guaranteed limits cases are smaller, and come last.
func (s *session) run() error {
	s.devices = map[string]string{}
	header(os.Stdout)
	if s.cub != "" {
		if err := s.runCUB(); err != nil {
			return err
		}
	}
	isGuaranteed := func(d string) bool { return d == "guaranteed" }
	groups := [][]string{slices.DeleteFunc(slices.Clone(s.options.devices), isGuaranteed), nil}
	if slices.ContainsFunc(s.options.devices, isGuaranteed) {
		groups[1] = []string{"guaranteed"}
	}
	show := newProgress(os.Stderr)
	for _, devices := range groups {
		show.total += len(devices) * len(s.chosen(s.sizesOn(devices)))
	}
	for _, devices := range groups {
		if len(devices) == 0 {
			continue
		}
		if err := s.runOn(devices, show); err != nil {
			return err
		}
	}
	show.clear()
	fmt.Print(s.summary())
	return nil
}

// sizesOn says how large cases are on some devices.
func (s *session) sizesOn(devices []string) sizes {
	if slices.Contains(devices, "guaranteed") {
		return min(s.sizes, guaranteedSizes)
	}
	return s.sizes
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

// runOn runs the cases on some devices, a part after the other. The case at which a part ended goes down as wrong.
func (s *session) runOn(devices []string, show *progress) error {
	all := s.chosen(s.sizesOn(devices))
	for done := 0; done < len(all)*len(devices); {
		count, failed, err := s.collect(all, devices, done/len(devices), show)
		done += count
		switch {
		case err != nil:
			return err
		case failed == nil:
			continue
		case done == 0: // A device does not open.
			return failed
		}
		for again := true; again; again = done%len(devices) != 0 {
			r := Result{
				Case: all[done/len(devices)].Name, Device: devices[done%len(devices)], Error: fmt.Sprint("not finished: ", failed),
			}
			if err := s.take(&r, show); err != nil {
				return err
			}
			done++
		}
	}
	return nil
}

// collect runs a part from a case on and takes what it sends; it says how many results there were and why there were
// not all, and returns as err what is no fault of the part.
func (s *session) collect(all []Case, devices []string, from int, show *progress) (count int, failed, err error) {
	p, err := s.start(devices, from)
	if err != nil {
		return 0, nil, err
	}
	for most := (min(len(all), from+casesEach) - from) * len(devices); count < most; count++ {
		show.at(all[from+count/len(devices)].Name, devices[count%len(devices)])
		r, err := p.next()
		if err != nil {
			return count, p.end(err), nil
		}
		if err := s.take(r, show); err != nil {
			return count, nil, errors.Join(err, p.end(io.ErrUnexpectedEOF))
		}
	}
	if err := p.end(io.EOF); err != nil {
		fmt.Fprintln(os.Stderr, "lab: after its last result,", err)
	}
	return count, nil, nil
}

// take adds a result, prints its row and writes the files, so that a run that is stopped leaves what it has.
func (s *session) take(r *Result, show *progress) error {
	if r.About != "" {
		s.devices[r.Device] = r.About
	}
	if r.Median() > 0 && strings.HasPrefix(r.Case, "copy/") && r.Device != "guaranteed" {
		s.rate = max(s.rate, float64(r.Bytes)/r.Median())
	}
	if s.rate > 0 {
		r.Floor = float64(r.Bytes) / s.rate
	}
	show.clear()
	row(os.Stdout, r)
	s.results = append(s.results, *r)
	return s.save()
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
