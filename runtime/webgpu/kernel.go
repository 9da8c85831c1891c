package webgpu

import (
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"skald/runtime/device"
)

// kernel implements device.Kernel.
type kernel struct {
	spec     device.KernelSpec
	layout   *layout
	pipeline pipelineHandle
}

// Spec implements device.Kernel.
func (k *kernel) Spec() *device.KernelSpec { return &k.spec }

// layout is the calling convention of kernels: how many storage buffers, and how
// many bytes of params, rounded up as WGSL does.
type layout struct {
	buffers  int
	params   int64
	group    bindGroupLayoutHandle
	pipeline pipelineLayoutHandle
}

// compiler keeps the kernels and layouts of a device. Each kernel is compiled by
// the first who asks for it; others wait for that.
type compiler struct {
	mu       sync.Mutex
	kernels  map[device.KernelSpec]*compilation
	layouts  map[[2]int64]*layout
	compiled atomic.Int64
}

type compilation struct {
	once   sync.Once
	kernel *kernel
	err    error
}

// Compile implements device.Device.
func (d *Device) Compile(specs []device.KernelSpec) ([]device.Kernel, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	out := make([]device.Kernel, len(specs))
	errs := make([]error, len(specs))
	var g errgroup.Group
	g.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	for i := range specs {
		g.Go(func() error {
			k, err := d.compileOne(&specs[i])
			out[i], errs[i] = k, err
			return nil
		})
	}
	_ = g.Wait() // The errors are in errs, in the order of the specs.
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// compileOne gives the kernel of a spec, from the cache if it is there.
func (d *Device) compileOne(s *device.KernelSpec) (*kernel, error) {
	if err := device.CheckSpec(&d.facts, s); err != nil {
		return nil, err
	}
	c := &d.compiler
	c.mu.Lock()
	if c.kernels == nil {
		c.kernels = map[device.KernelSpec]*compilation{}
	}
	p := c.kernels[*s]
	if p == nil {
		p = &compilation{}
		c.kernels[*s] = p
	}
	l := d.layoutOf(s)
	c.mu.Unlock()
	p.once.Do(func() {
		p.kernel, p.err = d.build(s, l)
		c.compiled.Add(1)
	})
	return p.kernel, p.err
}

// layoutOf gives the layout of a spec. The compiler's lock is held.
func (d *Device) layoutOf(s *device.KernelSpec) *layout {
	key := [2]int64{int64(s.Buffers), (int64(s.Params) + 15) &^ 15}
	l := d.compiler.layouts[key]
	if l == nil {
		if d.compiler.layouts == nil {
			d.compiler.layouts = map[[2]int64]*layout{}
		}
		l = &layout{buffers: s.Buffers, params: key[1]}
		l.group, l.pipeline = d.conn.createLayouts(s.Buffers, uint64(key[1]))
		d.compiler.layouts[key] = l
	}
	return l
}

// build compiles a kernel.
func (d *Device) build(s *device.KernelSpec, l *layout) (*kernel, error) {
	var module moduleHandle
	kind, text := d.conn.guarded(func() { module = d.conn.createModule(s.Source, !d.options.Checked) })
	if module != 0 {
		defer d.conn.releaseModule(module)
	}
	if kind != errorNone || module == 0 {
		return nil, d.compileError(s, kind, text)
	}
	k := &kernel{spec: *s, layout: l}
	kind, text = d.conn.guarded(func() { k.pipeline = d.conn.createPipeline(module, s.Entry, l.pipeline) })
	if kind != errorNone || k.pipeline == 0 {
		return nil, d.compileError(s, kind, text)
	}
	return k, nil
}

// release gives everything compiled back to the library.
func (c *compiler) release(conn *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.kernels {
		if p.kernel != nil {
			conn.releasePipeline(p.kernel.pipeline)
		}
	}
	for _, l := range c.layouts {
		call(conn.lib.sym.PipelineLayoutRelease, uintptr(l.pipeline))
		call(conn.lib.sym.BindGroupLayoutRelease, uintptr(l.group))
	}
	c.kernels, c.layouts = nil, nil
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
	if kind == errorOutOfMemory {
		return faultOf(kind, "compile kernel "+s.Name, text)
	}
	line, column, message := 0, 0, text
	if m := dawnPlace.FindStringSubmatch(text); m != nil {
		line, column, message = number(m[1]), number(m[2]), m[3]
	} else if m := nativePlace.FindStringSubmatch(text); m != nil {
		line, column, message = number(m[1]), number(m[2]), nativeMessage(text)
	}
	return &device.Error{
		Fault: device.CompileFailed, Op: "compile kernel " + s.Name, Detail: text,
		Shader: device.NewShaderError(s, line, column, strings.TrimSpace(message)),
	}
}

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
	return strings.Join(keep, "; ")
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // The pattern matches digits only; an overflow gives the largest int.
	return n
}
