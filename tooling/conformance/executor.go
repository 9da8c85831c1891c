package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"
	"time"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/types"
	"skald/middle/imp"
	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/value"
	"skald/runtime/webgpu"
	"skald/targets"
)

// Executor is a way to run checked programs.
type Executor interface {
	// Name is what --backend calls it.
	Name() string
	// Compiles reports whether programs are compiled, so that cases tagged "compiled" can be run.
	Compiles() bool
	// Load prepares a program.
	Load(prog *Checked) (Loaded, error)
	// Close releases what the executor holds.
	Close() error
}

// Checked is a program that the checker accepts. It is compiled once, however many executors load it.
type Checked struct {
	*types.Prog
	// Tuned are sizes that a device goes by where its options say nothing.
	Tuned   targets.Sizes
	compile func() (*compiler.Program, *diag.Diagnostic)
}

// NewChecked makes one, which is compiled at most once.
func NewChecked(prog *types.Prog) *Checked {
	return &Checked{Prog: prog, compile: sync.OnceValues(func() (*compiler.Program, *diag.Diagnostic) {
		return compiler.Compile(prog, compiler.CompileOptions{Verify: true})
	})}
}

// Loaded is a program that is ready to run.
type Loaded interface {
	// Call runs an entry point. Results of tuple type are several values.
	Call(ctx context.Context, entry string, args []value.Value) ([]value.Value, error)
	// Close releases the program.
	Close()
}

// Interpreter is the executor that interprets.
type Interpreter struct{}

// Name is "interpreter".
func (Interpreter) Name() string { return "interpreter" }

// Compiles is false.
func (Interpreter) Compiles() bool { return false }

// Close does nothing.
func (Interpreter) Close() error { return nil }

// Load prepares the program; reading an array that has been consumed will be an error.
func (Interpreter) Load(prog *Checked) (Loaded, error) {
	return &interpreted{compiler.Interpret(prog.Prog, interp.Options{CheckConsumption: true})}, nil
}

type interpreted struct{ in *interp.Interpreter }

func (p *interpreted) Call(ctx context.Context, entry string, args []value.Value) ([]value.Value, error) {
	if err := p.in.Init(ctx); err != nil {
		return nil, err
	}
	return p.in.Call(ctx, entry, args)
}

func (p *interpreted) Close() {}

// Device is the executor that compiles, and runs on one device.
type Device struct {
	name    string
	dev     *compiler.Device
	traces  io.Writer
	without []string // passes of the compiler
}

// On is the executor for a device that is open.
func On(name string, dev *compiler.Device) *Device {
	return &Device{name: name, dev: dev, traces: io.Discard}
}

// TraceTo has what programs trace printed to w; else nobody sees it, as with the interpreter.
func (d *Device) TraceTo(w io.Writer) { d.traces = w }

// Configurations are the devices that tests name: whatever is best, the GPU by library and dialect, and those that run on a
// machine without a GPU. One whose name ends with "-guaranteed" is used as if it had what WebGPU guarantees and no more. Behind that
// "-without-PASS" leaves a pass of the compiler out, as in cuda-without-tile.
var Configurations = []struct {
	Name    string
	Options compiler.DeviceOptions
}{
	{"auto", compiler.DeviceOptions{}},
	{"cpu", compiler.DeviceOptions{Name: "cpu"}},
	{"wasm", compiler.DeviceOptions{Name: "cpu", Flags: map[string]string{"cpu-compiler": "wasm"}}},
	{"evaluator", compiler.DeviceOptions{Name: "cpu", Flags: map[string]string{"cpu-compiler": "none"}}},
	{"webgpu", compiler.DeviceOptions{Name: "webgpu"}},
	{"cuda", compiler.DeviceOptions{Name: "cuda"}},
	{"native", webGPU("wgpu-native", "", "false")},
	{"portable", webGPU("wgpu-native", "", "true")},
	{"dawn", webGPU("dawn", "", "true")},
	{"native-lavapipe", webGPU("wgpu-native", "lavapipe", "false")},
	{"portable-swiftshader", webGPU("wgpu-native", "swiftshader", "true")},
	{"dawn-lavapipe", webGPU("dawn", "lavapipe", "true")},
	{"dawn-swiftshader", webGPU("dawn", "swiftshader", "true")},
}

// webGPU are options for a library and, if driver is not empty, a software driver.
func webGPU(library, driver, portable string) compiler.DeviceOptions {
	return compiler.DeviceOptions{Name: "webgpu", Flags: map[string]string{
		"webgpu-library": library, "webgpu-driver": driver, "webgpu-portable": portable,
	}}
}

// Open opens the executor called name: "interpreter", or one of Configurations.
func Open(name string) (Executor, error) { return OpenWith(name, compiler.DeviceOptions{}) }

// OpenWith is Open with options of devices, which win over those of the configuration. With the configuration "auto" they may name a
// device.
func OpenWith(name string, own compiler.DeviceOptions) (Executor, error) {
	if name == "interpreter" {
		return Interpreter{}, nil
	}
	base, pass, lacks := strings.Cut(name, withoutPass)
	base, guaranteed := strings.CutSuffix(base, "-guaranteed")
	o, ok := Named(base)
	if !ok {
		return nil, fmt.Errorf("no backend is called %q; there are interpreter, %s", name, Names())
	}
	var without []string
	if lacks {
		without = []string{pass}
	}
	if err := (compiler.CompileOptions{Without: without}).Valid(); err != nil {
		return nil, err
	}
	flags := maps.Clone(o.Flags)
	if flags == nil {
		flags = map[string]string{}
	}
	maps.Copy(flags, own.Flags)
	own.Flags = flags
	if base != "auto" {
		own.Name = o.Name
	}
	dev, _, err := compiler.OpenDevice(own)
	if err != nil {
		return nil, err
	}
	if guaranteed {
		if dev, err = dev.Model.Target.On(webgpu.Guaranteed(dev.Device)).Tuned(own.Sizes.Or(own.Tuned)); err != nil {
			return nil, err
		}
	}
	d := On(name, dev)
	d.without = without
	return d, nil
}

const withoutPass = "-without-"

// Without is the name of a configuration that leaves a pass out.
func Without(configuration, pass string) string { return configuration + withoutPass + pass }

// Evaluated is the executor that evaluates what programs become for the devices of a profile, with as many compute units as they have or
// units of them, and fails where accesses of kernels race.
func Evaluated(profile string, units int) (Executor, error) {
	m := targets.FindProfile(profile)
	if m == nil {
		return nil, fmt.Errorf("no device profile is called %q; there are %s", profile, targets.Listed(targets.ProfileNames()))
	}
	if m.Facts.Units > units {
		facts := *m.Facts
		facts.Units = units
		m = m.Target.Model(&facts)
	}
	return On("evaluator for "+profile, m.Evaluated(cpu.Options{Races: true})), nil
}

// Named returns the options of the configuration called name.
func Named(name string) (o compiler.DeviceOptions, ok bool) {
	for _, c := range Configurations {
		if c.Name == name {
			return c.Options, true
		}
	}
	return o, false
}

// Names lists the configurations.
func Names() string {
	names := make([]string, len(Configurations))
	for i, c := range Configurations {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// Name is the name of the configuration.
func (d *Device) Name() string { return d.name }

// Compiles is true.
func (d *Device) Compiles() bool { return true }

// Facts describe the device.
func (d *Device) Facts() *device.Facts { return d.dev.Facts() }

// Lower lowers a program for the device.
func (d *Device) Lower(prog *compiler.Program) (*imp.Prog, error) { return prog.Lower(d.dev.Model) }

// Launches is how many kernels the device has run.
func (d *Device) Launches() int64 { return d.dev.Stats().Launches }

// lost says why the device is lost, if it is.
func (d *Device) lost() string {
	if err := d.dev.Sync(); errors.Is(err, device.Lost) {
		return err.Error()
	}
	return ""
}

// Close closes the device.
func (d *Device) Close() error { return d.dev.Close() }

// Load compiles the program for the device.
func (d *Device) Load(prog *Checked) (Loaded, error) {
	compile := prog.compile
	if d.without != nil {
		compile = func() (*compiler.Program, *diag.Diagnostic) {
			return compiler.Compile(prog.Prog, compiler.CompileOptions{Verify: true, Without: d.without})
		}
	}
	compiled, diagnostic := compile()
	if diagnostic != nil {
		return nil, diagnostic
	}
	dev, err := d.dev.Tuned(prog.Tuned)
	if err != nil {
		return nil, err
	}
	p, err := compiled.On(dev)
	if err != nil {
		return nil, err
	}
	p.TraceTo(d.traces)
	return &onDevice{p}, nil
}

type onDevice struct{ p program }

// program is the part of host.Program that is needed here.
type program interface {
	Call(entry string, args []value.Value) ([]value.Value, error)
	Tunable
	Tunes() []imp.Tune
	Close()
}

// errTimeout says that a call took longer than allowed.
var errTimeout = errors.New("time-out")

// Tunable is the program, whose tuning parameters can be set.
func (p *onDevice) Tunable() Tunable { return p.p }

// Tunes are the names of the tuning parameters.
func (p *onDevice) Tunes() []string {
	var names []string
	for _, t := range p.p.Tunes() {
		names = append(names, t.Name)
	}
	return names
}

func (p *onDevice) Call(ctx context.Context, entry string, args []value.Value) ([]value.Value, error) {
	type outcome struct {
		values []value.Value
		err    error
	}
	done := make(chan outcome, 1)
	start := time.Now()
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- outcome{err: recovered(r)}
			}
		}()
		vs, err := p.p.Call(entry, args)
		done <- outcome{vs, err}
	}()
	select {
	case o := <-done:
		return o.values, o.err
	case <-ctx.Done():
		return nil, fmt.Errorf("%w after %v", errTimeout, time.Since(start).Round(time.Second))
	}
}

func (p *onDevice) Close() { p.p.Close() }
