package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/value"
	"skald/tooling/evaluate"
	"skald/tooling/spec"
)

// Method says how a case is measured. Zero times mean none.
type Method struct {
	// Runs and Time are the least of the first phase; both must be reached.
	Runs int
	Time time.Duration
	// Converge runs a second phase if the times of the first do not agree well enough, for at most Longest.
	Converge bool
	Longest  time.Duration
	// Timeout bounds all runs of a case; 0 is for ever.
	Timeout time.Duration
	// Profile adds a run that is only profiled; the device must have been opened for it.
	Profile bool
	// Unchecked leaves out the comparison with the results that the test block expects.
	Unchecked bool
	// Hold leaves the arguments on the device for later measurements of the case, in which neither are they read again nor is the device
	// warmed up, which has just been at work. Of several cases the latest are left, in a gigabyte together.
	Hold bool
	// Stop, if set, ends the first phase early: it is called with the times so far.
	Stop func(times []float64) bool
	// Each, if set, hears of each measured run.
	Each func(Progress)
}

// Progress is how far a measurement is.
type Progress struct {
	Runs int
	Mean float64 // so far, in microseconds
	// Done is the share of the first phase; in the second it is 1, and Error is the relative error of the mean.
	Done, Error float64
}

// Result is what was measured of a case.
type Result struct {
	// Times are the microseconds of each run.
	Times []float64
	// Memory is the most bytes that the program held on the device.
	Memory int64
	// Moved is how many bytes arguments and results have: what a run at least reads and writes.
	Moved int64
	// Profile is what the profiled run did; nil if there was none.
	Profile *Profile
}

// Measure measures one case.
func (l *Loaded) Measure(ctx context.Context, c Case, m Method) (*Result, error) {
	if m.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, m.Timeout)
		defer cancel()
	}
	var out *Result
	err := l.within(ctx, func() error {
		run, err := l.prepare(ctx, c)
		if err != nil {
			return err
		}
		hold := false
		defer func() {
			if !hold {
				run.free()
			}
		}()
		if out, err = run.measure(m); err == nil && m.Hold {
			hold = true
			l.keep(run)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Release frees what measurements have left on the device for later ones.
func (l *Loaded) Release() {
	for _, r := range l.recent {
		r.free()
	}
	l.recent = nil
}

// room is how many bytes held measurements take together.
const room = 1 << 30

// keep leaves a measurement's arguments on the device, and frees those of the longest ago that there is no room for.
func (l *Loaded) keep(r *run) {
	l.recent = append(l.recent, r)
	for len(l.recent) > 1 && l.held.current() > room {
		l.recent[0].free()
		l.recent = l.recent[1:]
	}
}

// Inputs returns the arguments of a case.
func (l *Loaded) Inputs(ctx context.Context, v *spec.Values) ([]value.Value, error) {
	p := &evaluate.Program{Types: l.Types, Dir: filepath.Dir(l.File), Call: func(entry string, args []value.Value) ([]value.Value, error) {
		return l.Host.CallContext(ctx, entry, args)
	}}
	return p.Values(v)
}

// run is a case that is being measured.
type run struct {
	l      *Loaded
	ctx    context.Context
	c      Case
	inputs []value.Value
	args   *host.Args
	// consumes says that the entry point overwrites arguments, which are then brought to the device for each run.
	consumes bool
	// warm says that the device has just run it.
	warm bool
	last *host.Results
}

// prepare brings the arguments of a case to the device, unless they are there from an earlier measurement.
func (l *Loaded) prepare(ctx context.Context, c Case) (*run, error) {
	held := func(r *run) bool { return reflect.DeepEqual(r.c, c) }
	if at := slices.IndexFunc(l.recent, held); at >= 0 {
		r := l.recent[at]
		l.recent = slices.Delete(l.recent, at, at+1)
		r.ctx, r.warm = ctx, true
		l.held.reset()
		return r, nil
	}
	entry := l.Host.Entry(c.Entry)
	if entry == nil {
		return nil, fmt.Errorf("there is no entry point %q", c.Entry)
	}
	r := &run{l: l, ctx: ctx, c: c}
	var err error
	if r.inputs, err = l.Inputs(ctx, &c.Input); err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	r.consumes = slices.ContainsFunc(entry.Params, func(p imp.EntryValue) bool { return p.Unique })
	l.held.reset()
	r.args, err = l.Host.Upload(c.Entry, r.inputs)
	return r, err
}

func (r *run) free() {
	if r.l.busy.Load() {
		return
	}
	if r.last != nil {
		r.l.Host.FreeResults(r.last)
	}
	if r.args != nil {
		r.l.Host.FreeArgs(r.args)
	}
}

// once runs the entry point, and says how long it took.
func (r *run) once() (time.Duration, error) {
	if r.last != nil {
		r.l.Host.FreeResults(r.last)
		r.last = nil
	}
	call := r.l.Host.RunContext
	if r.consumes {
		call = r.l.Host.RunLast
	}
	if r.args == nil {
		var err error
		if r.args, err = r.l.Host.Upload(r.c.Entry, r.inputs); err != nil {
			return 0, err
		}
	}
	if err := r.l.dev.Sync(); err != nil {
		return 0, err
	}
	start := time.Now()
	results, err := call(r.ctx, r.args)
	took := time.Since(start)
	if err != nil {
		return 0, err
	}
	r.last = results
	if r.consumes {
		r.l.Host.FreeArgs(r.args)
		r.args = nil
	}
	return took, nil
}

// measure runs the case as often as the method asks for. Before the first run, which is not measured, the device comes to its full clock.
func (r *run) measure(m Method) (*Result, error) {
	if !r.warm {
		if err := device.WarmUp(r.l.dev, device.WarmUpTime); err != nil {
			return nil, err
		}
	}
	if _, err := r.once(); err != nil {
		return nil, err
	}
	out := &Result{}
	if err := r.check(m, out); err != nil {
		return nil, err
	}
	var err error
	if out.Times, err = r.times(m); err != nil {
		return nil, err
	}
	out.Memory = r.l.held.peak()
	if m.Profile {
		out.Profile, err = r.profile()
	}
	return out, err
}

// times measures runs in one phase or two.
func (r *run) times(m Method) ([]float64, error) {
	var times []float64
	start := time.Now()
	runs := max(m.Runs, 1)
	for len(times) < runs || time.Since(start) < m.Time {
		t, err := r.once()
		if err != nil {
			return nil, err
		}
		times = append(times, microseconds(t))
		m.tell(times, min(float64(len(times))/float64(runs), share(time.Since(start), m.Time)), 0)
		if m.Stop != nil && m.Stop(times) {
			break
		}
	}
	if !m.Converge || converged(times) {
		return times, nil
	}
	// The first runs are what made the times disagree, often enough.
	more := max(len(times)/2, m.Runs)
	times = nil
	for start = time.Now(); ; more = len(times) / 2 {
		for range max(more, 1) {
			t, err := r.once()
			if err != nil {
				return nil, err
			}
			times = append(times, microseconds(t))
			m.tell(times, 1, relativeError(times))
		}
		if converged(times) || time.Since(start) > m.Longest {
			return times, nil
		}
	}
}

func (m Method) tell(times []float64, done, e float64) {
	if m.Each != nil {
		m.Each(Progress{Runs: len(times), Mean: Mean(times), Done: done, Error: e})
	}
}

func microseconds(t time.Duration) float64 { return float64(t.Nanoseconds()) / 1e3 }

// share is how much of a time has passed.
func share(passed, all time.Duration) float64 {
	if all <= 0 {
		return 1
	}
	return min(float64(passed)/float64(all), 1)
}

// check compares the results of the run that was not measured with those that the test block has, and counts bytes.
func (r *run) check(m Method, out *Result) error {
	got, err := r.l.Host.Streams(r.last)
	if err != nil {
		return err
	}
	for _, s := range got {
		out.Moved += s.Bytes()
	}
	for _, v := range r.inputs {
		out.Moved += int64(len(v.Bytes()))
	}
	if m.Unchecked || r.c.Want.Kind != spec.WantValues {
		return nil
	}
	want, err := r.l.Inputs(r.ctx, &r.c.Want.Values)
	if err != nil {
		return fmt.Errorf("expected output: %w", err)
	}
	values, err := r.l.Host.Download(r.last)
	if err != nil {
		return err
	}
	if len(values) != len(want) {
		return fmt.Errorf("%d results, but %d are expected", len(values), len(want))
	}
	for i := range values {
		if d := value.Compare(values[i], want[i], value.DefaultTolerance); d != nil {
			return fmt.Errorf("result %d is wrong: %v", i, d)
		}
	}
	return nil
}
