package cpu

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

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
	// Program, if it is known, is a hash of the program that kernels are of: without a compiler its kept code is used.
	Program string
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
	d.modules = &modules{print: o.Print, stopName: o.StopName, build: o.Build, program: o.Program, warn: o.Warn, kept: map[string]uintptr{}}
	d.modules.bundle, d.modules.unbundled = pick(o.Bundled)
	c, err := findCompiler(o.Compiler)
	if err != nil {
		c = remembered(o.Program, err)
	}
	d.modules.compiler, d.modules.uncompiled = c, err
	if d.modules.bundle != nil {
		d.facts.Compiled, d.facts.API, d.facts.Driver = true, "compiled code", "code for "+d.modules.bundle.head.Machine
		return d
	}
	if c == nil {
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
	d.facts.Compiled, d.facts.API, d.facts.Driver = true, "compiled code", c.path
	if c.gone != nil {
		d.facts.API = "kept compiled code"
	}
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

func (d *Device) count(f func(*device.Stats)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f(&d.stats)
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
