package wire

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"skald/middle/imp"
)

// kernelHead is what is known of a kernel before it is read.
type kernelHead struct {
	Name   string
	Arrays int      // how many global arrays it has
	Rooms  []string // of the forms whose code follows
}

// head is the part of a program that is read at once.
type head struct {
	Host      *imp.Prog // without its functions and kernels
	Functions []string
	Kernels   []kernelHead
}

var (
	headCoder     = coderOf(reflect.TypeFor[*head]())
	hostCoder     = coderOf(reflect.TypeFor[*imp.Fun]())
	functionCoder = coderOf(reflect.TypeFor[imp.DeviceFunction]())
	kernelCoder   = coderOf(reflect.TypeFor[*imp.Kernel]())
	codeCoder     = coderOf(reflect.TypeFor[*imp.Code]())
)

// Encode returns the binary form of a program with the code of those of its kernels that print returns some for, by the names of the
// rooms of their forms ("" is that of a kernel without); the others are printed when they are needed. Equal programs give equal bytes.
func Encode(p *imp.Prog, print func(*imp.Kernel) map[string]*imp.Code) []byte {
	host := *p
	host.Funs, host.Kernels = nil, nil
	h := &head{Host: &host}
	for _, f := range p.Funs {
		h.Functions = append(h.Functions, f.Name)
	}
	funs := map[*imp.DeviceFunction]int{}
	var order []*imp.DeviceFunction
	codes := make([]map[string]*imp.Code, len(p.Kernels))
	for i, k := range p.Kernels {
		codes[i] = print(k)
		h.Kernels = append(h.Kernels, kernelHead{k.Name, k.Globals(), slices.Sorted(maps.Keys(codes[i]))})
		for _, f := range imp.DeviceFunctions(k.Body) {
			if funs[f] == 0 {
				order = append(order, f)
				funs[f] = len(order)
			}
		}
	}
	out := &writer{}
	part := func(c *coder, v any) {
		w := &writer{strings: map[string]int{}, funs: funs}
		c.write(w, reflect.ValueOf(v))
		out.bytes(w.out)
	}
	part(headCoder, h)
	for _, f := range p.Funs {
		part(hostCoder, f)
	}
	out.number(uint64(len(order)))
	for _, f := range order {
		w := &writer{strings: map[string]int{}, funs: funs}
		functionCoder.write(w, reflect.ValueOf(f).Elem())
		out.bytes(w.out)
	}
	for i, k := range p.Kernels {
		part(kernelCoder, k)
		for _, room := range h.Kernels[i].Rooms {
			part(codeCoder, codes[i][room])
		}
	}
	return out.out
}

// Program is a program of which functions and kernels are read when they are asked for. Its methods may be called from several goroutines
// at once.
type Program struct {
	// Host is the program without its functions and kernels.
	Host *imp.Prog

	hostNames []string
	host      map[string]*keptFun
	names     []string
	kernels   map[string]*kept
	mu        sync.Mutex
	functions []function
}

// keptFun is a host function.
type keptFun struct {
	part []byte
	once sync.Once
	fun  *imp.Fun
	err  error
}

// kept is a kernel, with its code if it was printed.
type kept struct {
	arrays int
	decl   []byte
	codes  map[string][]byte
	once   sync.Once
	kernel *imp.Kernel
	err    error
}

// function is a device function, which is read once.
type function struct {
	part []byte
	fun  *imp.DeviceFunction
}

// Open reads a program but for its functions and kernels.
func Open(data []byte) (*Program, error) {
	r := &reader{in: data}
	h := &head{}
	part := &reader{in: r.bytes(), fun: noFunction}
	headCoder.read(part, reflect.ValueOf(&h).Elem())
	p := &Program{Host: h.Host, hostNames: h.Functions, host: map[string]*keptFun{}, kernels: map[string]*kept{}}
	for _, name := range h.Functions {
		p.host[name] = &keptFun{part: r.bytes()}
	}
	p.functions = make([]function, r.length())
	for i := range p.functions {
		p.functions[i].part = r.bytes()
	}
	for _, k := range h.Kernels {
		kernel := &kept{arrays: k.Arrays, decl: r.bytes()}
		for _, room := range k.Rooms {
			if kernel.codes == nil {
				kernel.codes = map[string][]byte{}
			}
			kernel.codes[room] = r.bytes()
		}
		p.names = append(p.names, k.Name)
		p.kernels[k.Name] = kernel
	}
	if part.err != nil || len(part.in) > 0 || r.err != nil || len(r.in) > 0 || p.Host == nil {
		return nil, errDamaged
	}
	return p, nil
}

func noFunction(int) (*imp.DeviceFunction, error) { return nil, errDamaged }

// Functions lists the host functions, in order.
func (p *Program) Functions() []string { return p.hostNames }

// Function reads a host function, once.
func (p *Program) Function(name string) (*imp.Fun, error) {
	f := p.host[name]
	if f == nil {
		return nil, fmt.Errorf("the program has no function %q", name)
	}
	f.once.Do(func() { f.err = p.read(f.part, hostCoder, reflect.ValueOf(&f.fun).Elem()) })
	return f.fun, f.err
}

// Names lists the kernels, in order.
func (p *Program) Names() []string { return p.names }

// Arrays is the number of global arrays of a kernel, 0 if there is no such kernel.
func (p *Program) Arrays(name string) int {
	if k := p.kernels[name]; k != nil {
		return k.arrays
	}
	return 0
}

// Kernel reads a kernel, once.
func (p *Program) Kernel(name string) (*imp.Kernel, error) {
	k := p.kernels[name]
	if k == nil {
		return nil, fmt.Errorf("the program has no kernel %q", name)
	}
	k.once.Do(func() { k.err = p.read(k.decl, kernelCoder, reflect.ValueOf(&k.kernel).Elem()) })
	return k.kernel, k.err
}

// Code returns what a back end printed of a kernel in the form with a room, or nil if it has to be printed.
func (p *Program) Code(name, room string) *imp.Code {
	k := p.kernels[name]
	if k == nil || k.codes[room] == nil {
		return nil
	}
	var code *imp.Code
	if p.read(k.codes[room], codeCoder, reflect.ValueOf(&code).Elem()) != nil {
		return nil
	}
	return code
}

// read reads a whole part.
func (p *Program) read(part []byte, c *coder, v reflect.Value) error {
	r := &reader{in: part, fun: func(n int) (*imp.DeviceFunction, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.function(n)
	}}
	c.read(r, v)
	if r.err != nil || len(r.in) > 0 {
		return errDamaged
	}
	return nil
}

// function reads a device function, after those that it calls, which come before it. The lock is held.
func (p *Program) function(n int) (*imp.DeviceFunction, error) {
	if n < 1 || n > len(p.functions) {
		return nil, errDamaged
	}
	f := &p.functions[n-1]
	if f.fun != nil {
		return f.fun, nil
	}
	fun := &imp.DeviceFunction{}
	r := &reader{in: f.part, fun: func(m int) (*imp.DeviceFunction, error) {
		if m >= n {
			return nil, errDamaged
		}
		return p.function(m)
	}}
	functionCoder.read(r, reflect.ValueOf(fun).Elem())
	if r.err != nil || len(r.in) > 0 {
		return nil, errDamaged
	}
	f.fun = fun
	return fun, nil
}

// Whole reads all of the program.
func (p *Program) Whole() (*imp.Prog, error) {
	out := *p.Host
	for _, name := range p.hostNames {
		f, err := p.Function(name)
		if err != nil {
			return nil, err
		}
		out.Funs = append(out.Funs, f)
	}
	for _, name := range p.names {
		k, err := p.Kernel(name)
		if err != nil {
			return nil, err
		}
		out.Kernels = append(out.Kernels, k)
	}
	return &out, nil
}
