package compiler

import (
	"context"
	"os"

	"skald/runtime/bundle"
	"skald/runtime/value"
)

// Run runs an entry point on a device and waits for its results: one value for each result, or for each part of a result whose type
// is made of several. Arguments are given likewise, with row-major elements and every dimension's size; sizes that the entry point's
// type mentions are read off their shapes.
//
// The program is lowered and its kernels are compiled again each time: who runs it more than once calls On, once, and then Call of what
// that returns. A *host.Error is a failure of the program itself, with the place in the source; errors of the device are *device.Error,
// and tell what sort they are with errors.Is(err, device.OutOfMemory) and the like. When ctx ends, so does the run, at the
// next launch or allocation: a kernel that is running runs to its end.
func (p *Program) Run(ctx context.Context, dev *Device, entry string, args ...value.Value) ([]value.Value, error) {
	loaded, err := p.On(dev)
	if err != nil {
		return nil, err
	}
	defer loaded.Close()
	return loaded.CallContext(ctx, entry, args)
}

// WriteExecutable writes the program as an executable file: a copy of runner, which is the file of a skald binary, with the program behind
// it. carried are sections of targets. The file appears under its name when it is complete.
func (p *Program) WriteExecutable(path, runner string, carried ...bundle.Section) error {
	binary, err := os.ReadFile(runner)
	if err != nil {
		return err
	}
	return p.WriteCopy(path, NewRunner(binary), carried...)
}

// Runner is a skald binary that executables are copies of.
type Runner struct {
	binary []byte // without a program
	build  []byte // the hash of the build of skald
}

// NewRunner makes a runner of the contents of a skald binary. Of a large one it takes a while.
func NewRunner(binary []byte) *Runner {
	plain := bundle.Strip(binary)
	return &Runner{plain, buildOf(plain)}
}

// WriteCopy is WriteExecutable with a runner that has been read.
func (p *Program) WriteCopy(path string, r *Runner, carried ...bundle.Section) error {
	return bundle.Write(path, r.binary, p.bundleFor(r, carried))
}

// Executable returns the bytes of the file that WriteCopy writes.
func (p *Program) Executable(r *Runner, carried ...bundle.Section) ([]byte, error) {
	return bundle.Image(r.binary, p.bundleFor(r, carried))
}

// bundleFor is what a copy of a runner carries.
func (p *Program) bundleFor(r *Runner, carried []bundle.Section) bundle.Bundle {
	return append(p.Bundle(bundle.Section{Name: sectionBuild, Data: r.build}), carried...)
}
