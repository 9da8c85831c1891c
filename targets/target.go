package targets

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"skald/middle/imp"
	"skald/middle/lower"
	"skald/runtime/bundle"
	"skald/runtime/device"
	"skald/runtime/host"
)

// Target is one way to run programs.
type Target struct {
	// Name is what --device calls it, and the section of a bundle that is its own.
	Name string
	// Doc is a line of help: what programs run on.
	Doc string
	// Place is what messages call what programs run on.
	Place string
	// Backends are the back ends of Futhark's compiler that it stands for: commands that compile for it.
	Backends []string
	// Numbered says that there may be several devices, of which NAME:NUMBER is one.
	Numbered bool
	// Emits are the languages of its kernels that --emit knows, the usual one first; none if they are the low-level program itself.
	Emits []Emission
	// Flags are the options of executables that only this target has.
	Flags []Flag
	// Named reports whether options ask for this target although they do not name it; nil for never.
	Named func(Options) bool
	// Open opens a device; the error says why there is none.
	Open func(o Options, number int) (device.Device, error)
	// Find looks for all of its devices, opens each, and says of those that cannot be used why.
	Find func() []Found
	// GPU reports whether it has a GPU, without opening one; nil for never.
	GPU func() bool
	// Bundled says what --bundle puts into an executable, and Bundle reads it; empty and nil if there is nothing.
	Bundled string
	Bundle  func(Options) ([]byte, error)
	// Machines are what --bundle TARGET:MACHINE compiles for, and CompileFor compiles kernels, in the form that the device takes, for one
	// on a system (GOOS/GOARCH): the section of that name, which Open looks for. MachinesDoc says what that is. Nil if there is nothing.
	Machines    []string
	MachinesDoc string
	CompileFor  func(o Options, system, machine string, kernels []string) ([]byte, error)
	// Code makes machine code of kernels for devices like a profile, as sections of an executable; nil if devices take kernels as text.
	Code func(profile *device.Facts, kernels []device.KernelSpec) ([]bundle.Section, error)
	// Profiles are devices that need not be there, the usual one first.
	Profiles []Profile

	// lowering are the facts that lowering takes from those of a device, beyond what is the same on all.
	lowering func(f *device.Facts, out *lower.Facts)
	// printing tells apart what printer makes for devices: what of their facts it depends on; nil if on none.
	printing func(f *device.Facts) string
	// covers reports whether a device runs what was made for a profile, whose facts may be others; nil for never.
	covers func(dev, profile *device.Facts) bool
	// printer returns the function that prints kernels for a device.
	printer func(f *device.Facts) host.Printer
}

// Emission is a language that kernels are printed in.
type Emission struct {
	// Name is what --emit calls it.
	Name string
	// Print prints kernels for people, where the device itself takes the low-level program; nil where it is the device's printer.
	Print host.Printer
	// Text prints kernels as one text, which a compiler of the language takes; nil where each is a text of its own.
	Text func([]*imp.Kernel) (string, error)
	// Fits reports whether kernels of a device can be printed so; nil for those of all devices of the target.
	Fits func(f *device.Facts) bool
}

// Flag is an option that one target has.
type Flag struct {
	// Name is the flag without its dashes, which begins with the target's name.
	Name, Doc string
	// Bool says that the flag takes no value; it is "true" when given.
	Bool bool
	// Bundling says that --bundle goes by it, too.
	Bundling bool
}

// Found is a device, or a library or driver that none can be reached through, and why.
type Found struct {
	// Select is what --device, and the flags beside it, are told to get the device.
	Select string
	Facts  *device.Facts
	Err    error
}

// All is the table, in the order in which auto tries the targets. The last one always opens.
var All = []*Target{nvidia, webGPU, processor}

// Options say which device to open, and how. The zero value is the best device present.
type Options struct {
	// Name is "" or "auto", or the name of a target, with :NUMBER for another than its first device.
	Name string
	// Flags are the values of targets' own flags, by name.
	Flags map[string]string
	// Bundle is what the executable carries, where targets find what is theirs.
	Bundle bundle.Bundle
	// Checked keeps the driver's own bounds checks in kernels, besides those that the program has.
	Checked bool
	// Profile measures each launch.
	Profile bool
	// Timeout is how long the device may take before it is given up: the wait ends with a device time-out, and the device can no longer be
	// used. Zero is for ever. It bounds each wait; a context bounds a call (host.Program.CallContext).
	Timeout time.Duration
	// Needs, if not nil, returns the kernels that will run on a device: one that can compile nothing is taken if it keeps the code of all.
	Needs func(*Device) ([]device.KernelSpec, error)
	// Program, if not empty, is a hash of the program that will run and of the build of skald that made it: what a device keeps for it.
	Program string
	// Warn, if not nil, is told why programs run slower than they could.
	Warn func(string)
	// Sizes take the place of what a device's facts say, and Tuned where Sizes say nothing: see Device.Tuned.
	Sizes, Tuned Sizes
}

// flag reports whether a flag without value is given.
func (o Options) flag(name string) bool { return o.Flags[name] == "true" }

// Model is what compiling for a device depends on. There is one of each device, and one of each profile.
type Model struct {
	Target *Target
	Facts  *device.Facts
	// Lowering is what lowering depends on, and Print prints a kernel of what it makes.
	Lowering lower.Facts
	Print    host.Printer
	// Emit prints a kernel in the first language of the target in which this device's are printed, or as the low-level program has it.
	Emit host.Printer
	// text is Emission.Text of that language.
	text func([]*imp.Kernel) (string, error)
	// Sizes are those that somebody set: what was made for a profile, with others, is not for it.
	Sizes Sizes
}

// Key tells models apart for which programs become different: it has the facts that passes, lowering and the printer may ask for, and not
// what a device is called.
func (m *Model) Key() string {
	key := fmt.Sprintf("%s %+v bindings:%d", m.Target.Name, m.Lowering, m.Facts.MaxBindings)
	if m.Target.printing != nil {
		key += " " + m.Target.printing(m.Facts)
	}
	return key
}

// Device is an open device with what compiling for it depends on.
type Device struct {
	device.Device
	Model *Model
}

// Model returns what compiling for a device of the target depends on.
func (t *Target) Model(f *device.Facts) *Model {
	out := commonFacts(f)
	t.lowering(f, &out)
	m := &Model{Target: t, Facts: f, Lowering: out, Print: t.printer(f)}
	m.Emit = m.Print
	for _, e := range t.Emits {
		if e.fits(f) {
			return m.emitting(e)
		}
	}
	return m
}

func (e Emission) fits(f *device.Facts) bool { return e.Fits == nil || e.Fits(f) }

// emitting is the model with Emit for a language.
func (m *Model) emitting(e Emission) *Model {
	out := *m
	out.text = e.Text
	if e.Print != nil {
		out.Emit = e.Print
	}
	return &out
}

// Text prints kernels in the language of Emit, for people: as one text, or each as its own, one after the other.
func (m *Model) Text(ks []*imp.Kernel) (string, error) {
	if m.text != nil {
		return m.text(ks)
	}
	var texts []string
	for _, k := range ks {
		c, err := m.Emit(k)
		if err != nil {
			return "", err
		}
		texts = append(texts, c.Source, "\n")
	}
	return strings.Join(texts, ""), nil
}

// Emitting is the model with Emit for the language of that name, or nil if kernels of the device are not printed so.
func (m *Model) Emitting(name string) *Model {
	for _, e := range m.Target.Emits {
		if e.Name == name && e.fits(m.Facts) {
			return m.emitting(e)
		}
	}
	return nil
}

// emits reports whether --emit knows a language of the target by that name.
func (t *Target) emits(name string) bool {
	return slices.ContainsFunc(t.Emits, func(e Emission) bool { return e.Name == name })
}

// On is a device that is open already, as one of the target: a test may have changed its facts.
func (t *Target) On(d device.Device) *Device { return &Device{d, t.Model(d.Facts())} }

// SectionBuild is the section of a bundle with the hash of the build of skald that wrote the executable.
const SectionBuild = "build"

// Find finds a target by name, or nil.
func Find(name string) *Target {
	i := slices.IndexFunc(All, func(t *Target) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return All[i]
}

// FindEmit finds the target whose kernels --emit calls by a name, or nil.
func FindEmit(name string) *Target {
	i := slices.IndexFunc(All, func(t *Target) bool { return t.emits(name) })
	if i < 0 {
		return nil
	}
	return All[i]
}

// Last reports whether it is the target that is left when no other one works.
func (t *Target) Last() bool { return t == All[len(All)-1] }

// DeviceNames is what --device takes, for help texts.
func DeviceNames() string {
	names := []string{"auto"}
	for _, t := range All {
		if t.Numbered {
			names = append(names, t.Name+"[:NUMBER]")
		} else {
			names = append(names, t.Name)
		}
	}
	return Listed(names)
}

// EmitNames is what --emit takes besides the low-level program.
func EmitNames() []string {
	var names []string
	for _, t := range All {
		for _, e := range t.Emits {
			names = append(names, e.Name)
		}
	}
	return names
}

// Listed puts names into a sentence: "a, b or c".
func Listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
