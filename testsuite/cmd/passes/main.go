// Command passes says what each pass is worth: it runs programs with all passes and with each left out that can be, on one device, and
// prints a table as CSV: median time of a call, launches, waits, and peak bytes, and the ratio of the time to that with all passes.
//
//	usage: passes [-device NAME] [-runs N] [-rounds N] [-limit TIME] [-only PASSES] [-except PASSES] PROGRAM:ENTRY:INPUT...
//
// What runs first is slower, by up to half of a call, until drivers and clocks have settled: so all are timed in turn, in two rounds, and
// the shorter median of each counts.
//
// INPUT is a file with the arguments. Programs that are built of functions are loops on the host without inline: with inputs that take
// long, except it. The results must be those of all passes, floats within a relative error of 1e-3 (L2): otherwise it
// fails.
package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"skald/compiler"
	"skald/frontend/types"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/value"
)

func main() {
	name := flag.String("device", "webgpu", "the device")
	runs := flag.Int("runs", 10, "how many calls are timed in a round")
	rounds := flag.Int("rounds", 2, "how many rounds there are")
	limit := flag.Duration("limit", 5*time.Second, "how long the calls of one row may take; what takes longer is timed fewer times")
	except := flag.String("except", "", "passes that are not left out, with commas between them")
	only := flag.String("only", "", "the passes that are left out, with commas between them, if not all that can be")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	how := setting{*name, *runs, *rounds, *limit, leftOut(*only, *except)}
	if err := table(how, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "passes:", err)
		os.Exit(1)
	}
}

// leftOut lists the passes that are left out: of those that can be, in the pipelines' order, the ones that only names (if it is not
// empty) and except does not.
func leftOut(only, except string) []string {
	var passes []string
	for _, s := range compiler.Stages() {
		named := only == "" || slices.Contains(strings.Split(only, ","), s.Name)
		if s.Needed == "" && named && !slices.Contains(strings.Split(except, ","), s.Name) {
			passes = append(passes, s.Name)
		}
	}
	return passes
}

// table prints the rows of all programs.
func table(how setting, programs []string) error {
	w := csv.NewWriter(os.Stdout)
	defer w.Flush()
	if err := w.Write([]string{"program", "without", "us", "over_all", "launches", "waits", "peak_bytes"}); err != nil {
		return err
	}
	for _, arg := range programs {
		c, err := newCase(arg)
		if err == nil {
			err = c.rows(w, how)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", arg, err)
		}
		w.Flush()
	}
	return w.Error()
}

// benchCase is one entry point with its arguments.
type benchCase struct {
	name, entry string
	prog        *types.Prog
	args        []value.Value
}

func newCase(arg string) (*benchCase, error) {
	part := strings.Split(arg, ":")
	if len(part) != 3 {
		return nil, fmt.Errorf("PROGRAM:ENTRY:INPUT is wanted")
	}
	prog, sink, ok := compiler.Check(part[0], compiler.CheckOptions{})
	if !ok {
		return nil, sink.Sorted()[0]
	}
	in, err := os.Open(part[2])
	if err != nil {
		return nil, err
	}
	defer in.Close() //nolint:errcheck // only read
	args, err := value.ReadAll(in)
	return &benchCase{strings.TrimSuffix(filepath.Base(part[0]), ".fut"), part[1], prog, args}, err
}

// setting says how programs are timed.
type setting struct {
	device string
	runs   int
	rounds int
	limit  time.Duration
	passes []string // that are left out
}

// rows prints the row of all passes, and one for each that is left out.
func (c *benchCase) rows(w *csv.Writer, how setting) error {
	names := append([]string{""}, how.passes...)
	best := make([]measured, len(names))
	var want []value.Value
	for round := range how.rounds {
		for i, name := range names {
			m, got, err := c.run(name, how)
			if err != nil {
				return fmt.Errorf("without %q: %w", name, err)
			}
			if want == nil {
				want = got
			}
			for k := range want {
				if e := value.RelativeError(got[k], want[k]); e > 1e-3 {
					return fmt.Errorf("without %q: result %d differs: relative error %g", name, k, e)
				}
			}
			if round == 0 || m.us < best[i].us {
				best[i] = m
			}
		}
	}
	for i, name := range names {
		if err := w.Write(c.row(name, best[i], best[0])); err != nil {
			return err
		}
	}
	return nil
}

func (c *benchCase) row(without string, m, all measured) []string {
	return []string{
		c.name, without, fmt.Sprintf("%.0f", m.us), fmt.Sprintf("%.2f", m.us/all.us),
		strconv.FormatInt(m.launches, 10), strconv.FormatInt(m.waits, 10), strconv.FormatInt(m.peak, 10),
	}
}

// measured is what one call costs.
type measured struct {
	us              float64 // the median, without reading the results back
	launches, waits int64
	peak            int64 // bytes in use at most
}

// run compiles the program without a pass, calls it on a device that nothing else has used, and times calls of it.
func (c *benchCase) run(without string, how setting) (m measured, results []value.Value, err error) {
	opts := compiler.CompileOptions{}
	if without != "" {
		opts.Without = []string{without}
	}
	compiled, d := compiler.Compile(c.prog, opts)
	if d != nil {
		return m, nil, d
	}
	dev, note, err := compiler.OpenDevice(compiler.DeviceOptions{Name: how.device})
	if err != nil {
		return m, nil, err
	}
	defer dev.Close() //nolint:errcheck // all results are in
	if note != "" {
		fmt.Fprintln(os.Stderr, "passes:", note)
	}
	p, err := compiled.On(dev)
	if err != nil {
		return m, nil, err
	}
	defer p.Close() //nolint:errcheck // all results are in
	if results, err = p.Call(c.entry, c.args); err != nil {
		return m, nil, err
	}
	m, err = timed(dev, p, c, how)
	return m, results, err
}

// timed calls an entry point again and again with arguments that are on the device.
func timed(dev device.Device, p *host.Program, c *benchCase, how setting) (m measured, err error) {
	up, err := p.Upload(c.entry, c.args)
	if err != nil {
		return m, err
	}
	defer p.FreeArgs(up)
	if err := device.WarmUp(dev, device.WarmUpTime); err != nil {
		return m, err
	}
	var times []float64
	for end := time.Now().Add(how.limit); len(times) < how.runs && (time.Now().Before(end) || len(times) == 0); {
		before, start := dev.Stats(), time.Now()
		r, err := p.Run(up)
		if err != nil {
			return m, err
		}
		times = append(times, float64(time.Since(start).Nanoseconds())/1000)
		p.FreeResults(r)
		after := dev.Stats()
		m.launches, m.waits = after.Launches-before.Launches, after.Syncs-before.Syncs
		m.peak = after.Peak
	}
	slices.Sort(times)
	m.us = times[len(times)/2]
	return m, nil
}
