package cpu

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"skald/middle/imp"
	"skald/runtime/device"
)

// Note [WebAssembly]
//
// Where there is no C compiler, or it fails, kernels are written as modules of WebAssembly, which wazero compiles and which need nothing
// else. All of them import one memory, in which the buffers of the device are; so a launch copies nothing. Functions that are no
// instructions are imported, too: the evaluator's arithmetic computes them. Of each kernel there is a function
//
//	kernel(array …, failure, frame, first, end, groups, argument …)
//
// that runs a range of workgroups, as in Note [Compiled kernels]. Each of the goroutines that call it at one time has a frame, memory for
// its private arrays. Memory is no shared one in the sense of the format: it never grows, and that is all that the difference is about;
// the instructions for atomic operations work in either.
//
// A module calls the device from time to time (the HostFunction without Call): then timers and the garbage collector get their turn,
// and it is told whether to end.

// Assembler writes kernels as one module; the errors say why some cannot be in it.
type Assembler func(ks []*imp.Kernel) (*Assembly, []error)

// Assembly is a module in its binary form, and what it expects.
type Assembly struct {
	Code    []byte
	Entries []AssemblyEntry
	Imports []HostFunction
	// MemoryModule and Memory are what memory is imported by, which has at most mostPages pages; FunctionModule is where functions come from.
	MemoryModule, Memory, FunctionModule string
}

// AssemblyEntry is the function of a kernel; Frame is how many bytes each of its callers brings.
type AssemblyEntry struct {
	Name  string
	Frame int
}

// HostFunction is a function that a module imports, with the codes of types as the binary format has them. Call is nil for the one that
// asks the device whether to end.
type HostFunction struct {
	Name            string
	Params, Results []byte
	Call            func(stack []uint64)
}

// WebAssembly is the name, instead of a compiler's, that asks for it.
const WebAssembly = "wasm"

// webRegisters is how many vectors wazero keeps in registers, on amd64.
const webRegisters = 16

// firstAddress is the lowest address of a buffer: Assembler relies on it.
const firstAddress = 1 << 16

// mostPages bounds the memory, whose size has to fit 32 bits.
const mostPages = 1<<16 - 1

// webModules is the WebAssembly of a device.
type webModules struct {
	assemble Assembler
	memory   *linear
	warn     func(string)
	told     sync.Once // why they are evaluated
	toldWhy  sync.Once // why they are not compiled C
	ended    atomic.Bool

	mu      sync.Mutex
	ctx     context.Context //nolint:containedctx // wazero takes options so
	runtime wazero.Runtime  // nil before the first kernel
	folder  *webFolder      // nil where machine code cannot be kept
	shared  api.Module      // which has the memory
	count   int             // modules that were made
	kept    map[string]*webKernel
}

func newWebModules(o *Options) *webModules {
	return &webModules{
		assemble: o.Assemble, warn: o.Warn, kept: map[string]*webKernel{}, ctx: context.Background(),
		memory: &linear{first: firstAddress, most: mostPages * pageBytes},
	}
}

// webKernel is a kernel in a module.
type webKernel struct {
	modules *webModules
	module  api.Module
	entry   AssemblyEntry

	mu   sync.Mutex
	idle []*webWorker
}

// webWorker is what calls a kernel: one at a time. A launch takes all that it has use for at once: to ask for one a range took 16 workers
// longer than the ranges, as they waited for each other.
type webWorker struct {
	function api.Function
	frame    *block
	stack    []uint64
}

// add compiles kernels that are not compiled yet. What cannot be compiled is evaluated.
func (m *webModules) add(specs []device.KernelSpec) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.addFresh(unknown(m.kept, specs))
}

// addNew compiles kernels that nobody gave it before.
func (m *webModules) addNew(ks kernelTexts) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.addFresh(ks)
}

// addFresh compiles kernels. The lock is held.
func (m *webModules) addFresh(ks kernelTexts) {
	if len(ks.texts) == 0 {
		return
	}
	if err := m.module(ks); err != nil {
		m.slow(err)
	}
}

// instead says, once, why kernels are WebAssembly and not compiled C.
func (m *webModules) instead(why error) {
	m.toldWhy.Do(func() {
		if m.warn != nil {
			m.warn(fmt.Sprintf("running WebAssembly, which is several times slower than compiled C: %v", why))
		}
	})
}

// slow says, once, why kernels run in the evaluator.
func (m *webModules) slow(err error) {
	m.told.Do(func() {
		if m.warn != nil {
			m.warn(fmt.Sprintf("running in the evaluator, which is many times slower than WebAssembly: %v", err))
		}
	})
}

// module compiles kernels as one module.
func (m *webModules) module(ks kernelTexts) error {
	a, limits := m.assemble(ks.kernels)
	if err := m.start(a); err != nil {
		return err
	}
	compiled, err := m.compile(m.runtime, a.Code)
	if err != nil {
		return fmt.Errorf("WebAssembly: %w", err)
	}
	m.count++
	name := fmt.Sprintf("%s%d", a.FunctionModule, m.count)
	host := m.runtime.NewHostModuleBuilder(name)
	for _, f := range a.Imports {
		host.NewFunctionBuilder().WithGoFunction(api.GoFunc(m.hostFunction(f.Call)), f.Params, f.Results).Export(f.Name)
	}
	hosted, err := host.Compile(m.ctx)
	if err != nil {
		return fmt.Errorf("WebAssembly: %w", err)
	}
	functions, err := m.runtime.InstantiateModule(m.ctx, hosted, wazero.NewModuleConfig().WithName(name))
	if err != nil {
		return fmt.Errorf("WebAssembly: %w", err)
	}
	resolved := experimental.WithImportResolver(m.ctx, func(name string) api.Module {
		if name == a.MemoryModule {
			return m.shared
		}
		return functions
	})
	module, err := m.runtime.InstantiateModule(resolved, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return fmt.Errorf("WebAssembly: %w", err)
	}
	for i, e := range a.Entries {
		if limits[i] == nil {
			m.kept[ks.texts[i]] = &webKernel{modules: m, module: module, entry: e}
		}
	}
	return errors.Join(limits...)
}

// compile makes machine code of a module, or takes what is kept of it.
func (m *webModules) compile(r wazero.Runtime, module []byte) (wazero.CompiledModule, error) {
	compile := func() (wazero.CompiledModule, error) {
		return r.CompileModule(experimental.WithCompilationWorkers(m.ctx, runtime.GOMAXPROCS(0)), module)
	}
	if m.folder == nil {
		return compile()
	}
	return m.folder.compile(module, compile)
}

// hostFunction is a function that modules call: call, or what asks whether to end.
func (m *webModules) hostFunction(call func([]uint64)) func(context.Context, []uint64) {
	if call != nil {
		return func(_ context.Context, stack []uint64) { call(stack) }
	}
	return func(_ context.Context, stack []uint64) {
		runtime.Gosched()
		stack[0] = 0
		if m.ended.Load() {
			stack[0] = 1
		}
	}
}

// start makes the runtime, with the module that has the memory. The lock is held.
func (m *webModules) start(a *Assembly) error {
	if m.runtime != nil {
		return nil
	}
	bytes, err := m.memory.whole()
	if err != nil {
		return err
	}
	config := wazero.NewRuntimeConfig().WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesThreads).WithDebugInfoEnabled(false)
	if m.folder = newWebFolder(); m.folder != nil {
		config = config.WithCompilationCache(m.folder.cache)
	}
	r := wazero.NewRuntimeWithConfig(m.ctx, config)
	compiled, err := m.compile(r, memoryModule(a.Memory, len(bytes)/pageBytes))
	if err == nil {
		allocator := experimental.MemoryAllocatorFunc(func(uint64, uint64) experimental.LinearMemory { return ownMemory(bytes) })
		m.shared, err = r.InstantiateModule(experimental.WithMemoryAllocator(m.ctx, allocator), compiled,
			wazero.NewModuleConfig().WithName(a.MemoryModule))
	}
	if err != nil {
		return fmt.Errorf("WebAssembly: %w", errors.Join(err, r.Close(m.ctx)))
	}
	m.runtime = r
	return nil
}

// ownMemory is memory that is there already.
type ownMemory []byte

// Reallocate returns as much of it as is asked for.
func (o ownMemory) Reallocate(size uint64) []byte {
	if size > uint64(len(o)) {
		return nil
	}
	return o[:size]
}

// Free leaves it to its owner.
func (ownMemory) Free() {}

// memoryModule is a module in its binary form that has nothing but a memory, of so many pages, which it exports by a name.
func memoryModule(name string, pages int) []byte {
	size := binary.AppendUvarint(nil, uint64(pages))
	memory := append([]byte{1, 1}, size...) // one, limited
	memory = append(memory, size...)
	export := append([]byte{1, byte(len(name))}, name...)
	export = append(export, 2, 0) // the memory, the first
	out := append([]byte("\x00asm\x01\x00\x00\x00"), 5, byte(len(memory)))
	out = append(out, memory...)
	out = append(out, 7, byte(len(export)))
	return append(out, export...)
}

// function is a kernel that was compiled; nil if it is evaluated.
func (m *webModules) function(source string) *webKernel {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[source]
}

// end ends all kernels, now and later.
func (m *webModules) end() { m.ended.Store(true) }

// close releases code and memory.
func (m *webModules) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	if m.runtime != nil {
		err = m.runtime.Close(m.ctx)
		if m.folder != nil {
			err = errors.Join(err, m.folder.cache.Close(m.ctx))
		}
	}
	m.memory.close()
	return err
}

// take returns n workers that do nothing else.
func (k *webKernel) take(n int) ([]*webWorker, error) {
	k.mu.Lock()
	idle := min(len(k.idle), n)
	out := append(make([]*webWorker, 0, n), k.idle[len(k.idle)-idle:]...)
	k.idle = k.idle[:len(k.idle)-idle]
	k.mu.Unlock()
	for len(out) < n {
		w, err := k.worker()
		if err != nil {
			k.release(out)
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
}

// worker makes one.
func (k *webKernel) worker() (*webWorker, error) {
	w := &webWorker{function: k.module.ExportedFunction(k.entry.Name)}
	if w.function == nil {
		return nil, fmt.Errorf("the module has no function %s", k.entry.Name)
	}
	var err error
	w.frame, err = k.modules.memory.make(int64(k.entry.Frame))
	return w, err
}

// release takes workers back.
func (k *webKernel) release(ws []*webWorker) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.idle = append(k.idle, ws...)
}

// run runs the kernel on all workgroups. Buffers are given by their addresses, the last one that of failures.
func (k *webKernel) run(addresses []uint64, args []uint64, groups int64) error {
	workers, err := k.take(workersOf(groups))
	if err != nil {
		return err
	}
	defer k.release(workers)
	var failed atomic.Pointer[error]
	eachRange(groups, len(workers), func(me int, first, end int64) {
		if failed.Load() != nil {
			return
		}
		w := workers[me]
		w.stack = append(append(w.stack[:0], addresses...), uint64(w.frame.at), uint64(first), uint64(end), uint64(groups))
		w.stack = append(w.stack, args...)
		if err := w.function.CallWithStack(k.modules.ctx, w.stack); err != nil {
			failed.CompareAndSwap(nil, &err)
		}
	})
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}
