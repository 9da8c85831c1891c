package devicetest

import (
	"errors"
	"testing"

	"skald/runtime/device"
)

// WantFault checks the class of an error and that it says what to do about it. The mistakes of a caller, device.Misuse, need no hint:
// the contract says what is right.
func WantFault(t *testing.T, what string, err error, want device.Fault) {
	t.Helper()
	var e *device.Error
	if !errors.As(err, &e) || e.Fault != want {
		t.Errorf("%s: got %v, want %v", what, err, want)
		return
	}
	if e.Hint == "" && want != device.Misuse {
		t.Errorf("%s: the error does not say what to do: %v", what, err)
	}
	t.Log(err)
}
