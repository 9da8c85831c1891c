// Package autotune finds values of a program's thresholds: `skald autotune`.
//
// A threshold decides between versions of nested parallelism: a version that is parallel outside alone runs where the threshold is at
// most the number of points there. Tune takes a program on a device and cases with inputs, and finds assignments that make them fast:
// see Note [Threshold paths]. It imports tooling/bench, which measures.
package autotune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
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
// relative to the best of its data set, smallest. In the end all is compared with the defaults: if a data set has become slower beyond
// noise, the thresholds that it meets go back to their defaults, and all others are compared again.

// OutOfReach is a threshold that no number of points reaches.
const OutOfReach = 2_000_000_000

// Options say how the search is done.
type Options struct {
	// Runs is the least number of runs of each measurement.
	Runs int
	// Timeout bounds the first measurement of a data set; later ones may take a fifth more than the best so far.
	Timeout time.Duration
	// Say, if set, hears what is done.
	Say func(format string, args ...any)
}

// Outcome is what the search has found.
type Outcome struct {
	// Names are the thresholds that were tuned, in order, and Values what they are set to.
	Names  []string
	Values map[string]int64
	// Datasets are the data sets with their times before and after.
	Datasets []Dataset
	// Kept are data sets that became slower, so that the thresholds that they meet have their defaults.
	Kept []string
}

// Dataset is the time of a data set, in microseconds, with the defaults and with what was found.
type Dataset struct {
	Name          string
	Before, After float64
}

// search is a search under way.
type search struct {
	ctx    context.Context
	l      *bench.Loaded
	o      Options
	cases  []bench.Case
	limits []time.Duration // by case
	tuned  map[string]int64
	names  []string
	before map[string]int64 // defaults
	met    []map[string]bool
}

// Tune finds values for the thresholds of a program.
func Tune(ctx context.Context, l *bench.Loaded, cases []bench.Case, o Options) (*Outcome, error) {
	s := &search{ctx: ctx, l: l, o: o, tuned: map[string]int64{}, before: map[string]int64{}}
	defer l.Release()
	if s.o.Say == nil {
		s.o.Say = func(string, ...any) {}
	}
	for _, t := range l.Host.Tunes() {
		if t.Class != core.ClassParam {
			s.before[t.Name] = t.Default
		}
	}
	if len(s.before) == 0 {
		return &Outcome{}, nil
	}
	for _, c := range cases {
		if _, err := s.time(c, o.Timeout); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("%s: %w", c.Name(), err)
		}
		s.cases = append(s.cases, c)
		s.limits = append(s.limits, o.Timeout)
		s.met = append(s.met, map[string]bool{})
	}
	for {
		met, err := s.discover()
		if err != nil {
			return nil, err
		}
		if len(met) == 0 {
			return s.finish()
		}
		for _, m := range slices.Backward(met) {
			if err := s.tune(m); err != nil {
				return nil, err
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
		note := func(name string, with int64) {
			s.met[i][name] = true
			if _, ok := s.tuned[name]; ok {
				return
			}
			if _, ok := s.before[name]; !ok {
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
		}
	}
	return found, nil
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
	for i, c := range s.cases {
		if len(m.sizes[i]) == 0 {
			continue
		}
		times, err := s.times(c, i, m, values)
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
	s.names = append(s.names, m.name)
	s.o.Say("%s=%d", m.name, values[chosen])
	return nil
}

// times measures a data set with each value of a threshold. Values that decide alike are measured once; what fails takes for ever.
func (s *search) times(c bench.Case, i int, m *meeting, values []int64) ([]float64, error) {
	out := make([]float64, len(values))
	known := map[int]float64{}
	for j, v := range values {
		taken := 0 // how many of the numbers reach it
		for _, size := range m.sizes[i] {
			if size >= v {
				taken++
			}
		}
		t, ok := known[taken]
		if !ok {
			s.set(m.name, v)
			var err error
			t, err = s.time(c, s.limits[i])
			if s.ctx.Err() != nil {
				return nil, s.ctx.Err()
			}
			if err != nil {
				s.o.Say("%s with %s=%d: %v", c.Name(), m.name, v, err)
				t = math.MaxFloat32
				if s.l.Stuck() {
					return nil, errors.New("the device is of no more use: " + err.Error())
				}
			} else {
				s.o.Say("%s with %s=%d: %.0f µs", c.Name(), m.name, v, t)
				// A fifth more than this, for all runs, and a second.
				s.limits[i] = min(s.limits[i], time.Duration(1.2*t*float64(s.o.Runs+3))*time.Microsecond+time.Second)
			}
			known[taken] = t
		}
		out[j] = t
	}
	return out, nil
}

// time is the median time of a data set as thresholds are set, in microseconds.
func (s *search) time(c bench.Case, limit time.Duration) (float64, error) {
	res, err := s.l.Measure(s.ctx, c, bench.Method{Runs: s.o.Runs, Timeout: limit, Unchecked: true, Hold: true})
	if err != nil {
		return 0, err
	}
	return median(res.Times), nil
}

func median(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

// slower is how much more time is not noise.
const slower = 1.05

// finish compares with the defaults. See Note [Threshold paths].
func (s *search) finish() (*Outcome, error) {
	out := &Outcome{Values: s.tuned, Names: s.names}
	slices.SortFunc(out.Names, cmp.Compare[string])
	for i := 0; i < len(s.cases); i++ {
		c := s.cases[i]
		before, after, err := s.both(c)
		if err == nil && after > slower*before { // perhaps by chance
			before, after, err = s.both(c)
		}
		if err != nil {
			return nil, err
		}
		if kept := slices.Contains(out.Kept, c.Name()); kept {
			after = before // it runs with defaults now
		} else if after > slower*before {
			s.o.Say("%s became slower, %.0f µs after %.0f: its thresholds keep their defaults", c.Name(), after, before)
			out.Kept = append(out.Kept, c.Name())
			for name := range s.met[i] {
				if v, ok := s.before[name]; ok {
					s.tuned[name] = v
				}
			}
			// Others were compared with what those thresholds were before.
			out.Datasets, i = nil, -1
			continue
		}
		out.Datasets = append(out.Datasets, Dataset{c.Name(), before, after})
	}
	return out, nil
}

// both measures a data set with the defaults, and with what was found.
func (s *search) both(c bench.Case) (before, after float64, err error) {
	for n, v := range s.before {
		_ = s.l.Host.SetTune(n, v) // it is one of the program's
	}
	if before, err = s.time(c, 0); err != nil {
		return 0, 0, err
	}
	s.set("", 0)
	after, err = s.time(c, 0)
	return before, after, err
}

// File is the text of a tuning file.
func (o *Outcome) File() string {
	var b strings.Builder
	for _, name := range o.Names {
		if o.Values[name] == core.TuneUnset {
			continue // costs decide
		}
		fmt.Fprintf(&b, "%s=%d\n", name, o.Values[name])
	}
	return b.String()
}
