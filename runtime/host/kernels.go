package host

import (
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"skald/middle/imp"
	"skald/runtime/device"
)

// Note [Kernels on demand]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// A program has several versions of most of its parallel code, and guards that choose among them when it runs. Drivers take 10 to 50 ms
// for a kernel, so a kernel is printed and compiled when control has passed the last guard before a launch of it. What is needed
// then is a whole round: all launches that are reached without another decision, in the same branch, in its loops and in the
// functions that it calls. The kernels of a round are printed and compiled in parallel, before the first of them is launched, so a
// kernel that the device refuses is an error before the round has done any work.
//
// A launch may need another form of its kernel than the usual one: arrays that are one block, indices of 64 bits, chunked buffers.
// So nothing is compiled before arguments and constants are there, which tell the forms (Note [Rehearsals]), and a round leaves out
// kernels of which a form is compiled: the usual form of poseidon's only large kernel, which no launch took, was half of its first call.

// Parts are the host functions and kernels of a program: those that imp.Prog lists, or those that are kept on disk and read when they are
// asked for (package middle/imp/wire). The methods may be called from several goroutines at once.
type Parts interface {
	// Functions lists the host functions, and Function returns one by name.
	Functions() []string
	Function(name string) (*imp.Fun, error)
	// Kernel returns a kernel by name.
	Kernel(name string) (*imp.Kernel, error)
	// Code is what Printer makes of the kernel in its usual form, with a room that Room names or without, or nil if it has not been
	// printed.
	Code(name, room string) *imp.Code
	// Names lists the kernels.
	Names() []string
	// Arrays is the number of global arrays of a kernel.
	Arrays(name string) int
}

// declaredParts are the parts of an imp.Prog.
type declaredParts struct {
	prog   *imp.Prog
	byName map[string]*imp.Kernel
}

func declared(p *imp.Prog) declaredParts {
	out := declaredParts{p, make(map[string]*imp.Kernel, len(p.Kernels))}
	for _, k := range p.Kernels {
		out.byName[k.Name] = k
	}
	return out
}

func (d declaredParts) Functions() []string {
	names := make([]string, len(d.prog.Funs))
	for i, f := range d.prog.Funs {
		names[i] = f.Name
	}
	return names
}

func (d declaredParts) Function(name string) (*imp.Fun, error) {
	if f := d.prog.Fun(name); f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("the program has no function %q", name)
}

func (d declaredParts) Kernel(name string) (*imp.Kernel, error) {
	if k := d.byName[name]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("the program has no kernel %q", name)
}

func (declaredParts) Code(string, string) *imp.Code { return nil }

func (d declaredParts) Arrays(name string) int {
	if k := d.byName[name]; k != nil {
		return k.Globals()
	}
	return 0
}

func (d declaredParts) Names() []string {
	names := make([]string, len(d.prog.Kernels))
	for i, k := range d.prog.Kernels {
		names[i] = k.Name
	}
	return names
}

// kernelKey names a form of a kernel: which of its arrays are one block, which are bound in chunks, the sizes of those that are
// sized (Note [Forms of rooms]), and whether it is wide: see package imp's Note [Wide kernels].
type kernelKey struct {
	name, alias, chunks, room string
	packing                   string // where it is not the usual one: see Note [Packed arrays]
	wide                      bool
}

// kernel is a form of a kernel.
type kernel struct {
	key   kernelKey
	alias []int         // of the form that key.alias names
	room  []int64       // that key.room names
	decl  *imp.Kernel   // nil before it is printed
	code  *imp.Code     // nil before it is printed
	run   device.Kernel // nil before it is compiled
	mems  []imp.MemDecl // the arrays, each by itself
	most  int           // how many bindings they may take
	// into says which arrays are bound as one, and is nil if none are; shared says of each whether it is one of them.
	into   packing
	shared []bool
}

// round is what launches that no decision separates need.
type round struct {
	kernels []string // in the order of their launches
	calls   []string
	made    bool // all are compiled
}

// all lists the kernels of a round with those of the functions that it calls.
func (rs rounds) all(r *round) []string {
	var names []string
	seen := map[*round]bool{}
	var visit func(r *round)
	visit = func(r *round) {
		if r == nil || seen[r] {
			return
		}
		seen[r] = true
		for _, k := range r.kernels {
			if !slices.Contains(names, k) {
				names = append(names, k)
			}
		}
		for _, f := range r.calls {
			visit(rs.funs[f])
		}
	}
	visit(r)
	return names
}

// makeRound compiles what a round needs, but for kernels of which a form is compiled, and first, if it is not nil, the form that one of its
// launches takes instead of the usual one.
// Program.mu is held.
func (p *Program) makeRound(r *round, first *kernel) error {
	var forms []*kernel
	if first != nil {
		forms = append(forms, first)
	}
	if r != nil && !r.made {
		for _, name := range p.rounds.all(r) {
			if (first == nil || name != first.key.name) && !p.compiled[name] && !p.roomUnknown(name) {
				forms = append(forms, p.form(kernelKey{name: name}, nil, nil))
			}
		}
	}
	if err := p.compile(forms); err != nil {
		return err
	}
	if r != nil {
		r.made = true
	}
	return nil
}

// compile prints and compiles those forms that are not compiled yet, in parallel. The first error in their order counts.
func (p *Program) compile(forms []*kernel) error {
	forms = slices.DeleteFunc(forms, func(k *kernel) bool { return k.run != nil })
	if len(forms) == 0 {
		return nil
	}
	if err := p.printForms(forms); err != nil {
		return err
	}
	specs := make([]device.KernelSpec, len(forms))
	for i, k := range forms {
		specs[i] = SpecOf(k.decl, k.code)
	}
	runs, err := p.dev.Compile(specs)
	if err != nil {
		return err
	}
	for i, k := range forms {
		k.run = runs[i]
		p.compiled[k.key.name] = true
	}
	return nil
}

// printForms prints those forms that are not printed yet, in parallel. The first error in their order counts.
func (p *Program) printForms(forms []*kernel) error {
	errs := make([]error, len(forms))
	var printing errgroup.Group
	printing.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	for i, k := range forms {
		printing.Go(func() error {
			errs[i] = p.printForm(k)
			return nil
		})
	}
	_ = printing.Wait() // The errors are in errs, in the order of the forms.
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// formFor is the form of a kernel for a launch on blocks of which alias says which are one: alias[i] is the first array that lies in
// the same block as array i. room counts the elements of sized arrays, where forms differ in them; wide says that indices may need 64 bits.
func (p *Program) formFor(name string, alias []int, room []int64, wide bool) (*kernel, error) {
	key := kernelKey{name: name, room: roomName(room)}
	for i, a := range alias {
		if a != i {
			key.alias = fmt.Sprint(alias)
		}
	}
	k := p.form(key, alias, room)
	if !wide {
		return k, nil
	}
	if err := p.printForm(k); err != nil { // Some devices count in 64 bits always.
		return nil, err
	}
	if !k.code.Wide {
		key.wide = true
		k = p.form(key, alias, room)
	}
	return k, nil
}

// form is the form of a kernel that a key names. It may be neither printed nor compiled yet.
func (p *Program) form(key kernelKey, alias []int, room []int64) *kernel {
	k := p.kernels[key]
	if k == nil {
		k = &kernel{key: key, alias: slices.Clone(alias), room: slices.Clone(room)}
		p.kernels[key] = k
	}
	return k
}

// declare makes what a form prints: the usual form is the kernel itself, with no more bindings than the device has if that can be.
func (p *Program) declare(k *kernel) error {
	decl, err := p.parts.Kernel(k.key.name)
	if err != nil {
		return err
	}
	if k.key.room != "" {
		decl = imp.InRoom(decl, k.room)
	}
	if k.key.alias != "" {
		decl = imp.MergeMems(decl, k.alias)
	}
	if k.key.wide {
		decl = imp.WidenKernel(decl)
	}
	k.mems, k.most = decl.Mems, mostBindings(decl, p.dev.Facts())
	if k.key.packing == "" {
		k.into = usualPacking(decl, p.dev.Facts())
	}
	k.shared = k.into.shared(decl.Globals())
	k.decl = inPacking(decl, k.into)
	return nil
}

// printForm prints a kernel, unless it is printed. It may be called for several kernels at once.
func (p *Program) printForm(k *kernel) (err error) {
	if k.code != nil {
		return nil
	}
	if k.decl == nil {
		err = p.declare(k)
	}
	if err != nil {
		return err
	}
	if k.key == (kernelKey{name: k.key.name, room: k.key.room}) {
		k.code = p.parts.Code(k.key.name, k.key.room)
	}
	if k.code == nil {
		k.code, err = p.print(k.decl)
	}
	return err
}

// indexable reports an array with more elements than a kernel can tell apart.
func (p *Program) indexable(k *kernel, own []device.Binding) error {
	if k.code.Wide || k.key.wide && k.code.LongIndices {
		return nil
	}
	for i, b := range own {
		if b.Size/int64(k.mems[i].Elem.Size()) >= imp.WideLimit {
			return k.decl.Limit(fmt.Errorf("array %s has 2^32 or more elements, which this device's kernels cannot index", k.mems[i].Name))
		}
	}
	return nil
}

// SpecOf is a kernel as a device takes it.
func SpecOf(k *imp.Kernel, c *imp.Code) device.KernelSpec {
	buffers := k.Buffers()
	if c.Failure {
		buffers++
	}
	return device.KernelSpec{
		Name: k.Name, Source: c.Source, Entry: c.Entry, Buffers: buffers, Params: c.Bytes, Immediate: c.Immediate,
		Declared: c.Declared, Shared: c.MostDynamic(k),
		Workgroup: [3]uint32{uint32(k.GroupSize), 1, 1},
	}
}
