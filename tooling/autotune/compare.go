package autotune

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"skald/tooling/bench"
)

// Note [Comparing with the defaults]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The search may choose wrongly: it measures each value at another moment, and one threshold after the other. So in the end each data
// set runs with the defaults and with what was found, in turn, and the ratios of such pairs are what counts: their median has a
// confidence interval from order statistics, whatever their distribution. A data set is slower (faster) if all of the interval says so
// by more than 2 %. The thresholds that a slower one meets go back to their defaults, and so do those that no faster one meets: they
// win nothing. Then all is compared again, since what is left may mean something else without them. Each time there are fewer, so
// this ends.

// Outcome is what the search has found.
type Outcome struct {
	// Met is how many thresholds the data sets meet.
	Met int
	// Values are the thresholds that do not keep their defaults.
	Values map[string]int64
	// Datasets are the data sets with their times before and after.
	Datasets []Dataset
}

// Dataset is the time of a data set, in microseconds, with the defaults and with what was found.
type Dataset struct {
	Name          string
	Before, After float64
	Change        Change
}

// Change is the median of the ratios of times after to times before, and its 95 % confidence interval.
type Change struct{ Median, Low, High float64 }

// margin is a ratio that is of no account.
const margin = 1.02

// Slower reports whether times are longer beyond noise.
func (c Change) Slower() bool { return c.Low > margin }

// Faster reports whether times are shorter beyond noise.
func (c Change) Faster() bool { return c.High < 1/margin }

// changeOf is the change between pairs of times. There are at least fewest.
func changeOf(before, after []float64) Change {
	ratios := make([]float64, len(before))
	for i := range before {
		ratios[i] = after[i] / before[i]
	}
	slices.Sort(ratios)
	n := len(ratios)
	// The median lies between the k-th of the smallest and of the largest unless fewer than k ratios are on one of its sides: as
	// often as n throws of a coin show fewer than k heads.
	const tail = 0.025
	k, below := 0, math.Pow(0.5, float64(n))
	for term := below; below <= tail; below += term {
		k++
		term *= float64(n-k+1) / float64(k)
	}
	k = max(k, 1)
	return Change{median(ratios), ratios[k-1], ratios[n-k]}
}

// A comparison takes at least fewest pairs of runs, with which an interval of 95 % is that of all ratios, then as many as come in a second,
// up to most.
const (
	fewestPairs = 6
	mostPairs   = 40
)

// finish compares with the defaults. See Note [Comparing with the defaults].
func (s *search) finish() (*Outcome, error) {
	met := map[string]bool{}
	for {
		out := &Outcome{Values: s.tuned}
		for i := range s.cases {
			d, err := s.compare(i)
			if err != nil {
				return nil, err
			}
			if d.Change.Slower() {
				s.o.Say("%s became slower, %.0f µs after %.0f: its thresholds keep their defaults", d.Name, d.After, d.Before)
			}
			out.Datasets = append(out.Datasets, d)
			maps.Copy(met, s.met[i])
		}
		before := len(s.tuned)
		giveBack(s.tuned, out.Datasets, s.met)
		if len(s.tuned) == before {
			out.Met = len(met)
			return out, nil
		}
	}
}

// giveBack deletes thresholds that slower data sets meet, and those that no faster one meets.
func giveBack(tuned map[string]int64, sets []Dataset, met []map[string]bool) {
	wins := map[string]bool{}
	for i, d := range sets {
		if d.Change.Faster() {
			maps.Copy(wins, met[i])
		}
	}
	for i, d := range sets {
		if d.Change.Slower() {
			maps.DeleteFunc(wins, func(name string, _ bool) bool { return met[i][name] })
		}
	}
	maps.DeleteFunc(tuned, func(name string, _ int64) bool { return !wins[name] })
}

// compare runs a data set with the defaults and with what was found, in turn.
func (s *search) compare(i int) (Dataset, error) {
	c := s.cases[i]
	var before, after []float64
	for start := time.Now(); len(after) < fewestPairs || len(after) < mostPairs && time.Since(start) < time.Second; {
		t, err := s.once(c, s.before)
		if err != nil {
			return Dataset{}, err
		}
		before = append(before, t)
		if len(after) == 0 {
			s.l.Host.WatchTunes(func(name string, _ int64) {
				if _, ok := s.before[name]; ok {
					s.met[i][name] = true
				}
			})
		}
		t, err = s.once(c, s.tuned)
		s.l.Host.WatchTunes(nil)
		switch {
		case err == nil:
			after = append(after, t)
		case s.ctx.Err() != nil:
			return Dataset{}, s.ctx.Err()
		default: // It runs with the defaults, so this counts as taking for ever.
			s.o.Say("%s with what was found: %v", c.Name(), err)
			never := math.Inf(1)
			return Dataset{c.Name(), median(before), never, Change{never, never, never}}, s.recover(i, err)
		}
	}
	return Dataset{c.Name(), median(before), median(after), changeOf(before, after)}, nil
}

// once is the time of a run with some values of thresholds, the others at their defaults.
func (s *search) once(c bench.Case, values map[string]int64) (float64, error) {
	for name, v := range s.before {
		if set, ok := values[name]; ok {
			v = set
		}
		_ = s.l.Host.SetTune(name, v) // it is one of the program's
	}
	res, err := s.l.Measure(s.ctx, c, bench.Method{Runs: 1, Timeout: s.o.Timeout, Unchecked: true, Hold: true})
	if err != nil {
		return 0, err
	}
	return res.Times[0], nil
}

// File is the text of a tuning file.
func (o *Outcome) File() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(o.Values)) {
		fmt.Fprintf(&b, "%s=%d\n", name, o.Values[name])
	}
	return b.String()
}
