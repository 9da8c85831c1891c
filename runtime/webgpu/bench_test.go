package webgpu

import (
	"os"
	"testing"

	"skald/runtime/device/devicetest"
)

func BenchmarkDevice(b *testing.B) {
	all := configurations
	if os.Getenv("SKALD_TEST_GPU") != "" {
		all = append(all, gpus...)
	}
	for _, c := range all {
		b.Run(c.name, func(b *testing.B) {
			d, err := Open(c.options)
			if err != nil {
				b.Skipf("SKIPPED: %v", err)
			}
			devicetest.Bench(b, d, scaleText)
			if err := d.Close(); err != nil {
				b.Error(err)
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	o := configurations[0].options
	if os.Getenv("SKALD_TEST_GPU") != "" {
		o = Options{}
	}
	for b.Loop() {
		d, err := Open(o)
		if err != nil {
			b.Skipf("SKIPPED: %v", err)
		}
		if err := d.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
