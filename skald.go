// Package skald compiles and runs Futhark programs from Go. It is the interface for other programs, and mentions no other packages of
// this repository than runtime/value (arrays and scalars) and frontend/diag (diagnostics).
//
//	p, messages := skald.Compile("dot.fut", skald.Options{})        // nil if the messages hold an error
//	dev, _, err := skald.OpenDevice(skald.DeviceOptions{})          // the best device present
//	results, err := p.Run(ctx, dev, "main", xs, ys)                 // once
//	loaded, err := p.On(dev)                                        // or prepare it for many calls
//	results, err = loaded.Call(ctx, "main", xs, ys)
//
// Nothing here prints or exits. All functions and methods may be called from several goroutines at once.
package skald

import (
	"context"
	"errors"

	"skald/compiler"
	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/bundle"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/value"
)

// Version names the version of skald and, in parentheses, that of the language, which is Futhark's.
const Version = compiler.Version

// Options say how a program is read and checked. The zero value reads files.
type Options struct {
	// ReadFile returns the text of the file at a slash-separated path, which ends in ".fut"; nil means the file system.
	ReadFile func(path string) (string, error)
	// Entries names functions of the root file that are entry points besides those declared so.
	Entries []string
}

// Program is a compiled program before it is known which device will run it.
type Program struct {
	checked  *types.Prog // nil if it was read from an executable
	compiled *compiler.Program
}

// Compile checks and compiles the program whose root file is at path. The messages are errors and warnings, in order of place; after an
// error there is no program.
func Compile(path string, o Options) (*Program, []*diag.Diagnostic) {
	opts := compiler.CheckOptions{Entries: o.Entries}
	if o.ReadFile != nil {
		opts.Loader = reader(o.ReadFile)
	}
	checked, sink, ok := compiler.Check(path, opts)
	messages := sink.Sorted()
	if !ok {
		return nil, messages
	}
	compiled, d := compiler.Compile(checked, compiler.CompileOptions{})
	if d != nil {
		return nil, append(messages, d)
	}
	return &Program{checked, compiled}, append(messages, compiled.Warnings()...)
}

// reader is a check.Loader.
type reader func(path string) (string, error)

// Load reads a file.
func (r reader) Load(path string) (*source.File, error) {
	text, err := r(path)
	if err != nil {
		return nil, err
	}
	return source.NewFile(path, text), nil
}

var _ check.Loader = reader(nil)

// Open reads the program that an executable, made by WriteExecutable or `skald build`, carries.
func Open(executable string) (*Program, error) {
	b, err := bundle.Open(executable)
	if err != nil {
		return nil, err
	}
	return load(b)
}

// Encode returns the program as bytes, which Decode of the same version of skald reads.
func (p *Program) Encode() []byte { return p.compiled.Bundle().Encode() }

// Decode reads a program that Encode returned.
func Decode(data []byte) (*Program, error) {
	b, err := bundle.Decode(data)
	if err != nil {
		return nil, err
	}
	return load(b)
}

func load(b bundle.Bundle) (*Program, error) {
	compiled, err := compiler.Load(b)
	if err != nil {
		return nil, err
	}
	return &Program{compiled: compiled}, nil
}

// WriteExecutable writes the program as an executable file: a copy of runner, the file of a skald binary, with the program in it. The
// file appears under its name when it is complete.
func (p *Program) WriteExecutable(path, runner string) error {
	return p.compiled.WriteExecutable(path, runner)
}

// Interpret runs an entry point in the reference interpreter, which needs no device and is slow. A program that was read from an
// executable cannot be interpreted.
func (p *Program) Interpret(ctx context.Context, entry string, args ...value.Value) ([]value.Value, error) {
	if p.checked == nil {
		return nil, errors.New("the program was read from an executable, which does not carry its source")
	}
	return compiler.Interpret(p.checked, interp.Options{}).Call(ctx, entry, args)
}

// DeviceOptions say which device to open. The zero value is the best device present.
type DeviceOptions struct {
	// Name is the name of a target, as `skald devices` lists them, with ":NUMBER" for another than its first device.
	Name string
}

// Device is an open device.
type Device struct{ dev *compiler.Device }

// OpenDevice opens a device. With no name it takes the first target that works; note then says why earlier ones were passed over.
func OpenDevice(o DeviceOptions) (dev *Device, note string, err error) {
	d, note, err := compiler.OpenDevice(compiler.DeviceOptions{Name: o.Name})
	if err != nil {
		return nil, note, err
	}
	return &Device{d}, note, nil
}

// Name is what the driver calls the device.
func (d *Device) Name() string { return d.dev.Facts().Name }

// Close closes the device; what is loaded on it must not be called any more.
func (d *Device) Close() error { return d.dev.Close() }

// The failures of devices, for errors.Is.
var (
	// OutOfMemory says that the device's memory does not suffice.
	OutOfMemory error = device.OutOfMemory
	// DeviceLost says that the device is gone: reset, removed, or closed.
	DeviceLost error = device.Lost
)

// Failure is an error of the program itself: an index out of bounds, a failed assertion, a division by zero.
type Failure struct {
	Message string
	// Where is the place in the source and the calls that led there, innermost first.
	Where []string

	text string
}

// Error is the message and the backtrace.
func (f *Failure) Error() string { return f.text }

// failure makes an error of the program a Failure; other errors stay what they are.
func failure(err error) error {
	var e *host.Error
	if errors.As(err, &e) {
		return &Failure{e.Message, e.Where, e.Error()}
	}
	return err
}

// Run runs an entry point on a device and waits for its results: one value for each result, or for each part of a result whose type
// is made of several. Arguments are given likewise, with row-major elements and the size of every dimension; sizes that the type of
// the entry point mentions are read off their shapes. When ctx ends, so does the run, at the next launch or allocation. A *Failure is
// an error of the program.
//
// It compiles the program for the device each time: On prepares it for more than one call.
func (p *Program) Run(ctx context.Context, dev *Device, entry string, args ...value.Value) ([]value.Value, error) {
	results, err := p.compiled.Run(ctx, dev.dev, entry, args...)
	return results, failure(err)
}

// Loaded is a program on a device.
type Loaded struct{ p *host.Program }

// On prepares the program to run on a device. Close releases it.
func (p *Program) On(dev *Device) (*Loaded, error) {
	loaded, err := p.compiled.On(dev.dev)
	if err != nil {
		return nil, err
	}
	return &Loaded{loaded}, nil
}

// Call runs an entry point, like Program.Run.
func (l *Loaded) Call(ctx context.Context, entry string, args ...value.Value) ([]value.Value, error) {
	results, err := l.p.CallContext(ctx, entry, args)
	return results, failure(err)
}

// Close releases what the program holds on the device.
func (l *Loaded) Close() { l.p.Close() }
