package main

import "time"

// processorTime is the clock's: compiled code does not run on Windows.
func processorTime() time.Duration { return time.Since(started) }
