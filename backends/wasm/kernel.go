package wasm

import (
	"errors"
	"fmt"

	"skald/backends/text"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Entry is what becomes of a kernel: an exported function that runs a range of workgroups. It takes the address of each global array,
// that of the failure buffer, that of its frame, the first workgroup and the end of the range, how many there are in all, and then the
// arguments of the kernel.
type Entry struct {
	Name string
	// Frame is how many bytes of scratch memory each of its callers at one time has to bring.
	Frame int
}

// Program is a module, and what its kernels are called.
type Program struct {
	Module  *Module
	Entries []Entry
}

// Print prints one kernel as text. An error is a limit of the language that the kernel exceeds.
func Print(k *imp.Kernel) (*imp.Code, error) {
	p, errs := Kernels([]*imp.Kernel{k})
	if errs[0] != nil {
		return nil, errs[0]
	}
	code := &imp.Code{Entry: p.Entries[0].Name, Failure: true, Wide: true, Source: p.Module.Text()}
	code.Layout(k)
	return code, nil
}

// Text prints kernels as one module, for people. An error is a limit that one exceeds.
func Text(ks []*imp.Kernel) (string, error) {
	p, errs := Kernels(ks)
	return p.Module.Text(), errors.Join(errs...)
}

// Kernels makes a module of kernels that imp.Verify accepts. Of those that exceed a limit of the language the error says which; they have
// no entry.
func Kernels(ks []*imp.Kernel) (*Program, []error) {
	m := &Module{}
	p, errs := &Program{m, make([]Entry, len(ks))}, make([]error, len(ks))
	for i, k := range ks {
		if err := check(k); err != nil {
			errs[i] = k.Limit(err)
			continue
		}
		functions := map[*imp.DeviceFunction]*callable{}
		names := map[*imp.DeviceFunction]string{}
		text.NameDeviceFunctions(names, k)
		for _, f := range imp.DeviceFunctions(k.Body) {
			functions[f] = m.deviceFunction(f, fmt.Sprintf("%s_%dk", names[f], i), functions)
		}
		p.Entries[i] = m.kernel(k, text.Entry(k, i), functions)
	}
	return p, errs
}

// check looks for what no kernel of the language has.
func check(k *imp.Kernel) error {
	for _, d := range k.Mems {
		if d.Chunks > 1 {
			return fmt.Errorf("array %s is larger than one buffer of the device", d.Name)
		}
	}
	subgroups := imp.Any(k.Body, func(s imp.Stm) bool {
		_, ok := s.(*imp.Subgroup)
		return ok
	})
	if subgroups || k.GroupSize > 1 && k.HasCollective() {
		return fmt.Errorf("its workgroups have %d threads that wait for each other", k.GroupSize)
	}
	return nil
}

// callable is a device function that has been written.
type callable struct {
	index uint64
	frame int // bytes, with those of what it calls
}

// writer writes the function of a kernel, or of a device function that kernels call.
type writer struct {
	*code
	module    *Module
	kernel    *imp.Kernel // of a device function one with its variables, arrays and body
	function  *imp.DeviceFunction
	functions map[*imp.DeviceFunction]*callable
	scope     imp.Scope
	varNames  []string

	vars                   []uint64 // the local of each variable, plus one; 0 if it has none yet
	bases                  []uint64 // the local with the address of each global array
	places                 []int    // where private and shared arrays are in the frame
	frame, failure, groups uint64   // locals
	own                    int      // bytes of the function's own frame
	called                 int      // bytes of the largest frame of what it calls
	fuel                   uint64   // the local that counts until the device is asked whether to end
	polls                  bool     // whether it is needed
	ids                    map[imp.IdKind]uint64
	hoisted                map[string]uint64   // locals of products: see hoist
	defs                   map[imp.Var]imp.Exp // what is bound and not set
	addresses              []address           // of elements, in locals
	uncertain              int                 // how many expressions around this one may not be evaluated
	walks                  []*walk             // the loops around what is being written, the innermost last
	fixed                  map[imp.Var]int64   // variables of loops that are written without a loop
	free                   map[Type][]uint64   // locals for intermediate values that are not in use
	temps                  int
}

// newWriter begins a function.
func (m *Module) newWriter(k *imp.Kernel, f *imp.DeviceFunction, name string, functions map[*imp.DeviceFunction]*callable) *writer {
	w := &writer{
		code: &code{name: name}, module: m, kernel: k, function: f, functions: functions, scope: k.Scope(),
		vars: make([]uint64, len(k.Vars)), bases: make([]uint64, len(k.Mems)), places: make([]int, len(k.Mems)),
		ids: map[imp.IdKind]uint64{}, free: map[Type][]uint64{},
	}
	names, mems := text.Names(k.Vars, k.Mems, nil, reserved)
	w.varNames = names
	for i, d := range k.Mems {
		if d.Space == imp.Global {
			w.bases[i] = w.param(I32, mems[i])
			continue
		}
		w.places[i] = w.own
		w.own = align(w.own + max(d.Count, 1)*d.Elem.Size())
	}
	w.defs = scopeOf(&imp.For{Body: k.Body}, nil).defs
	w.failure, w.frame = w.param(I32, "failure"), w.param(I32, "frame")
	return w
}

// reserved are names of locals that are no variables.
var reserved = text.Words("failure frame first end groups group thread in_group fuel")

// align rounds a size up to that of a vector.
func align(n int) int { return (n + 15) &^ 15 }

// parameters adds those of the kernel or function.
func (w *writer) parameters(vars []imp.Var) {
	for _, v := range vars {
		w.vars[v] = w.param(typeOf(w.kernel.Vars[v].Type), w.varNames[v]) + 1
	}
}

// kernel writes a kernel.
func (m *Module) kernel(k *imp.Kernel, name string, functions map[*imp.DeviceFunction]*callable) Entry {
	w := m.newWriter(k, nil, name, functions)
	w.exported = true
	first, last := w.param(I64, "first"), w.param(I64, "end")
	w.groups = w.param(I64, "groups")
	w.parameters(k.Params)
	group := w.local(I64, "group")
	w.ids[imp.GroupID] = group
	if k.Guarded {
		w.get(w.failure)
		w.access(i32AtomicLoad, 2, 0)
		w.block(ifOp, none)
		w.emit(returnOp, end)
	}
	w.get(first)
	w.set(group)
	w.block(block, none)
	w.block(loop, none)
	w.get(group)
	w.get(last)
	w.emit(geS + toI64Compare)
	w.with(brIf, 1)
	w.poll()
	w.threads()
	w.add(group, 1)
	w.with(br, 0)
	w.emit(end, end)
	w.finish()
	return Entry{name, w.own + w.called}
}

// threads writes what the threads of a workgroup do, one after the other.
func (w *writer) threads() {
	k := w.kernel
	id := w.local(I64, "thread")
	w.ids[imp.ThreadID] = id
	if k.GroupSize <= 1 {
		w.get(w.ids[imp.GroupID])
		w.set(id)
		w.thread()
		return
	}
	at := w.local(I64, "in_group")
	w.ids[imp.LocalID] = at
	w.constant(i64Const, 0)
	w.set(at)
	w.block(loop, none)
	w.get(w.ids[imp.GroupID])
	w.constant(i64Const, k.GroupSize)
	w.emit(mul + toI64)
	w.get(at)
	w.emit(add + toI64)
	w.set(id)
	w.thread()
	w.add(at, 1)
	w.get(at)
	w.constant(i64Const, k.GroupSize)
	w.emit(ltS + toI64Compare)
	w.with(brIf, 0)
	w.emit(end)
}

// thread writes what one thread does. Parameters that it changes are variables of its own.
func (w *writer) thread() {
	changed := map[imp.Var]bool{}
	imp.Walk(w.kernel.Body, func(s imp.Stm) bool {
		if s, ok := s.(*imp.Set); ok {
			changed[s.Var] = true
		}
		return true
	})
	for _, v := range w.kernel.Params {
		if changed[v] {
			t := typeOf(w.kernel.Vars[v].Type)
			own := w.local(t, w.varNames[v]+"_0m")
			w.get(w.vars[v] - 1)
			w.set(own)
			w.vars[v] = own + 1
		}
	}
	w.stms(w.kernel.Body)
}

// deviceFunction writes a device function, which returns its results and then, if it may fail, whether it has.
func (m *Module) deviceFunction(f *imp.DeviceFunction, name string, functions map[*imp.DeviceFunction]*callable) *callable {
	w := m.newWriter(f.Kernel(), f, name, functions)
	w.parameters(f.Params)
	for _, e := range f.Results {
		w.sig.results = append(w.sig.results, typeOf(w.scope.TypeOf(e)))
	}
	if f.Fails {
		w.sig.results = append(w.sig.results, I32)
	}
	w.stms(f.Body)
	for _, e := range f.Results {
		w.exp(e)
	}
	if f.Fails {
		w.constant(i32Const, 0)
	}
	w.finish()
	return &callable{ownCall | uint64(len(m.functions)-1), w.own + w.called}
}

// finish adds the function to the module.
func (w *writer) finish() {
	if w.polls { // A new function has burnt nothing.
		w.body = append([]instruction{{op: i64Const, a: fuelAtOnce}, {op: localSet, a: w.fuel}}, w.body...)
	}
	w.module.functions = append(w.module.functions, w.code)
}

// Note [Fuel]
//
// A kernel must end when the device is told to give it up, and Go can neither collect garbage nor run timers on a processor that is in code
// of a module. So loops count what they do, about the iterations of loops, and call the device (PollName) when much has been done: some
// milliseconds apart. Innermost loops, and those around loops of a few iterations, are counted at once, by their bounds, before they run.
// Endless loops are no counting ones.

// fuelAtOnce is how many iterations there are before the device is called.
const fuelAtOnce = 1 << 20

// poll ends the function where the device says so, and counts an iteration.
func (w *writer) poll() {
	w.burnt(func() { w.constant(i64Const, 1) })
	w.get(w.fuel)
	w.constant(i64Const, 0)
	w.emit(ltS + toI64Compare)
	w.block(ifOp, none)
	w.with(call, w.module.imported(Import{Name: PollName, Results: []Type{I32}}))
	w.block(ifOp, none)
	w.leave()
	w.emit(end)
	w.constant(i64Const, fuelAtOnce)
	w.set(w.fuel)
	w.emit(end)
}

// burnt counts iterations, whose number f pushes.
func (w *writer) burnt(f func()) {
	if !w.polls {
		w.polls = true
		w.fuel = w.local(I64, "fuel")
	}
	w.get(w.fuel)
	f()
	w.emit(sub + toI64)
	w.set(w.fuel)
}

// leave lets a thread that has failed, or a kernel that has to end, do nothing more.
func (w *writer) leave() {
	if w.function != nil {
		results := w.sig.results
		if w.function.Fails {
			results = results[:len(results)-1]
		}
		for _, t := range results {
			w.zero(t)
		}
		if w.function.Fails {
			w.constant(i32Const, 1)
		}
	}
	w.emit(returnOp)
}

// zero pushes a zero.
func (w *writer) zero(t Type) {
	switch t {
	case I64:
		w.with(i64Const, 0)
	case F32:
		w.with(f32Const, 0)
	case F64:
		w.with(f64Const, 0)
	default:
		w.with(i32Const, 0)
	}
}

// add adds a constant to an i64.
func (w *writer) add(local uint64, n int) {
	w.get(local)
	w.constant(i64Const, n)
	w.emit(add + toI64)
	w.set(local)
}

// temp returns a local for an intermediate value, and release takes it back.
func (w *writer) temp(t Type) uint64 {
	if n := len(w.free[t]); n > 0 {
		l := w.free[t][n-1]
		w.free[t] = w.free[t][:n-1]
		return l
	}
	w.temps++
	return w.local(t, fmt.Sprintf("%s_%dm", t, w.temps))
}

func (w *writer) release(t Type, locals ...uint64) { w.free[t] = append(w.free[t], locals...) }

// variable is the local of a variable.
func (w *writer) variable(v imp.Var) uint64 {
	if w.vars[v] == 0 {
		w.vars[v] = w.local(typeOf(w.kernel.Vars[v].Type), w.varNames[v]) + 1
	}
	return w.vars[v] - 1
}

// typeOf is the type of a local that holds a value of t: Note [Values in WebAssembly].
func typeOf(t imp.Type) Type {
	switch p := primOf(t); {
	case p == prim.F32:
		return F32
	case p == prim.F64:
		return F64
	case p.Bits() == 64:
		return I64
	default:
		return I32
	}
}

// primOf is the primitive type that t is computed with: indices have 64 bits.
func primOf(t imp.Type) prim.Type { return t.Prim() }
