package autotune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"skald/middle/core"
	"skald/tooling/bench"
)

// Note [Threshold paths]
// ~~~~~~~~~~~~~~~~~~~~~~
// Which thresholds a run meets depends on others: the versions inside of one are behind its guard. With all thresholds too high to be
// reached, a run goes down the path of guards that all say no, and meets every threshold on it, the outer ones first. So thresholds
// are tuned in the reverse of the order in which they are met, each below those that are tuned already; the others stay out of reach.
// What is only met behind a guard that says yes is found by running again with what is tuned, until nothing new comes.
//
// Only the numbers that a threshold is compared with matter: a value between two of them decides like the larger one. For each data
// set and each value that decides differently the time is measured; the value is taken that makes the product of the times, each
// relative to the best of its data set, smallest. When the budget is used up, the search ends: what is not tuned then keeps its default.
// In the end all is compared with the defaults: see Note [Comparing with the defaults].

// OutOfReach is a threshold that no number of points reaches.
const OutOfReach = 2_000_000_000

// Options say how the search is done.
type Options struct {
	// Runs is the least number of runs of each measurement.
	Runs int
	// Timeout bounds the first measurement of a data set; later ones may take a fifth more than the best so far.
	Timeout time.Duration
	// Budget, if not 0, is how long the search may take; the comparison with the defaults comes after it.
	Budget time.Duration
	// Again, if set, opens the device again with the program on it, after a run that nothing could end has made it useless.
	Again func() (*bench.Loaded, error)
	// Say, if set, hears what is done.
	Say func(format string, args ...any)
}

// search is a search under way.
type search struct {
	ctx    context.Context
	l      *bench.Loaded // the program on the device, which may have been opened again
	o      Options
	end    time.Time // of the search; zero is never
	cases  []bench.Case
	limits []time.Duration // by case
	best   []float64       // by case, in microseconds
	tuned  map[string]int64
	before map[string]int64  // defaults
	met    []map[string]bool // by case, the thresholds that it has been seen to meet
}

// errBudget says that the search has used up its budget.
var errBudget = errors.New("the budget is used up")

// Tune finds values for the thresholds of a program.
func Tune(ctx context.Context, l *bench.Loaded, cases []bench.Case, o Options) (*Outcome, error) {
	s := &search{ctx: ctx, l: l, o: o, tuned: map[string]int64{}, before: map[string]int64{}}
	defer func() { s.l.Release() }()
	if s.o.Say == nil {
		s.o.Say = func(string, ...any) {}
	}
	if o.Budget > 0 {
		s.end = time.Now().Add(o.Budget)
	}
	for _, t := range l.Host.Tunes() {
		if t.Class != core.ClassParam {
			s.before[t.Name] = t.Default
		}
	}
	if len(s.before) == 0 {
		return &Outcome{}, nil
	}
	for i, c := range cases {
		s.cases = append(s.cases, c)
		s.limits = append(s.limits, o.Timeout)
		s.best = append(s.best, math.Inf(1))
		s.met = append(s.met, map[string]bool{})
		t, err := s.time(i)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("%s: %w", c.Name(), err)
		}
		s.o.Say("%s with the defaults: %.0f µs", c.Name(), t)
	}
	if err := s.explore(); err != nil {
		if !errors.Is(err, errBudget) {
			return nil, err
		}
		s.o.Say("the search ends after %v: thresholds that are not tuned keep their defaults", o.Budget)
	}
	return s.finish()
}

// explore tunes threshold after threshold, until no run meets one that is not tuned.
func (s *search) explore() error {
	for {
		met, err := s.discover()
		if err != nil || len(met) == 0 {
			return err
		}
		for _, m := range slices.Backward(met) {
			if err := s.tune(m); err != nil {
				return err
			}
		}
	}
}

// meeting is a threshold with the numbers that each data set compares it with.
type meeting struct {
	name  string
	sizes [][]int64
}

// discover runs all data sets with what is tuned and all else out of reach, and lists the thresholds that are met and not tuned, in order.
func (s *search) discover() ([]*meeting, error) {
	var found []*meeting
	s.set("", 0)
	for i, c := range s.cases {
		if s.over() {
			return nil, errBudget
		}
		note := func(name string, with int64) {
			if _, ok := s.before[name]; !ok {
				return
			}
			s.met[i][name] = true
			if _, ok := s.tuned[name]; ok {
				return
			}
			at := slices.IndexFunc(found, func(m *meeting) bool { return m.name == name })
			if at < 0 {
				at = len(found)
				found = append(found, &meeting{name, make([][]int64, len(s.cases))})
			}
			if !slices.Contains(found[at].sizes[i], with) {
				found[at].sizes[i] = append(found[at].sizes[i], with)
			}
		}
		s.l.Host.WatchTunes(note)
		_, err := s.l.Measure(s.ctx, c, bench.Method{Runs: 1, Timeout: s.o.Timeout, Unchecked: true, Hold: true})
		s.l.Host.WatchTunes(nil)
		if s.ctx.Err() != nil {
			return nil, s.ctx.Err()
		}
		if err != nil {
			s.o.Say("%s fails with all thresholds out of reach: %v", c.Name(), err)
			if err := s.recover(i, err); err != nil {
				return nil, err
			}
			s.set("", 0)
		}
	}
	return found, nil
}

// defaults sets all thresholds to their defaults.
func (s *search) defaults() {
	for n, v := range s.before {
		_ = s.l.Host.SetTune(n, v) // it is one of the program's
	}
}

// set sets what is tuned, one threshold besides, and all others out of reach.
func (s *search) set(name string, value int64) {
	for n := range s.before {
		v, ok := s.tuned[n]
		switch {
		case n == name:
			v = value
		case !ok:
			v = OutOfReach
		}
		_ = s.l.Host.SetTune(n, v) // it is one of the program's
	}
}

// most is how many numbers of a data set are told apart; of more, some are chosen.
const most = 8

// tune finds the value of one threshold.
func (s *search) tune(m *meeting) error {
	var values []int64
	for _, sizes := range m.sizes {
		slices.Sort(sizes)
		for i, size := range sizes {
			if len(sizes) <= most || i%(len(sizes)/most+1) == 0 {
				values = append(values, size)
			}
		}
	}
	slices.Sort(values)
	values = append(slices.Compact(values), OutOfReach)
	cost := make([]float64, len(values))
	for i := range s.cases {
		if len(m.sizes[i]) == 0 {
			continue
		}
		times, err := s.times(i, m, values)
		if err != nil {
			return err
		}
		best := slices.Min(times)
		for j, t := range times {
			cost[j] += math.Log(t / best)
		}
	}
	// Of values that cost the same the highest: what decides for a size that no data set has is then the more parallel version.
	chosen := len(values) - 1
	for j := len(values) - 1; j >= 0; j-- {
		if cost[j] < cost[chosen] {
			chosen = j
		}
	}
	s.tuned[m.name] = values[chosen]
	s.o.Say("%s=%d", m.name, values[chosen])
	return nil
}

// times measures a data set with each value of a threshold. Values that decide alike are measured once; what fails takes for ever.
func (s *search) times(i int, m *meeting, values []int64) ([]float64, error) {
	out := make([]float64, len(values))
	known := map[int]float64{}
	for j, v := range values {
		taken := 0 // how many of the numbers reach it
		for _, size := range m.sizes[i] {
			if size >= v {
				taken++
			}
		}
		if _, ok := known[taken]; !ok {
			t, err := s.with(i, m.name, v)
			if err != nil {
				return nil, err
			}
			known[taken] = t
		}
		out[j] = known[taken]
	}
	return out, nil
}

// with is the time of a data set with one threshold set besides those that are tuned.
func (s *search) with(i int, name string, value int64) (float64, error) {
	if s.over() {
		return 0, errBudget
	}
	c := s.cases[i]
	s.set(name, value)
	t, err := s.time(i)
	switch {
	case s.ctx.Err() != nil:
		return 0, s.ctx.Err()
	case err != nil:
		s.o.Say("%s with %s=%d: %v", c.Name(), name, value, err)
		return math.MaxFloat32, s.recover(i, err)
	}
	s.o.Say("%s with %s=%d: %.0f µs", c.Name(), name, value, t)
	return t, nil
}

// recover opens the device again if a run has made it useless, and waits until it is as fast as before: that run may go on for a while.
func (s *search) recover(i int, failed error) error {
	if !s.l.Stuck() {
		return nil
	}
	useless := fmt.Errorf("the device is of no more use: %w", failed)
	if s.o.Again == nil {
		return useless
	}
	s.o.Say("the device is opened again")
	l, err := s.o.Again()
	if err != nil {
		return errors.Join(useless, err)
	}
	s.l = l
	s.defaults()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		res, err := s.l.Measure(s.ctx, s.cases[i], bench.Method{Runs: 1, Timeout: patience, Unchecked: true, Hold: true})
		switch {
		case s.ctx.Err() != nil:
			return s.ctx.Err()
		case err != nil:
			return errors.Join(useless, err)
		case res.Times[0] < hopeless*s.best[i]:
			return nil
		}
	}
	return useless
}

// patience is how long a run that nothing could end may go on.
const patience = 2 * time.Minute

// over reports whether the budget is used up.
func (s *search) over() bool { return !s.end.IsZero() && time.Now().After(s.end) }

// A measurement of the search ends after enough microseconds and three runs; and after a run that takes hopeless times as long as the
// best median of its data set: such a value is not taken, however long exactly it takes.
const (
	enough   = 500_000
	hopeless = 2
)

// time is the median time of a data set as thresholds are set, in microseconds.
func (s *search) time(i int) (float64, error) {
	sum := 0.0
	stop := func(times []float64) bool {
		last := times[len(times)-1]
		sum += last
		return last > hopeless*s.best[i] || sum > enough && len(times) >= 3
	}
	res, err := s.l.Measure(s.ctx, s.cases[i],
		bench.Method{Runs: s.o.Runs, Timeout: s.limits[i], Unchecked: true, Hold: true, Stop: stop})
	if err != nil {
		return 0, err
	}
	t := median(res.Times)
	s.best[i] = min(s.best[i], t)
	// A fifth more than this, for all runs, and some seconds in which kernels may have to be compiled.
	s.limits[i] = min(s.limits[i], time.Duration(1.2*t*float64(s.o.Runs+3))*time.Microsecond+3*time.Second)
	return t, nil
}

func median(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}
