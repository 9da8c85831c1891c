package cpu

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"

	"skald/middle/imp"
	"skald/runtime/cache"
	"skald/runtime/device"
)

// Printer prints kernels as one text in C. The function of each is called as entries says, unless errs says why it cannot be one; stop is
// the name of the variable that ends them.
type Printer func(ks []*imp.Kernel) (text string, entries []string, errs []error, err error)

// modules is the compiled code of a device.
type modules struct {
	compiler *compiler // nil if all code there is was compiled before
	bundle   *bundle   // what was; nil if nothing was for this processor
	// unbundled and uncompiled say why there is no code for a kernel in the bundle, and no compiler.
	unbundled, uncompiled error

	print    Printer
	build    []byte // of skald, if it is known: see keptName
	program  string // whose code it is, if it is known: see Note [Kept code without a compiler]
	stopName string
	warn     func(string)

	mu   sync.Mutex
	kept map[string]uintptr // addresses of functions, by the text of the kernel; 0 if it is evaluated
	told sync.Once

	stopMu sync.Mutex
	stops  []*int32 // variables that end the kernels of each module
	ended  bool
}

// slow says, once, why kernels run in the evaluator.
func (m *modules) slow(err error) {
	m.told.Do(func() {
		if m.warn != nil {
			m.warn(fmt.Sprintf("running in the evaluator, which is many times slower than compiled code: %v", err))
		}
	})
}

// kernelTexts are kernels with their texts.
type kernelTexts struct {
	texts   []string
	kernels []*imp.Kernel
}

// part are some of them.
func (k kernelTexts) part(from, to int) kernelTexts {
	return kernelTexts{k.texts[from:to], k.kernels[from:to]}
}

// and are these and others.
func (k kernelTexts) and(others kernelTexts) kernelTexts {
	return kernelTexts{slices.Concat(k.texts, others.texts), slices.Concat(k.kernels, others.kernels)}
}

// unknown lists the kernels of which nothing is kept yet, and keeps nothing for them: until there is code, or for good, they are evaluated.
func unknown[Code any](kept map[string]Code, specs []device.KernelSpec) (out kernelTexts) {
	var nothing Code
	for i := range specs {
		if _, ok := kept[specs[i].Source]; ok {
			continue
		}
		k, err := parseKernel(&specs[i])
		if err != nil {
			continue // It is reported when the kernel is asked for.
		}
		kept[specs[i].Source] = nothing
		out.texts, out.kernels = append(out.texts, specs[i].Source), append(out.kernels, k)
	}
	return out
}

// add compiles kernels that are not compiled yet, several modules at a time. Those that are left could not be compiled, and why says why;
// those that C has not are evaluated.
func (m *modules) add(specs []device.KernelSpec) (left kernelTexts, why error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fresh := m.addBundled(unknown(m.kept, specs))
	all := len(fresh.texts)
	switch {
	case all == 0:
		return left, nil
	case m.compiler == nil:
		return fresh, both(m.unbundled, m.uncompiled)
	}
	parts := min(m.compiler.modules, (all+leastKernels-1)/leastKernels)
	part := func(i int) kernelTexts { return fresh.part(all*i/parts, all*(i+1)/parts) }
	found, errs := make([]*moduleFunctions, parts), make([]error, parts)
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() { found[i], errs[i] = m.module(part(i)) })
	}
	wait.Wait()
	for i := range parts {
		if errs[i] != nil {
			left, why = left.and(part(i)), cmp.Or(why, errs[i])
			continue
		}
		for j, text := range part(i).texts {
			m.kept[text] = found[i].functions[j]
		}
		if found[i].limits != nil {
			m.slow(found[i].limits)
		}
	}
	if why == nil {
		m.compiler.remember(m.program)
	}
	if errors.Is(why, errEndless) {
		m.compiler, m.uncompiled = nil, why
	}
	return left, why
}

// moduleFunctions are the functions of a module: 0 for those that limits, which says why, keep from being in C.
type moduleFunctions struct {
	functions []uintptr
	limits    error
}

// both puts two reasons into one sentence; either may be nil.
func both(a, b error) error {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return fmt.Errorf("%w, and %w", a, b)
}

// leastKernels is how many kernels a module has, at least, before there is another one.
const leastKernels = 3

// module compiles kernels as one module.
func (m *modules) module(ks kernelTexts) (*moduleFunctions, error) {
	name := m.keptName(ks.texts)
	if name != "" {
		if entries, code, err := splitCode(cache.Read(cacheFolder, name), ks.texts); err == nil {
			return m.functions(code, entries, make([]error, len(entries)))
		}
	}
	text, entries, limits, err := m.print(ks.kernels)
	if err != nil {
		return nil, err
	}
	if errors.Join(limits...) != nil {
		name = ""
	}
	var code []byte
	if name == "" {
		code, err = m.compiler.code(text)
	} else {
		code, err = m.compiler.compile(text)
	}
	if err != nil {
		return nil, err
	}
	out, err := m.functions(code, entries, limits)
	if err == nil && name != "" {
		if data, err := joinCode(ks.texts, entries, code); err == nil {
			keepCode(name, data)
		}
	}
	return out, err
}

// keptName is what the code of kernels is kept by where the build of skald is known, which prints the same kernels in the same way: so
// that nothing has to be printed where it is kept. It is empty where the build is not known: then code is kept by its text.
func (m *modules) keptName(sources []string) string {
	if len(m.build) == 0 {
		return ""
	}
	parts := append([]string{fmt.Sprintf("%x", m.build), m.compiler.key()}, sources...)
	return fmt.Sprintf("%x.code", sha256.Sum256([]byte(strings.Join(parts, "\x00"))))
}

// functions loads the code of kernels.
func (m *modules) functions(code []byte, entries []string, limits []error) (*moduleFunctions, error) {
	lib, err := loadCode(code)
	if err != nil {
		return nil, fmt.Errorf("the code that %s made cannot be loaded: %w", m.compiler.path, err)
	}
	stop := lib.Symbol(m.stopName)
	out := make([]uintptr, len(entries))
	for i, e := range entries {
		if limits[i] == nil {
			out[i] = lib.Symbol(e)
		}
		if limits[i] == nil && out[i] == 0 || stop == 0 {
			return nil, fmt.Errorf("the code that %s made is not complete", m.compiler.path)
		}
	}
	m.track((*int32)(*(*unsafe.Pointer)(unsafe.Pointer(&stop))))
	return &moduleFunctions{out, errors.Join(limits...)}, nil
}

// track notes the variable that ends the kernels of a module.
func (m *modules) track(stop *int32) {
	m.stopMu.Lock()
	defer m.stopMu.Unlock()
	m.stops = append(m.stops, stop)
	if m.ended {
		atomic.StoreInt32(stop, 1)
	}
}

// end ends all kernels, now and later.
func (m *modules) end() {
	m.stopMu.Lock()
	defer m.stopMu.Unlock()
	m.ended = true
	for _, s := range m.stops {
		atomic.StoreInt32(s, 1)
	}
}

// function is the address of a kernel's function; 0 if it is evaluated.
func (m *modules) function(source string) uintptr {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[source]
}

// call is what the function of a kernel is called with, in memory that does not move.
type call struct {
	arrays  []unsafe.Pointer
	params  []byte
	failure []byte
}

// runCompiled runs the function of a kernel on all workgroups.
func (k *kernel) runCompiled(l *device.Launch, blocks [][]byte, failure []byte) {
	c := &call{params: l.Params, failure: failure}
	for _, b := range blocks {
		c.arrays = append(c.arrays, unsafe.Pointer(unsafe.SliceData(b)))
	}
	groups := int64(binary.LittleEndian.Uint32(l.Params[k.code.NumGroups:]))
	arrays, params := uintptr(unsafe.Pointer(unsafe.SliceData(c.arrays))), uintptr(unsafe.Pointer(unsafe.SliceData(c.params)))
	failed := uintptr(unsafe.Pointer(unsafe.SliceData(c.failure)))
	eachRange(groups, workersOf(groups), func(_ int, first, end int64) {
		purego.SyscallN(k.function, arrays, params, failed, uintptr(first), uintptr(end))
	})
	runtime.KeepAlive(c)
}
