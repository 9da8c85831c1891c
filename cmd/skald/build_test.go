package main

import (
	"errors"
	"os"
	"runtime"
	"testing"
	"time"
)

func TestAnInterruptWaitsForWhatIsBeingWritten(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: a process cannot interrupt itself here")
	}
	done := false
	err := uninterrupted(func() error {
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		if err := self.Signal(os.Interrupt); err != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond) // until it has arrived
		done = true
		return nil
	})
	var f *failure
	if !done || !errors.As(err, &f) || f.text != "interrupted" {
		t.Errorf("done: %v; the error is %v, want that it was interrupted", done, err)
	}
}
