package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"skald/runtime/device"
	"skald/runtime/host"
)

// warnSlow says why the program runs slower than it could: nobody should have to wonder.
func warnSlow(why string) {
	fmt.Fprintf(os.Stderr, "%s: Warning: %s\n", os.Args[0], strings.Join(strings.Fields(why), " "))
}

// note says what is being done, where that is asked for.
func (f *programFlags) note(format string, args ...any) {
	if f.log || f.debug {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
	}
}

// noteLaunch says what --debugging reports of a launch.
func noteLaunch(l host.Launched) {
	fmt.Fprintf(os.Stderr, "launch %s: %d workgroups of %d threads: %v\n", l.Kernel, l.Groups, l.GroupSize, l.Time.Round(time.Microsecond))
}

// printProfile prints what the device counted, and the times of kernels, those that took longest first: their mean, and the median, in
// which a first launch does not count.
func printProfile(w io.Writer, dev device.Device) {
	type total struct {
		name  string
		time  time.Duration
		times []time.Duration
	}
	var totals []total
	for _, t := range dev.Timings() {
		i := slices.IndexFunc(totals, func(k total) bool { return k.name == t.Kernel })
		if i < 0 {
			i = len(totals)
			totals = append(totals, total{name: t.Kernel})
		}
		totals[i].time += t.Time
		totals[i].times = append(totals[i].times, t.Time)
	}
	slices.SortStableFunc(totals, func(a, b total) int { return int(b.time - a.time) })
	for _, t := range totals {
		slices.Sort(t.times)
		n, round := len(t.times), 10*time.Nanosecond
		mean, median := (t.time / time.Duration(n)).Round(round), t.times[n/2].Round(round)
		fmt.Fprintf(w, "kernel %-32s %6d x %12v, median %v\n", t.name, n, mean, median)
	}
	s := dev.Stats()
	fmt.Fprintf(w, "dispatches %d\nsubmits %d\nsyncs %d\npipelines %d\ncopies %d\n", s.Launches, s.Submits, s.Syncs, s.Pipelines, s.Copies)
	fmt.Fprintf(w, "bytes uploaded %d\nbytes downloaded %d\n", s.Uploaded, s.Downloaded)
	fmt.Fprintf(w, "bytes allocated %d\nbytes in use at most %d\nallocations reused %d\n", s.Allocated, s.Peak, s.Reused)
}
