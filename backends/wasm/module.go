package wasm

import (
	"fmt"
	"slices"
)

// Module is what a WebAssembly module consists of: functions that it imports, then its own. Its memory is imported, too.
type Module struct {
	imports   []Import
	functions []*code
}

// The modules that a module imports from: one that has the memory, by the name "memory", and one that has functions.
const (
	MemoryModule   = "memory"
	FunctionModule = "skald"
)

// MaxPages is how many pages the memory has: as many as there are, less one, so that its size is a number of 32 bits.
const MaxPages = 1<<16 - 1

// Import is a function that the host has to bring. It takes raw values of Params and returns one of each of Results.
type Import struct {
	Name            string
	Params, Results []Type
	// Call takes the values on a stack, and leaves its results there. It is nil for PollName, which is the device's own.
	Call func(stack []uint64)
}

// PollName is the import that kernels call from time to time while they run; they end when it returns another number than zero.
const PollName = "poll"

// Imports are the functions that the host has to bring.
func (m *Module) Imports() []Import { return m.imports }

// signature is the type of a function.
type signature struct{ params, results []Type }

func (s signature) equals(o signature) bool {
	return slices.Equal(s.params, o.params) && slices.Equal(s.results, o.results)
}

// imported returns the index of an imported function, which is added when it is new.
func (m *Module) imported(i Import) uint64 {
	at := slices.IndexFunc(m.imports, func(o Import) bool { return o.Name == i.Name })
	if at < 0 {
		at = len(m.imports)
		m.imports = append(m.imports, i)
	}
	return uint64(at)
}

// code is a function that is being written. Calls of functions of the module have the index that they have among these, with ownCall set:
// how many are imported is known in the end.
type code struct {
	name     string
	exported bool
	sig      signature
	locals   []Type   // beside the parameters
	names    []string // of parameters and locals
	body     []instruction
}

// ownCall marks calls of functions of the module.
const ownCall = 1 << 32

// local makes a local.
func (c *code) local(t Type, name string) uint64 {
	c.locals = append(c.locals, t)
	c.names = append(c.names, name)
	return uint64(len(c.sig.params) + len(c.locals) - 1)
}

// param adds a parameter. All are there before the first local.
func (c *code) param(t Type, name string) uint64 {
	if len(c.locals) > 0 {
		panic("wasm: a parameter behind locals")
	}
	c.sig.params = append(c.sig.params, t)
	c.names = append(c.names, name)
	return uint64(len(c.sig.params) - 1)
}

// emit writes instructions without operands.
func (c *code) emit(ops ...op) {
	for _, o := range ops {
		c.body = append(c.body, instruction{op: o})
	}
}

// with writes an instruction with an operand.
func (c *code) with(o op, a uint64) { c.body = append(c.body, instruction{op: o, a: a}) }

func (c *code) get(local uint64)     { c.with(localGet, local) }
func (c *code) set(local uint64)     { c.with(localSet, local) }
func (c *code) tee(local uint64)     { c.with(localTee, local) }
func (c *code) block(o op, t Type)   { c.with(o, uint64(t)) }
func (c *code) constant(o op, n int) { c.with(o, uint64(n)) }

// access writes an access to memory.
func (c *code) access(o op, align, offset int) {
	c.body = append(c.body, instruction{o, uint64(offset), uint64(align)})
}

// callee is the index of the function that is called.
func (m *Module) callee(a uint64) uint64 {
	if a&ownCall != 0 {
		return a&^ownCall + uint64(len(m.imports))
	}
	return a
}

// functionName is what the text form calls a function.
func (m *Module) functionName(index uint64) string {
	if index < uint64(len(m.imports)) {
		return m.imports[index].Name
	}
	return m.functions[index-uint64(len(m.imports))].name
}

// info looks an instruction up.
func (o op) info() opInfo {
	i, ok := table[o]
	if !ok {
		panic(fmt.Sprintf("wasm: unknown instruction %#x", uint32(o)))
	}
	return i
}
