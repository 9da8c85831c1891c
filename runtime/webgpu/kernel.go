package webgpu

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"skald/runtime/device"
)

// kernel implements device.Kernel.
type kernel struct {
	owner    *Device
	spec     device.KernelSpec
	layout   *layout
	pipeline pipelineHandle

	launching string // What a launch is called in errors.

	// writing is the kernel with all buffers to be written, for launches that need it; the device's lock is held.
	// See Note [Arrays that are only read].
	writing *kernel
}

// Spec implements device.Kernel.
func (k *kernel) Spec() *device.KernelSpec { return &k.spec }

// layout is the calling convention of kernels.
type layout struct {
	convention
	group    bindGroupLayoutHandle
	pipeline pipelineLayoutHandle
}

// convention says how many storage buffers a kernel takes, which of them it only reads, how many bytes of params, rounded up as WGSL
// does, and whether these are an immediate variable.
type convention struct {
	buffers   int
	reads     bufferSet
	params    int64
	immediate bool
}

// Note [Arrays that are only read]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A kernel's text says of each buffer whether the kernel only reads it ("read") or may write it ("read_write"), and the bind group layout
// says the same. So drivers can load such arrays by ways that do not look for stores, and nothing waits between launches that only read the
// same array. But WebGPU refuses a dispatch that binds one buffer both ways, even ranges of it that do not overlap, and our arrays may be
// parts of one block: of the large buffers of devices with few bindings, or slices. A launch with such bindings runs another
// pipeline, made of the same text with every buffer to be written, when the first such launch asks for it.

// bufferSet is a set of numbers of a kernel's buffers.
type bufferSet uint64

func (s bufferSet) has(i int) bool { return s>>i&1 != 0 }

// onlyRead and toBeWritten are how a text declares a buffer.
const (
	onlyRead    = "var<storage, read>"
	toBeWritten = "var<storage, read_write>"
)

var declaredRead = regexp.MustCompile(`(?m)^@group\(0\) @binding\((\d+)\) ` + onlyRead)

// readBuffers are those that a kernel's text only reads.
func readBuffers(source string) (s bufferSet) {
	for _, m := range declaredRead.FindAllStringSubmatch(source, -1) {
		s |= 1 << number(m[1])
	}
	return s
}

// bothWays reports whether bindings show a block to be read alone and to be written.
func (s bufferSet) bothWays(bs []bound) bool {
	for i, b := range bs {
		if !s.has(i) {
			continue
		}
		for j, o := range bs {
			if o.block == b.block && !s.has(j) {
				return true
			}
		}
	}
	return false
}

// forBindings is the kernel itself, or the one with all buffers to be written where it cannot run with these bindings. The device's lock is
// held.
func (k *kernel) forBindings(bs []bound) (*kernel, error) {
	if !k.layout.reads.bothWays(bs) {
		return k, nil
	}
	if k.writing == nil {
		spec := k.spec
		spec.Source = strings.ReplaceAll(spec.Source, onlyRead, toBeWritten)
		made, err := k.owner.kernels.One(&k.owner.facts, &spec)
		if err != nil {
			return nil, err
		}
		k.writing = made
	}
	return k.writing, nil
}

// layouts are the calling conventions that a device's kernels have.
type layouts struct {
	mu   sync.Mutex
	made map[convention]*layout
}

// Compile implements device.Device.
func (d *Device) Compile(specs []device.KernelSpec) ([]device.Kernel, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	return d.kernels.Compile(&d.facts, specs)
}

// layoutOf returns the layout of a spec.
func (d *Device) layoutOf(s *device.KernelSpec) *layout {
	d.layouts.mu.Lock()
	defer d.layouts.mu.Unlock()
	key := convention{s.Buffers, readBuffers(s.Source), (int64(s.Params) + 15) &^ 15, s.Immediate}
	l := d.layouts.made[key]
	if l == nil {
		if d.layouts.made == nil {
			d.layouts.made = map[convention]*layout{}
		}
		l = &layout{convention: key}
		l.group, l.pipeline = d.conn.createLayouts(key)
		d.layouts.made[key] = l
	}
	return l
}

// build compiles a kernel.
func (d *Device) build(s *device.KernelSpec) (*kernel, error) {
	l := d.layoutOf(s)
	var module moduleHandle
	kind, text := d.conn.guarded(func() { module = d.conn.createModule(s.Source, !d.options.Checked) })
	if module != 0 {
		defer d.conn.releaseModule(module)
	}
	if kind != errorNone || module == 0 {
		return nil, d.compileError(s, kind, text)
	}
	k := (&kernel{owner: d, layout: l}).named(s)
	kind, text = d.conn.guarded(func() { k.pipeline = d.conn.createPipeline(module, s.Entry, l.pipeline) })
	if kind != errorNone || k.pipeline == 0 {
		return nil, d.compileError(s, kind, text)
	}
	return k, nil
}

// named is the kernel for a spec with the same code.
func (k *kernel) named(s *device.KernelSpec) *kernel {
	return &kernel{owner: k.owner, spec: *s, layout: k.layout, pipeline: k.pipeline, launching: "launch " + s.Name}
}

// releaseKernels releases everything that is compiled.
func (d *Device) releaseKernels() {
	d.kernels.Release(func(k *kernel) { d.conn.releasePipeline(k.pipeline) })
	d.layouts.mu.Lock()
	defer d.layouts.mu.Unlock()
	for _, l := range d.layouts.made {
		call(d.conn.lib.sym.PipelineLayoutRelease, uintptr(l.pipeline))
		call(d.conn.lib.sym.BindGroupLayoutRelease, uintptr(l.group))
	}
	d.layouts.made = nil
}

// Both libraries give the place of an error in a shader in their text:
// wgpu-native as "┌─ wgsl:3:7", Dawn as ":3:7 error: …".
var (
	nativePlace = regexp.MustCompile(`wgsl:(\d+):(\d+)`)
	dawnPlace   = regexp.MustCompile(`(?m):(\d+):(\d+) error: (.*)$`)
)

// compileError makes the library's complaint about a kernel an error.
func (d *Device) compileError(s *device.KernelSpec, kind uint32, text string) error {
	if err := d.usable(); err != nil {
		return err
	}
	if err := d.fault(kind, "compile kernel "+s.Name, text); device.FaultOf(err) != device.Internal {
		return err
	}
	line, column, message := 0, 0, text
	if m := dawnPlace.FindStringSubmatch(text); m != nil {
		line, column, message = number(m[1]), number(m[2]), m[3]
	} else if d.conn.lib.native {
		message = nativeMessage(text)
		if m := nativePlace.FindStringSubmatch(text); m != nil {
			line, column = number(m[1]), number(m[2])
		}
	}
	e := &device.Error{
		Fault: device.CompileFailed, Op: "compile kernel " + s.Name, Detail: text, Hint: device.FixKernel,
		Shader: device.NewShaderError(s, line, column, strings.TrimSpace(message)),
	}
	for _, c := range complaints {
		if strings.Contains(text, c.text) {
			e.Fault, e.Hint = c.fault, c.hint
		}
	}
	return e
}

// complaints are words by which the libraries' texts show that not the kernel is
// wrong but the device too small for it.
var complaints = []struct {
	text  string
	fault device.Fault
	hint  string
}{
	{"naga::valid::Capabilities", device.Missing, useWhatIsThere},
	{"in the current environment", device.Missing, useWhatIsThere},
	{"`Limits::", device.Limit, useLess},
	{"the maximum allowed", device.Limit, useLess},
}

const (
	useWhatIsThere = "compile the program for this device, or use one that has the feature; `skald devices` lists features"
	useLess        = "compile the program for this device, or use one with larger limits; `skald devices` lists limits"
)

// nativeMessage takes the sentences out of wgpu-native's drawing of an error.
func nativeMessage(text string) string {
	var keep []string
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		_, afterBar, drawn := strings.Cut(t, "│")
		switch {
		case drawn && strings.Contains(afterBar, "^"):
			keep = append(keep, strings.TrimSpace(strings.TrimLeft(afterBar, " ^─╭╰│")))
		case drawn, t == "", strings.Contains(t, "┌─"), strings.HasPrefix(t, "Caused by"),
			strings.HasPrefix(t, "In wgpu"), strings.HasPrefix(t, "Validation Error"):
		case strings.HasPrefix(t, "Shader '"):
			if _, after, ok := strings.Cut(t, "error: "); ok {
				keep = append(keep, after)
			}
		default:
			keep = append(keep, t)
		}
	}
	return strings.Join(slices.Compact(keep), "; ")
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // The pattern matches digits only; an overflow is the largest int.
	return n
}
