//go:build !windows

package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime is the time that this process has had on all processors.
func processorTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return time.Since(started)
	}
	return time.Duration(t.Nano())
}
