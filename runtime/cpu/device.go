package cpu

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"skald/middle/imp"
	"skald/middle/imp/eval"
	"skald/runtime/device"
)

// Device runs kernels on the processor.
type Device struct {
	memory  device.Memory[*block]
	health  device.Health
	kernels device.Kernels[*kernel]
	profile bool
	timeout time.Duration
	watch   func(Access)
	races   bool
	subs    int // threads of a subgroup
	facts   device.Facts
	modules *modules    // nil unless kernels are C
	web     *webModules // nil unless they are WebAssembly, all or those that cannot be compiled; both nil where they are evaluated

	// moving is held for writing while blocks move to the memory of WebAssembly, and for reading by who uses their bytes; inWeb says that
	// they are there: see Note [Compilers that fail].
	moving sync.RWMutex
	inWeb  atomic.Bool

	mu      sync.Mutex
	stats   device.Stats
	timings []device.Timing
}

// Options say how to open the device.
type Options struct {
	Profile bool          // Keep the time of each launch.
	Timeout time.Duration // How long a launch may take; 0 for ever.
	// Watch, if not nil, is told of each launch what its threads did to memory. Launches then take several times as long.
	Watch func(Access)
	// Races makes a launch of whose accesses two race an error: Note [Races] of package middle/imp/eval. Kernels are evaluated, by one
	// thread.
	Races bool
	// Subgroup is how many threads of an evaluated kernel make a subgroup; zero means 4.
	Subgroup int
	// Print, if not nil, prints kernels in C, to be compiled: by Compiler, a file or a name, or the first that is found if that is
	// empty. StopName is the variable of modules that ends their kernels when it is not zero.
	Print    Printer
	StopName string
	Compiler string
	// Build, if it is known, is a hash of the build of skald, which Print belongs to: code is then kept by it and by kernels.
	Build []byte
	// Bundled is code that was compiled when the program was built, for which no compiler is needed: see Note [Bundled code].
	Bundled []Bundled
	// Sanitize compiles kernels with the address and undefined-behaviour sanitizers of gcc: see Note [Sanitizers].
	Sanitize bool
	// Assemble, if not nil, writes kernels as WebAssembly, which is run where Compiler is WebAssembly, there is no compiler, or it fails:
	// see Note [WebAssembly].
	Assemble Assembler
	// Warn, if not nil, is told once why kernels are WebAssembly, and once why they are evaluated, although they should be compiled.
	Warn func(string)
}

// Access is what the threads of a launch did to memory.
type Access struct {
	Kernel string
	// Threads is how many threads loaded, stored or changed elements; Elements how often that happened.
	Threads, Elements int64
	// Traffic is what the launch asked of each array.
	Traffic []eval.Traffic
}

// Open returns the processor as a device.
func Open(o Options) *Device {
	d := &Device{profile: o.Profile, timeout: o.Timeout, watch: o.Watch, races: o.Races, subs: o.Subgroup, facts: facts}
	d.facts.Units = runtime.GOMAXPROCS(0) // of the moment, as ranges are shared among so many
	d.memory.Make, d.memory.Drop = d.makeBlock, d.dropBlock
	d.kernels.Build = d.compile
	if o.Watch != nil || o.Races || o.Compiler == NoCompiler {
		return d
	}
	if o.Assemble != nil {
		d.web = newWebModules(&o)
	}
	if o.Compiler == WebAssembly && d.web != nil {
		d.openWeb()
		return d
	}
	if o.Print == nil {
		d.web = nil
		return d
	}
	d.modules = &modules{print: o.Print, stopName: o.StopName, build: o.Build, warn: o.Warn, kept: map[string]uintptr{}}
	d.modules.bundle, d.modules.unbundled = pick(o.Bundled)
	c, err := findCompiler(o.Compiler)
	d.modules.uncompiled = err
	if d.modules.bundle != nil {
		d.modules.compiler = c
		d.facts.Compiled, d.facts.API, d.facts.Driver = true, "compiled code", "code for "+d.modules.bundle.head.Machine
		return d
	}
	if err != nil {
		why := both(d.modules.unbundled, err)
		if d.web == nil {
			d.modules.slow(why)
		} else {
			d.web.instead(why)
			d.openWeb()
		}
		d.modules = nil
		return d
	}
	if why := d.modules.unbundled; why != nil && o.Warn != nil {
		o.Warn(fmt.Sprintf("kernels are compiled here: %v", why))
	}
	if o.Sanitize {
		c.flags = sanitizerFlags
		d.memory.Make, d.memory.Drop = makeSanitized, dropSanitized
		d.memory.Exact = true
	}
	d.modules.compiler = c
	d.facts.Compiled, d.facts.API, d.facts.Driver = true, "compiled code", c.path
	return d
}

// openWeb makes a device run WebAssembly alone.
func (d *Device) openWeb() {
	d.inWeb.Store(true)
	d.facts.Compiled, d.facts.API, d.facts.VectorRegisters = true, "WebAssembly by wazero", webRegisters
}

var _ device.Fetcher = (*Device)(nil)

var facts = device.Facts{
	Name: "processor", API: "the evaluator of the low-level program", Kind: device.CPU,
	I64: true, F64: true, F16: true,
	Atomics:         device.Atomics{I64: true, I64Min: true, F32Add: true, F64Add: true, Shared64: true},
	WorkgroupMemory: 1 << 20, MaxThreads: 1 << 16,
	MaxWorkgroup: [3]uint32{1 << 16, 1, 1}, MaxGroups: [3]uint32{1 << 31, 1, 1},
	MaxBindings: 1 << 16, MaxParams: 1 << 16, MaxBindingSize: maxAlloc, MaxBufferSize: maxAlloc, OffsetAlign: 1,
	Timestamps: true, SizesAtLaunch: true, Floats: device.IEEEFloats,
}

// Facts says what the device is.
func (d *Device) Facts() *device.Facts { return &d.facts }

// Alloc makes a buffer.
func (d *Device) Alloc(size int64) (device.Buffer, error) {
	if err := d.health.Check(); err != nil {
		return nil, err
	}
	b, err := d.memory.Alloc(&d.facts, size)
	if err != nil {
		return nil, err // Not b: a nil pointer in an interface is not nil.
	}
	return b, nil
}

// Free frees a buffer.
func (d *Device) Free(b device.Buffer) { d.memory.Free(b) }

// bytes returns a range of a buffer. The lock of moving blocks is held.
func (d *Device) bytes(op string, b device.Buffer, offset, n int64) ([]byte, error) {
	if err := d.health.Check(); err != nil {
		return nil, err
	}
	own, err := d.memory.Own(op, b, offset, n)
	if err != nil {
		return nil, err
	}
	return own.Handle.bytes[offset : offset+n], nil
}

// Upload writes data to a buffer.
func (d *Device) Upload(dst device.Buffer, offset int64, data []byte) error {
	d.moving.RLock()
	defer d.moving.RUnlock()
	to, err := d.bytes("upload", dst, offset, int64(len(data)))
	if err != nil {
		return err
	}
	copy(to, data)
	d.count(func(s *device.Stats) { s.Uploaded += int64(len(data)) })
	return nil
}

// Download reads regions of buffers.
func (d *Device) Download(regions ...device.Region) error {
	for _, r := range regions {
		if err := d.read(r); err != nil {
			return err
		}
	}
	return d.Sync()
}

// fetched is a reading that is done.
type fetched struct{ d *Device }

// Fetch implements device.Fetcher. Launches are done when they return, so that there is nothing to wait for.
func (d *Device) Fetch(regions ...device.Region) (device.Fetch, error) {
	for _, r := range regions {
		if err := d.read(r); err != nil {
			return nil, err
		}
	}
	return fetched{d}, nil
}

// Wait implements device.Fetch.
func (f fetched) Wait() error { return f.d.Sync() }

// read reads a region of a buffer.
func (d *Device) read(r device.Region) error {
	d.moving.RLock()
	defer d.moving.RUnlock()
	from, err := d.bytes("download", r.Buffer, r.Offset, int64(len(r.Data)))
	if err != nil {
		return err
	}
	copy(r.Data, from)
	d.count(func(s *device.Stats) { s.Downloaded += int64(len(from)) })
	return nil
}

func (d *Device) count(f func(*device.Stats)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f(&d.stats)
}

// Copy copies bytes between buffers.
func (d *Device) Copy(dst device.Buffer, dstOffset int64, src device.Buffer, srcOffset, n int64) error {
	d.moving.RLock()
	defer d.moving.RUnlock()
	to, err := d.bytes("copy", dst, dstOffset, n)
	if err != nil {
		return err
	}
	from, err := d.bytes("copy", src, srcOffset, n)
	if err != nil {
		return err
	}
	copy(to, from)
	d.count(func(s *device.Stats) { s.Copies++ })
	return nil
}

// Fill repeats a word.
func (d *Device) Fill(dst device.Buffer, offset, n int64, word uint32) error {
	d.moving.RLock()
	defer d.moving.RUnlock()
	b, err := d.memory.OwnWords("fill", dst, offset, n)
	if err != nil {
		return err
	}
	data := b.Handle.bytes[offset : offset+n]
	for i := 0; i < len(data); i += 4 {
		binary.LittleEndian.PutUint32(data[i:], word)
	}
	d.count(func(s *device.Stats) { s.Copies++ })
	return nil
}

// Flush has nothing to submit.
func (d *Device) Flush() error { return d.health.Check() }

// Sync has nothing to wait for.
func (d *Device) Sync() error {
	d.count(func(s *device.Stats) { s.Syncs++ })
	return d.health.Check()
}

// Stats counts what was done.
func (d *Device) Stats() device.Stats {
	d.mu.Lock()
	s := d.stats
	d.mu.Unlock()
	s.Pipelines = d.kernels.Compiled()
	d.memory.Count(&s)
	return s
}

// Timings returns the times of launches since the last call.
func (d *Device) Timings() []device.Timing {
	d.mu.Lock()
	defer d.mu.Unlock()
	ts := d.timings
	d.timings = nil
	return ts
}

// Close leaves the memory to the collector.
func (d *Device) Close() error {
	if d.health.Close() {
		d.memory.Release()
		if d.web != nil {
			return d.web.close()
		}
	}
	return nil
}

// kernel is a compiled kernel and how its parameters are packed.
type kernel struct {
	spec device.KernelSpec
	decl *imp.Kernel
	code imp.Code
	// function is the address of the kernel's compiled code, which Note [Compiled kernels] describes, and web its WebAssembly; if there is
	// neither, run evaluates it.
	function uintptr
	web      *webKernel
	run      *eval.Kernel
}

// Spec is the specification that it was compiled from.
func (k *kernel) Spec() *device.KernelSpec { return &k.spec }

// Compile reads and compiles kernels.
func (d *Device) Compile(specs []device.KernelSpec) ([]device.Kernel, error) {
	if err := d.health.Check(); err != nil {
		return nil, err
	}
	switch {
	case d.modules != nil:
		if left, why := d.modules.add(specs); why != nil {
			d.instead(left, why)
		}
	case d.web != nil:
		d.web.add(specs)
	}
	return d.kernels.Compile(&d.facts, specs)
}

// compile makes a kernel, to be evaluated where there is no compiled code for it.
func (d *Device) compile(s *device.KernelSpec) (*kernel, error) {
	decl, err := parseKernel(s)
	if err != nil {
		return nil, err
	}
	k := &kernel{spec: *s, decl: decl, code: imp.Code{Wide: true}}
	k.code.Layout(k.decl)
	if d.modules != nil {
		k.function = d.modules.function(s.Source)
	}
	if d.web != nil {
		k.web = d.web.function(s.Source)
	}
	switch {
	case k.function != 0 || k.web != nil:
	case d.watch != nil:
		k.run = eval.CompileWatched(decl)
	case d.races:
		k.run = eval.CompileChecked(decl)
	default:
		k.run = eval.CompileKernel(decl)
	}
	return k, nil
}

// parseKernel reads a kernel's text.
func parseKernel(s *device.KernelSpec) (*imp.Kernel, error) {
	p, err := imp.Parse(s.Source)
	if err == nil && len(p.Kernels) != 1 {
		err = fmt.Errorf("%d kernels in one text", len(p.Kernels))
	}
	if err == nil {
		err = imp.VerifyKernel(p.Kernels[0])
	}
	if err != nil {
		return nil, compileError(s.Name, err)
	}
	return p.Kernels[0], nil
}

// Launch runs a kernel at once.
func (d *Device) Launch(l device.Launch) error {
	if err := device.CheckLaunch(&d.facts, &l); err != nil {
		return err
	}
	k, ok := l.Kernel.(*kernel)
	if !ok {
		return &device.Error{Fault: device.Misuse, Op: "launch " + l.Kernel.Spec().Name, Detail: "kernel of another device"}
	}
	d.moving.RLock()
	defer d.moving.RUnlock()
	blocks, failure, err := d.bind(k, l.Buffers)
	if err != nil {
		return err
	}
	start := time.Now()
	if k.function != 0 || k.web != nil {
		err = d.launchCompiled(k, &l, blocks, failure)
	} else {
		err = d.evaluate(k, &l, blocks, failure)
	}
	if err != nil {
		return err
	}
	took := time.Since(start)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stats.Launches++
	if d.profile {
		d.timings = append(d.timings, device.Timing{Kernel: k.spec.Name, Time: took})
	}
	return nil
}

// launchCompiled runs compiled code.
func (d *Device) launchCompiled(k *kernel, l *device.Launch, blocks [][]byte, failure []byte) error {
	if d.timeout > 0 {
		timer := time.AfterFunc(d.timeout, func() {
			_ = d.health.Expire("launch "+k.spec.Name, d.timeout) // Check returns it.
			if d.modules != nil {
				d.modules.end()
			}
			if d.web != nil {
				d.web.end()
			}
		})
		defer timer.Stop()
	}
	if k.web != nil {
		if err := d.launchWeb(k, l); err != nil {
			return err
		}
	} else {
		k.runCompiled(l, blocks, failure)
	}
	return d.health.Check()
}

// launchWeb runs WebAssembly.
func (d *Device) launchWeb(k *kernel, l *device.Launch) error {
	var addresses []uint64
	for _, b := range l.Buffers {
		own, err := d.memory.Own("launch "+k.spec.Name, b.Buffer, b.Offset, b.Size)
		if err != nil {
			return err
		}
		addresses = append(addresses, uint64(own.Handle.at)+uint64(b.Offset))
	}
	args, groups, _ := k.code.Unpack(k.decl, l.Params)
	if err := k.web.run(addresses, args, groups); err != nil {
		return &device.Error{Fault: device.Internal, Op: "launch " + k.spec.Name, Err: err}
	}
	return nil
}

// evaluate runs a kernel in the evaluator.
func (d *Device) evaluate(k *kernel, l *device.Launch, blocks [][]byte, failure []byte) error {
	var fail eval.Failure
	if w := binary.LittleEndian.Uint32(failure); w != 0 {
		fail.Set(int32(w-1), nil)
	}
	args, groups, room := k.code.Unpack(k.decl, l.Params)
	var stop atomic.Bool
	if d.timeout > 0 {
		defer time.AfterFunc(d.timeout, func() { stop.Store(true) }).Stop()
	}
	run := eval.Launch{Groups: groups, Args: args, Blocks: blocks, Room: room, Fail: &fail, Stop: &stop, Subgroup: d.subs}
	if d.watch != nil {
		run.Watch = eval.NewWatch(k.decl, groups*int64(k.decl.GroupSize))
	}
	if d.races {
		run.Races = new(eval.Races)
	}
	start := time.Now()
	err := k.run.Run(run)
	if stop.Load() && time.Since(start) >= d.timeout {
		return d.health.Expire("launch "+k.spec.Name, d.timeout)
	}
	if err != nil {
		return &device.Error{Fault: device.Internal, Op: "launch " + k.spec.Name, Err: err}
	}
	if site, values, ok := fail.Get(); ok && binary.LittleEndian.Uint32(failure) == 0 {
		binary.LittleEndian.PutUint32(failure, uint32(site)+1)
		for i, v := range values {
			binary.LittleEndian.PutUint64(failure[4*(imp.FailureValues+2*i):], v)
		}
	}
	if d.watch != nil {
		d.watch(Access{k.spec.Name, run.Watch.Threads(), run.Watch.Accesses(), run.Watch.Traffic(k.decl)})
	}
	return nil
}

// bind returns the memory of a kernel's global arrays and of the failure buffer,
// which is the last of the bindings.
func (d *Device) bind(k *kernel, bs []device.Binding) (blocks [][]byte, failure []byte, err error) {
	op := "launch " + k.spec.Name
	for _, b := range bs {
		m, err := d.bytes(op, b.Buffer, b.Offset, b.Size)
		if err != nil {
			return nil, nil, err
		}
		blocks = append(blocks, m)
	}
	last := len(blocks) - 1
	if last != k.decl.Globals() || len(blocks[last]) < 4*imp.FailureWords {
		return nil, nil, &device.Error{Fault: device.Misuse, Op: op, Detail: "no failure buffer"}
	}
	return blocks[:last], blocks[last], nil
}
