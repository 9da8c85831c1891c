package cuda

import (
	"testing"

	"skald/runtime/device/devicetest"
)

func BenchmarkDevice(b *testing.B) {
	d, err := Open(Options{})
	if err != nil {
		b.Skipf("SKIPPED: %v", err)
	}
	devicetest.Bench(b, d, scaleText)
	if err := d.Close(); err != nil {
		b.Error(err)
	}
}
