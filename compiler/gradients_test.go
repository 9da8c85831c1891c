package compiler_test

import (
	"os"
	"testing"

	"skald/compiler"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// TestGradientsStayWithinTheirLaunches counts what ten gradients ask a device for: kernels, and bytes in use at most besides arguments.
func TestGradientsStayWithinTheirLaunches(t *testing.T) {
	const n = 1 << 10
	f64s := func(shape ...int) value.Value { return value.New(prim.F64, shape...) }
	text, err := os.ReadFile("testsuite/programs/derivatives/gradients.fut")
	if err != nil {
		t.Fatal(err)
	}
	native := compiler.DeviceProfile("native")
	native.Facts.Kind, native.Facts.MaxParams = device.Null, 64<<10
	for _, c := range []struct {
		entry string
		args  []value.Value
		// launches and bytes are the most; in comments those that there were when derivatives were taken of code as it is written.
		launches, bytes int64
	}{
		{"squares", []value.Value{f64s(n)}, 1, 8192},                                         // 1, 8192
		{"logsumexp", []value.Value{f64s(n)}, 6, 8256},                                       // 12, 32784
		{"stencil", []value.Value{f64s(n)}, 2, 8192},                                         // 5, 8413184
		{"prefix", []value.Value{f64s(n)}, 8, 16400},                                         // 8, 16400
		{"horner", []value.Value{f64s(n), f64s(8)}, 4, 65664},                                // 2, 65600
		{"logistic", []value.Value{f64s(n, 32), f64s(n), f64s(32)}, 5, 16640},                // 4, 16640
		{"layers", []value.Value{f64s(n, 32), f64s(32, 16), f64s(32), f64s(16)}, 11, 274560}, // 5, 4477312
		{"clusters", []value.Value{f64s(n, 4), f64s(16, 4)}, 6, 140288},                      // 6, 393728
		{"embedding", []value.Value{value.New(prim.I64, n), f64s(n, 8)}, 3, 65536},           // 8, 67239936
		{"products", []value.Value{f64s(64, 32), f64s(32, 64)}, 6, 81920},                    // 5, 81920
	} {
		t.Run(c.entry, func(t *testing.T) {
			dev := device.NewRecorder(*native.Facts)
			p, err := compile(t, string(text)).On(native.Target.On(dev))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			before := dev.Stats()
			if _, err := p.Call(c.entry, c.args); err != nil {
				t.Fatal(err)
			}
			s := dev.Stats()
			bytes := s.Peak - before.InUse
			for _, a := range c.args {
				bytes -= int64(len(a.Bytes()))
			}
			if waits := s.Syncs - before.Syncs; waits > 1 {
				t.Errorf("%d waits", waits)
			}
			if got := s.Launches - before.Launches; got > c.launches || bytes > c.bytes {
				t.Errorf("%d launches and %d bytes, at most %d and %d are expected", got, bytes, c.launches, c.bytes)
			}
		})
	}
}
