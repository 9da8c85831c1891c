package bench

import (
	"testing"

	"skald/compiler"
)

func TestTheRateOfCopyingIsMeasuredByAProgram(t *testing.T) {
	m, _, err := Open("cpu", compiler.DeviceOptions{Name: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close() //nolint:errcheck // nothing is under way
	rate, err := m.CopyRate()
	if err != nil || rate < 1e6 || rate > 1e14 {
		t.Errorf("%g bytes a second: %v", rate, err)
	}
	if again, err := m.CopyRate(); err != nil || again != rate {
		t.Errorf("measured again: %g, not %g: %v", again, rate, err)
	}
}
