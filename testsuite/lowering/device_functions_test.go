package lowering

import (
	"errors"
	"testing"

	"skald/runtime/host"
	"skald/runtime/value"
)

// The program computes with 1, x, x^2 and x^3 in a device function that another calls, and adds the results up by a third, the
// operator of a reduction. The first checks its second argument, x again.
func TestKernelsCallDeviceFunctions(t *testing.T) {
	onDevices(t, "device_functions", 2048, func(t *testing.T, p *host.Program) {
		xs := make([]int64, 1000)
		rs := make([]int64, len(xs))
		sum := int64(0)
		powers := func(x int64) (last, sum int64) { return x * x * x, 1 + x + x*x + x*x*x }
		mod := func(x int64) int64 { return (x%1000003 + 1000003) % 1000003 }
		for i := range xs {
			xs[i] = int64(i%160) - 60
			last, all := powers(xs[i])
			if xs[i] < 5 {
				rs[i] = last - all
			} else {
				last, all = powers(all)
				rs[i] = last ^ all
			}
			sum = mod(sum + mod(rs[i]))
		}
		check(t, p, []value.Value{value.FromSlice(xs)}, []value.Value{value.FromSlice(rs), scalar(sum)})
		xs[500] = 100
		_, err := p.Call("main", []value.Value{value.FromSlice(xs)})
		var failed *host.Error
		if !errors.As(err, &failed) || failed.Message != "Too many powers: 100" {
			t.Errorf("error: %v", err)
		}
		check(t, p, []value.Value{value.FromSlice([]int64{2})}, []value.Value{value.FromSlice([]int64{-7}), scalar(int64(999996))})
	})
}
