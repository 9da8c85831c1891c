package host

import (
	"context"
	"fmt"
	"sync"

	"skald/middle/imp"
	"skald/middle/imp/eval"
	"skald/runtime/device"
)

// Printer prints a kernel for the program's device.
type Printer func(k *imp.Kernel) (*imp.Code, error)

// Program is a low-level program on a device. Its methods may be called from
// several goroutines at once: see Note [Overlapping calls].
type Program struct {
	prog  *imp.Prog
	dev   device.Device
	print Printer
	code  *eval.Prog
	decls map[string]*imp.Kernel
	fails bool // some kernel may fail
	// ordinary is how many bytes a buffer may have that every kernel can bind whole and index; mostGroups bounds the
	// first dimension of launches.
	ordinary, mostGroups int64

	initMu sync.Mutex // held while constants are computed; before mu
	ready  bool       // they are

	mu      sync.Mutex // held while host code runs
	blocks  blocks
	kernels map[kernelKey]*kernel
	literal map[*imp.Data]uint64
	tunes   []int64 // never written to, but replaced
	consts  []uint64
	debug   func(Launched)
	idle    []*session
	closed  bool
}

// kernelKey names a form of a kernel: which of its arrays are one block, which are bound in pieces, and whether it is
// wide: see package imp's Note [Wide kernels].
type kernelKey struct {
	name, alias, pieces string
	wide                bool
}

// kernel is a kernel as the device has it.
type kernel struct {
	key  kernelKey
	decl *imp.Kernel
	code *imp.Code
	run  device.Kernel
	into packing       // which arrays lie in one buffer; nil if none do
	mems []imp.MemDecl // the arrays, each by itself
}

// Load compiles the host code of p for a device. Kernels are compiled when an
// entry point that launches them is first called, or by Compile.
func Load(p *imp.Prog, dev device.Device, print Printer) (*Program, error) {
	out := &Program{
		prog: p, dev: dev, print: print, code: eval.CompileHost(p), blocks: newBlocks(dev),
		decls: map[string]*imp.Kernel{}, kernels: map[kernelKey]*kernel{}, literal: map[*imp.Data]uint64{},
	}
	f := dev.Facts()
	out.ordinary, out.mostGroups = min(f.MaxBindingSize, imp.WideLimit), int64(f.MaxGroups[0])
	for _, k := range p.Kernels {
		out.decls[k.Name] = k
		out.fails = out.fails || k.HasAssert()
	}
	for _, t := range p.Tunes {
		out.tunes = append(out.tunes, t.Default)
	}
	s, err := out.session(context.Background()) // A device that has no room even for this says so now.
	if err != nil {
		return nil, err
	}
	out.rest(s)
	return out, nil
}

// Device is the device that the program runs on.
func (p *Program) Device() device.Device { return p.dev }

// Entries lists the entry points.
func (p *Program) Entries() []imp.Entry { return p.prog.Entries }

// Entry finds an entry point by name, or nil.
func (p *Program) Entry(name string) *imp.Entry {
	for i := range p.prog.Entries {
		if p.prog.Entries[i].Name == name {
			return &p.prog.Entries[i]
		}
	}
	return nil
}

// Compile compiles, in parallel, the kernels that an entry point may launch.
func (p *Program) Compile(entry string) error {
	e := p.Entry(entry)
	if e == nil {
		return fmt.Errorf("the program has no entry point %q", entry)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.compile(e)
}

func (p *Program) compile(e *imp.Entry) error {
	names := map[string]bool{}
	var order []*imp.Kernel
	seen := map[string]bool{}
	var visit func(fun string)
	visit = func(fun string) {
		f := p.prog.Fun(fun)
		if f == nil || seen[fun] {
			return
		}
		seen[fun] = true
		imp.Walk(f.Body, func(s imp.Stm) bool {
			switch s := imp.MatchStm(s).(type) {
			case *imp.Call:
				visit(s.Fun)
			case *imp.Launch:
				if !names[s.Kernel] {
					names[s.Kernel] = true
					order = append(order, p.decls[s.Kernel])
				}
			default:
			}
			return true
		})
	}
	visit(e.Fun)
	return p.compileKernels(order)
}

// compileKernels compiles what is not compiled yet.
func (p *Program) compileKernels(ks []*imp.Kernel) error {
	var fresh []*kernel
	var specs []device.KernelSpec
	for _, k := range ks {
		if p.kernels[kernelKey{name: k.Name}] != nil {
			continue
		}
		form, err := p.printed(k)
		if err != nil {
			return err
		}
		fresh = append(fresh, form)
		specs = append(specs, specOf(form.decl, form.code))
	}
	runs, err := p.dev.Compile(specs)
	if err != nil {
		return err
	}
	for i, k := range fresh {
		k.key, k.run = kernelKey{name: k.decl.Name}, runs[i]
		p.kernels[k.key] = k
	}
	return nil
}

// printed is a kernel with its text, and with no more buffers than the device binds if that can be.
func (p *Program) printed(k *imp.Kernel) (*kernel, error) {
	into := pack(k, p.dev.Facts().MaxBindings)
	out := &kernel{decl: k, into: into, mems: k.Mems}
	if into != nil {
		out.decl = imp.PackMems(k, into)
	}
	var err error
	out.code, err = p.print(out.decl)
	return out, err
}

// indexable reports an array with more elements than a kernel can tell apart.
func (p *Program) indexable(k *kernel, own []device.Binding) error {
	if k.code.Wide {
		return nil
	}
	for i, b := range own {
		if b.Buffer.Size()/int64(k.mems[i].Elem.Size()) >= imp.WideLimit {
			return fmt.Errorf("kernel %s: array %s has 2^32 or more elements, which this device's kernels cannot index",
				k.decl.Name, k.mems[i].Name)
		}
	}
	return nil
}

func specOf(k *imp.Kernel, c *imp.Code) device.KernelSpec {
	buffers := k.Buffers()
	if c.Failure {
		buffers++
	}
	return device.KernelSpec{
		Name: k.Name, Source: c.Source, Entry: c.Entry, Buffers: buffers, Params: c.Bytes, Immediate: c.Immediate, Shared: c.Shared,
		Workgroup: [3]uint32{uint32(k.GroupSize), 1, 1},
	}
}

// form is a kernel in which the arrays that alias says are one: alias[i] is
// the first array that lies in the same block as array i. If wide is set it computes indices with 64 bits.
func (p *Program) form(name string, alias []int, wide bool) (*kernel, error) {
	key := kernelKey{name: name, wide: wide}
	for i, a := range alias {
		if a != i {
			key.alias = fmt.Sprint(alias)
		}
	}
	if k := p.kernels[key]; k != nil {
		return k, nil
	}
	decl := p.decls[name]
	if key.alias != "" {
		decl = imp.MergeMems(decl, alias)
	}
	if wide {
		decl = imp.WidenKernel(decl)
	}
	k, err := p.printed(decl)
	if err != nil {
		return nil, err
	}
	return k, p.compileForm(key, k)
}

// compileForm compiles one form of a kernel and keeps it.
func (p *Program) compileForm(key kernelKey, k *kernel) error {
	runs, err := p.dev.Compile([]device.KernelSpec{specOf(k.decl, k.code)})
	if err != nil {
		return err
	}
	k.key, k.run = key, runs[0]
	p.kernels[key] = k
	return nil
}

// Close frees what the program holds on the device. No call may be under way.
func (p *Program) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.blocks.freeAll()
	for _, s := range p.idle {
		p.dev.Free(s.failure)
	}
	p.idle = nil
}
