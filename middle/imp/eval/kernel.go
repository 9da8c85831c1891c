package eval

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"skald/middle/imp"
)

// Kernel is a compiled kernel. It may be run from several goroutines at once.
type Kernel struct {
	decl    *imp.Kernel
	globals int
	flat    bool         // blocks may span workgroups
	wide    func() *form // nil where blocks cannot have several lanes
	narrow  func() *form
}

// form is what a kernel was compiled to for blocks of one width.
type form struct {
	width           int
	kernel          frame
	deviceFunctions []*deviceFunction // by number
	flat            code
	body            gstm // of kernels that are not flat
	groups          sync.Pool
}

// frame says what a block needs to run the code of a unit.
type frame struct {
	unit      *unit
	registers int
	agreed    func(imp.Var) bool
	reg       func(imp.Var) int
}

// unit is code with variables of its own: a kernel's or a device function's.
type unit struct {
	name           string
	deviceFunction *imp.DeviceFunction // nil for a kernel
	scope          imp.Scope
	params         []imp.Var
	body           []imp.Stm
	results        []imp.Exp
	watch          watching
}

// CompileKernel compiles a kernel that imp.Verify accepts.
func CompileKernel(k *imp.Kernel) *Kernel { return compileKernel(k, unwatched) }

// CompileWatched is CompileKernel for launches that count accesses to memory: see Launch.Watch.
func CompileWatched(k *imp.Kernel) *Kernel { return compileKernel(k, watched) }

// CompileChecked is CompileKernel for launches that stop at races: see Launch.Races.
func CompileChecked(k *imp.Kernel) *Kernel { return compileKernel(k, checked) }

func compileKernel(k *imp.Kernel, w watching) *Kernel {
	out := &Kernel{decl: k, globals: k.Globals(), flat: !k.HasCollective()}
	for _, m := range k.Mems {
		out.flat = out.flat && m.Space != imp.Shared
	}
	out.wide = sync.OnceValue(func() *form {
		if w == checked { // Threads run one by one: Note [Races].
			return nil
		}
		return compileLanes(k, out.flat, w)
	})
	out.narrow = sync.OnceValue(func() *form {
		var units []*compiler
		for _, u := range unitsOf(k, w) {
			units = append(units, &compiler{unit: u, width: 1})
		}
		return compileUnits(units, k, out.flat)
	})
	return out
}

// unitsOf lists the device functions that a kernel calls, each behind those that it calls, and then the kernel.
func unitsOf(k *imp.Kernel, w watching) []*unit {
	var out []*unit
	for _, r := range imp.DeviceFunctions(k.Body) {
		out = append(out, &unit{r.Name, r, r.Scope(), r.Params, r.Body, r.Results, w})
	}
	return append(out, &unit{k.Name, nil, k.Scope(), k.Params, k.Body, nil, w})
}

// blockLanes is how many threads a block has, unless what they hold then takes more than blockBytes: the processor's cache
// would not keep it.
const (
	blockLanes  = 128
	fewestLanes = 8
	blockBytes  = 1 << 18
)

// compileLanes compiles a kernel for blocks of many lanes, or returns nil if each of them holds too much.
func compileLanes(k *imp.Kernel, flat bool, w watching) *form {
	var units []*compiler
	held := 0 // bytes of a lane
	for _, in := range unitsOf(k, w) {
		u := classify(in, flat)
		regs := assignRegisters(in, func(v imp.Var) bool { return u.varying[v] })
		held += 8 * regs.count
		for _, m := range in.scope.Mems {
			if m.Space == imp.Private {
				held += m.Count * m.Elem.Size()
			}
		}
		units = append(units, &compiler{unit: in, classes: u, regs: regs})
	}
	width := blockLanes
	if !flat {
		width = min(width, k.GroupSize)
	}
	for width*held > blockBytes {
		width /= 2
	}
	if width < fewestLanes {
		return nil
	}
	for _, c := range units {
		c.width = width
	}
	return compileUnits(units, k, flat)
}

// compileUnits compiles device functions and the kernel behind them.
func compileUnits(units []*compiler, k *imp.Kernel, flat bool) *form {
	f := &form{width: units[0].width}
	deviceFunctions := map[*imp.DeviceFunction]*deviceFunction{}
	for _, c := range units {
		c.name, c.scope, c.groupSize, c.deviceFunctions = c.unit.name, c.unit.scope, int64(k.GroupSize), deviceFunctions
		switch {
		case c.unit.deviceFunction != nil:
			r := c.deviceFunction(len(f.deviceFunctions))
			deviceFunctions[c.unit.deviceFunction] = r
			f.deviceFunctions = append(f.deviceFunctions, r)
		case flat:
			f.flat = c.seq(k.Body)
		default:
			f.body = c.groupSeq(k.Body)
		}
		f.kernel = c.frame()
	}
	return f
}

// frame is that of the code that has been compiled.
func (c *compiler) frame() frame {
	n := len(c.scope.Vars)
	if c.lockstep() {
		n = c.regs.count + c.levels
	}
	return frame{c.unit, max(n, 1), c.agreed, c.reg}
}

// Launch says what a kernel runs on.
type Launch struct {
	Groups int64
	Args   []uint64 // as registers hold them, by imp.Kernel.Params
	Blocks [][]byte // the global arrays
	Room   []int64  // how many elements sized arrays have
	Fail   *Failure
	// Subgroup is the number of threads of a subgroup; zero means 4.
	Subgroup int
	// Workers is the number of goroutines; zero means one a processor.
	Workers int
	// Stop, if not nil, ends the launch soon after it is set. What the kernel leaves is then undefined.
	Stop *atomic.Bool
	// Watch, if not nil, counts the accesses of a kernel compiled by CompileWatched.
	Watch *Watch
	// Races, if not nil, is new, and finds races of a kernel compiled by CompileChecked, which are errors.
	Races *Races
}

// Run executes a kernel. An error means that the kernel itself is wrong.
func (k *Kernel) Run(l Launch) error {
	if l.Groups <= 0 || k.decl.Guarded && l.Fail.Failed() {
		return nil
	}
	if len(l.Args) != len(k.decl.Params) || len(l.Blocks) != k.globals {
		return fmt.Errorf("kernel %s: %d arguments and %d blocks for %d and %d",
			k.decl.Name, len(l.Args), len(l.Blocks), len(k.decl.Params), k.globals)
	}
	if sized := k.decl.Sized(); len(l.Room) != len(sized) {
		return fmt.Errorf("kernel %s: %d sizes of arrays for %d", k.decl.Name, len(l.Room), len(sized))
	}
	if l.Subgroup == 0 {
		l.Subgroup = 4
	}
	if l.Fail == nil {
		l.Fail = new(Failure)
	}
	if l.Workers == 0 {
		l.Workers = runtime.GOMAXPROCS(0)
	}
	if l.Stop == nil {
		l.Stop = new(atomic.Bool)
	}
	if l.Races != nil {
		l.Workers = 1
	}
	f, part, parts := k.divide(&l)
	// Parts are handed out in runs, so that the counter is not contended.
	run := max(1, min(256, parts/int64(4*l.Workers)))
	workers := int(min(int64(l.Workers), (parts+run-1)/run))
	var next atomic.Int64
	errs := make([]error, workers)
	work := func(w int) {
		defer func() {
			if r := recover(); r != nil {
				errs[w] = asError(r)
			}
		}()
		g := k.group(f, &l)
		for {
			lo := next.Add(run) - run
			if lo >= parts || l.Stop.Load() {
				g.release(k.globals)
				f.groups.Put(g)
				return
			}
			for i := lo; i < min(lo+run, parts); i++ {
				k.runPart(f, g, i*part, min(part, l.Groups*int64(k.decl.GroupSize)-i*part))
			}
		}
	}
	if workers == 1 {
		work(0)
		return errs[0]
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { work(w) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// divide chooses a form for a launch, and how many threads, and how often so many, make a part of the work: a workgroup, or
// a block of threads of any.
func (k *Kernel) divide(l *Launch) (f *form, part, parts int64) {
	size := int64(k.decl.GroupSize)
	threads, part := l.Groups*size, size
	if k.flat {
		part = min(blockLanes, (threads+int64(l.Workers)-1)/int64(l.Workers))
	}
	if part >= fewestLanes {
		f = k.wide()
	}
	if f == nil {
		f = k.narrow()
	}
	if k.flat {
		part = min(part, int64(f.width))
	}
	return f, part, (threads + part - 1) / part
}

func asError(r any) error {
	if f, ok := r.(fault); ok {
		return f
	}
	panic(r)
}

// group returns the state that a worker uses for one part after another.
func (k *Kernel) group(f *form, l *Launch) *group {
	g, ok := f.groups.Get().(*group)
	if !ok {
		g = k.newGroup(f)
	}
	g.count, g.subgroup, g.fail, g.stop, g.watch = l.Groups, int64(l.Subgroup), l.Fail, l.Stop, l.Watch
	g.races = l.Races
	g.makeRoom(k.decl, l.Room)
	for _, b := range g.blocks {
		copy(b.mems, l.Blocks)
		for i, v := range k.decl.Params {
			if f.kernel.agreed(v) {
				b.same[v] = l.Args[i]
			} else {
				fill(b.file[f.kernel.reg(v):][:f.width], l.Args[i])
			}
		}
	}
	return g
}

// makeRoom makes sized arrays with as many elements as a launch says.
func (g *group) makeRoom(k *imp.Kernel, room []int64) {
	for i, m := range k.Sized() {
		size := int(room[i]) * k.Mems[m].Elem.Size()
		if len(g.blocks[0].mems[m]) == size {
			continue
		}
		array := make([]byte, size)
		for _, b := range g.blocks {
			b.mems[m] = array
		}
	}
}

// release lets go of what belongs to a launch.
func (g *group) release(globals int) {
	g.fail, g.stop, g.races = nil, nil, nil
	for _, b := range g.blocks {
		clear(b.mems[:globals])
	}
}

func (k *Kernel) newGroup(f *form) *group {
	g := &group{blocks: make([]*block, 1)}
	if !k.flat {
		g.blocks = make([]*block, (k.decl.GroupSize+f.width-1)/f.width)
	}
	shared := make([][]byte, len(k.decl.Mems))
	for m, d := range k.decl.Mems {
		if d.Space == imp.Shared {
			shared[m] = make([]byte, d.Count*d.Elem.Size())
		}
	}
	for i := range g.blocks {
		b := f.kernel.newBlock(g, f.width, shared)
		for _, r := range f.deviceFunctions {
			frame := r.frame.newBlock(g, f.width, make([][]byte, len(r.frame.unit.scope.Mems)))
			b.frames = append(b.frames, frame)
			frame.frames = b.frames
		}
		g.blocks[i] = b
	}
	return g
}

// newBlock makes a block whose lanes share arrays, but for private ones, which it makes.
func (f *frame) newBlock(g *group, width int, shared [][]byte) *block {
	b := &block{file: make([]uint64, f.registers*width), width: width, ended: make([]bool, width)}
	b.group, b.mems = g, append([][]byte(nil), shared...)
	b.same = make([]uint64, len(f.unit.scope.Vars))
	for m, d := range f.unit.scope.Mems {
		if d.Space == imp.Private {
			b.mems[m] = make([]byte, d.Count*d.Elem.Size()*width)
		}
	}
	return b
}

// runPart runs a number of threads, of which the first has an id.
func (k *Kernel) runPart(f *form, g *group, first, threads int64) {
	for i, b := range g.blocks {
		at := int64(i * f.width)
		b.start(first+at, int(min(int64(f.width), threads-at)))
	}
	if k.flat {
		g.blocks[0].runAll(f.flat)
		return
	}
	f.body(g)
}
