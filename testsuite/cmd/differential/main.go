package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"skald/compiler"
	"skald/frontend/interp"
	"skald/frontend/types"
	"skald/runtime/host"
	"skald/runtime/value"
)

// patience is how long the interpreter may take for a call.
const patience = 4 * time.Second

// tolerance is that of skald test.
const tolerance = 0.002

// sizes are those of the arrays, round by round.
var sizes = []int{8, 5, 1, 16}

func main() {
	name := flag.String("device", "webgpu", "the device")
	rounds := flag.Int("rounds", len(sizes), "how often each entry point is called")
	flag.Parse()
	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{Name: *name})
	if err != nil {
		fmt.Fprintln(os.Stderr, "differential:", err)
		os.Exit(1)
	}
	var c counts
	for _, path := range flag.Args() {
		c.program(dev, path, *rounds)
	}
	fmt.Printf("%d programs: %d calls agree, %d differ, %d fail in the interpreter alone, %d were left out\n",
		c.programs, c.same, c.differ, c.unchecked, c.left)
	dev.Close() //nolint:errcheck // nothing depends on it any more
	if c.differ > 0 {
		os.Exit(1)
	}
}

// counts is what came of all calls.
type counts struct{ programs, same, differ, unchecked, left int }

// program calls the entry points of one program. Programs that are rejected, or are without entry points, are passed over.
func (c *counts) program(dev *compiler.Device, path string, rounds int) {
	prog, _, ok := compiler.Check(path, compiler.CheckOptions{})
	if !ok {
		return
	}
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{Verify: true})
	if d != nil {
		c.differ++
		fmt.Printf("%s: %s\n", path, d.Message)
		return
	}
	loaded, err := compiled.On(dev)
	if err != nil {
		c.differ++
		fmt.Printf("%s: %v\n", path, err)
		return
	}
	defer loaded.Close()
	c.programs++
	in := compiler.Interpret(prog, interp.Options{})
	for _, def := range prog.Defs {
		if def.Entry == nil {
			continue
		}
		for round := range rounds {
			args, ok := arguments(uint64(round)<<8, def.Entry, sizes[round%len(sizes)])
			if !ok {
				break
			}
			c.call(loaded, in, path, def.Entry, args)
		}
	}
}

func (c *counts) call(p *host.Program, in *interp.Interpreter, path string, e *types.Entry, args []value.Value) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	want, wantErr := in.Call(ctx, e.Name, args)
	if wantErr != nil && ctx.Err() != nil {
		c.left++
		return
	}
	got, err := p.Call(e.Name, args)
	if err == nil && wantErr != nil {
		c.unchecked++
		fmt.Printf("%s: %s: the interpreter alone: %v\n", path, e.Name, wantErr)
		return
	}
	if diff := compare(got, want, err, wantErr); diff != nil {
		c.differ++
		fmt.Printf("%s: %s: %v\n", path, e.Name, diff)
		return
	}
	c.same++
}

// compare says how the results of a device differ from the interpreter's.
func compare(got, want []value.Value, err, wantErr error) error {
	switch {
	case err != nil && wantErr != nil:
		return nil
	case err != nil:
		return fmt.Errorf("the device alone: %w", err)
	case len(got) != len(want):
		return fmt.Errorf("%d results, not %d", len(got), len(want))
	}
	for i := range want {
		if diff := value.Compare(got[i], want[i], tolerance); diff != nil {
			return fmt.Errorf("result %d: %v", i, diff)
		}
	}
	return nil
}
