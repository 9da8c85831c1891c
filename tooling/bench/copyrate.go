package bench

import (
	"fmt"
	"time"

	"skald/compiler"
	"skald/frontend/check"
	"skald/runtime/host"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// copying goes over an array again and again, and reads and writes each element in each round. Kernels do that: a driver's own copies may
// be far slower.
const copying = "entry main (n: i64) (rounds: i64) : []i32 = loop xs = map i32.i64 (iota n) for _i < rounds do map (^ 0x55555555) xs\n"

// copyBytes is how large the array is, where the device has room for it.
const copyBytes = 256 << 20

// CopyRate measures how fast kernels copy the device's memory: bytes read and written a second. It is measured once.
func (m *Machine) CopyRate() (float64, error) {
	if m.rate > 0 {
		return m.rate, nil
	}
	prog, _, ok := compiler.Check("copying.fut", compiler.CheckOptions{Loader: check.Files{"copying.fut": copying}})
	if !ok {
		return 0, fmt.Errorf("the program that copies is not accepted")
	}
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{})
	if d != nil {
		return 0, fmt.Errorf("the program that copies: %s", d.Message)
	}
	loaded, err := compiled.On(m.dev)
	if err != nil {
		return 0, err
	}
	defer loaded.Close()
	size := min(copyBytes, m.dev.Facts().MaxBufferSize/4)
	if m.dev.Model.Target.Last() { // a processor: its caches are smaller
		size = min(size, copyBytes/4)
	}
	m.rate, err = copyRate(loaded, size/4)
	return m.rate, err
}

// copyRate is the rate at which a loaded program copies n elements: of the rounds between few and many, so that what a call takes besides
// does not count. The best of some pairs.
func copyRate(p *host.Program, n int64) (rate float64, err error) {
	const few, many, pairs = 2, 10, 6
	for range pairs {
		short, err := copyTime(p, n, few)
		if err != nil {
			return 0, err
		}
		long, err := copyTime(p, n, many)
		if err != nil {
			return 0, err
		}
		if long > short {
			rate = max(rate, 2*4*float64(n)*(many-few)/(long-short).Seconds())
		}
	}
	if rate == 0 {
		return 0, fmt.Errorf("the clock does not tell %d rounds of copying from %d", many, few)
	}
	return rate, nil
}

func copyTime(p *host.Program, n, rounds int64) (time.Duration, error) {
	args, err := p.Upload("main", []value.Value{value.Scalar(prim.MakeI64(n)), value.Scalar(prim.MakeI64(rounds))})
	if err != nil {
		return 0, err
	}
	defer p.FreeArgs(args)
	start := time.Now()
	results, err := p.Run(args)
	if err != nil {
		return 0, err
	}
	p.FreeResults(results)
	return time.Since(start), nil
}
