package host

import (
	"context"
	"io"
	"os"
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
	prog   *imp.Prog
	dev    device.Device
	print  Printer
	code   *eval.Prog
	parts  Parts
	rounds rounds
	// ordinary is how many bytes a buffer may have that every kernel can bind whole and index; mostGroups bounds the
	// first dimension of launches.
	ordinary, mostGroups int64

	initMu sync.Mutex // held while constants are computed; before mu
	ready  bool       // they are

	mu      sync.Mutex // held while host code runs
	blocks  blocks
	kernels map[kernelKey]*kernel
	// rehearsed has the functions of which a rehearsal would find nothing to compile.
	rehearsed map[string]bool
	// compiled has the names of kernels of which some form is compiled, and rooms the rooms of forms, by kernel.
	compiled map[string]bool
	rooms    map[string]*rooms
	literal  map[*imp.Data]uint64
	tunes    []int64 // never written to, but replaced
	compared func(tune string, with int64)
	consts   []uint64
	debug    func(Launched)
	traces   io.Writer // where #[trace] prints
	idle     []*session
	closed   bool
	gathered int64 // see Gathered

	whenPrinted func(codes map[string]Printed) // told once, and nil then
	background  sync.WaitGroup                 // whoever is told
}

// Load compiles the host code of p for a device. Kernels are compiled when they are
// needed: Note [Kernels on demand].
func Load(p *imp.Prog, dev device.Device, print Printer) (*Program, error) {
	return LoadWith(p, declared(p), dev, print)
}

// LoadWith is Load of a program whose functions and kernels are elsewhere.
func LoadWith(p *imp.Prog, parts Parts, dev device.Device, print Printer) (*Program, error) {
	blocks, err := newBlocks(dev, parts)
	if err != nil {
		return nil, err
	}
	out := &Program{
		prog: p, dev: dev, print: print, parts: parts, code: eval.CompileHost(parts.Functions(), parts.Function),
		blocks: blocks, rounds: newRounds(),
		kernels: map[kernelKey]*kernel{}, rehearsed: map[string]bool{}, compiled: map[string]bool{}, rooms: map[string]*rooms{},
		literal: map[*imp.Data]uint64{},
		traces:  os.Stderr,
	}
	f := dev.Facts()
	out.ordinary, out.mostGroups = min(f.MaxBindingSize, imp.WideLimit), int64(f.MaxGroups[0])
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

// withFunctions is the program with its functions, but without kernels if these are elsewhere.
func (p *Program) withFunctions() (*imp.Prog, error) {
	out := *p.prog
	out.Funs = nil
	for _, name := range p.parts.Functions() {
		f, err := p.parts.Function(name)
		if err != nil {
			return nil, err
		}
		out.Funs = append(out.Funs, f)
	}
	return &out, nil
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

// Origin is where in the source a kernel comes from: the place and the calls that lead there, innermost first, a line each; "" if
// nobody knows.
func (p *Program) Origin(kernel string) string {
	if k, err := p.parts.Kernel(kernel); err == nil {
		return k.Where
	}
	return ""
}

// Printed is what was printed of a kernel in its usual form, by the name of the room, "" if it has none.
type Printed map[string]*imp.Code

// WhenPrinted has f told, once and in the background, what was printed of the kernels that the first call needs, by name: before the
// device compiles them, or when the program is closed without a call. Close waits for f.
func (p *Program) WhenPrinted(f func(codes map[string]Printed)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.whenPrinted = f
}

// tellPrinted tells whoever waits for it that the kernels of a call are printed. Program.mu is held.
func (p *Program) tellPrinted() {
	told := p.whenPrinted
	if told == nil {
		return
	}
	p.whenPrinted = nil
	codes := map[string]Printed{}
	for key, k := range p.kernels {
		if k.code == nil || key != (kernelKey{name: key.name, room: key.room}) {
			continue
		}
		if codes[key.name] == nil {
			codes[key.name] = Printed{}
		}
		codes[key.name][key.room] = k.code
	}
	p.background.Go(func() { told(codes) })
}

// Close frees what the program holds on the device. No call may be under way.
func (p *Program) Close() {
	defer p.background.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tellPrinted()
	p.closed = true
	p.blocks.freeAll()
	for _, s := range p.idle {
		p.dev.Free(s.failure)
	}
	p.idle = nil
}
