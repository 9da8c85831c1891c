package main

import (
	"fmt"
	"io"

	"skald/compiler"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// floor is something that every call has to do at least.
type floor struct {
	name string
	do   func(dev device.Device, word device.Buffer) error
}

var floors = []floor{
	{"submit and wait", func(dev device.Device, word device.Buffer) error {
		if err := dev.Fill(word, 0, 4, 0); err != nil {
			return err
		}
		return dev.Sync()
	}},
	{"read a word", func(dev device.Device, word device.Buffer) error {
		var data [4]byte
		return dev.Download(device.Region{Buffer: word, Data: data[:]})
	}},
}

// line times a floor.
func (c floor) line(w io.Writer, dev device.Device, runs int) error {
	word, err := dev.Alloc(4)
	if err != nil {
		return err
	}
	defer dev.Free(word)
	wall, err := times(runs, func() error { return c.do(dev, word) })
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\t%.1f\t%.1f\t\t\t\t\t\n", c.name, wall[len(wall)/2], wall[0])
	return nil
}

// timed is an entry point with arguments.
type timed struct {
	name, entry string
	args        func() []value.Value
	// less, if set, is the call to take away, and rounds what to divide by then.
	less   func() []value.Value
	rounds int
}

// cases are the calls that are timed.
func cases(small bool) []timed {
	large, larger := 33_000_000, 100_000_000
	if small {
		large, larger = 3_300, 10_000
	}
	return []timed{
		{name: "sum of 10^3 i32", entry: "sum", args: func() []value.Value { return []value.Value{ints(1000)} }},
		{name: "a round of while", entry: "rounds", args: rounds(101), less: rounds(1), rounds: 100},
		{name: fmt.Sprintf("triad of %.1e f32", float64(large)), entry: "triad", args: func() []value.Value {
			return []value.Value{floats(large), floats(large)}
		}},
		{name: fmt.Sprintf("sum of %.0e i32", float64(larger)), entry: "sum", args: func() []value.Value {
			return []value.Value{ints(larger)}
		}},
	}
}

// rounds are the arguments for so many rounds: each adds 1,000 to a sum that starts at 0.
func rounds(n int32) func() []value.Value {
	return func() []value.Value {
		return []value.Value{value.FromSlice(make([]int32, 1000), 1000), value.Scalar(prim.MakeI32(1000*n - 999))}
	}
}

func ints(n int) value.Value {
	xs := make([]int32, n)
	for i := range xs {
		xs[i] = int32(i % 97)
	}
	return value.FromSlice(xs, n)
}

func floats(n int) value.Value {
	xs := make([]float32, n)
	for i := range xs {
		xs[i] = float32(i % 97)
	}
	return value.FromSlice(xs, n)
}

// line times a case.
func (c timed) line(w io.Writer, m machine, compiled *compiler.Program, runs int) error {
	wall, asked, err := onDevice(m.plain, compiled, func(p *host.Program) ([]float64, device.Stats, error) {
		return c.wall(m.plain, p, runs)
	})
	if err != nil {
		return err
	}
	kernel, _, err := onDevice(m.profiled, compiled, func(p *host.Program) (float64, device.Stats, error) {
		return c.kernels(m.profiled, p, runs)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%.1f\t%d\t%d\t%d\t%d\n", c.name, wall[len(wall)/2], wall[0], kernel,
		asked.Launches, asked.Copies, asked.Submits, asked.Syncs)
	return nil
}

// onDevice loads the program for the time of f.
func onDevice[T any](
	dev *compiler.Device, compiled *compiler.Program, f func(p *host.Program) (T, device.Stats, error),
) (out T, asked device.Stats, err error) {
	p, err := compiled.On(dev)
	if err != nil {
		return out, asked, err
	}
	defer p.Close()
	return f(p)
}

// wall returns the times of the case, and what it asks of the device.
func (c timed) wall(dev *compiler.Device, p *host.Program, runs int) ([]float64, device.Stats, error) {
	all, asked, err := calls(dev, p, c, runs)
	if err != nil || c.rounds == 0 {
		return all, asked, err
	}
	first, none, err := calls(dev, p, c.first(), runs)
	if err != nil {
		return nil, asked, err
	}
	for i := range all {
		all[i] = (all[i] - first[i]) / float64(c.rounds)
	}
	asked = minus(asked, none)
	n := int64(c.rounds)
	asked.Launches, asked.Copies, asked.Submits, asked.Syncs = asked.Launches/n, asked.Copies/n, asked.Submits/n, asked.Syncs/n
	return all, asked, nil
}

// kernels returns the time of the case's kernels.
func (c timed) kernels(dev *compiler.Device, p *host.Program, runs int) (float64, device.Stats, error) {
	all, err := kernels(dev, p, c, runs)
	if err != nil || c.rounds == 0 {
		return all, device.Stats{}, err
	}
	first, err := kernels(dev, p, c.first(), runs)
	return (all - first) / float64(c.rounds), device.Stats{}, err
}

// first is the case that is taken away.
func (c timed) first() timed {
	c.args, c.less, c.rounds = c.less, nil, 0
	return c
}
