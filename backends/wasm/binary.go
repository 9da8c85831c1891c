package wasm

import (
	"encoding/binary"
	"slices"
)

// encoder writes the binary format.
type encoder struct{ out []byte }

func (e *encoder) unsigned(n uint64) { e.out = binary.AppendUvarint(e.out, n) } // LEB128
func (e *encoder) bytes(b ...byte)   { e.out = append(e.out, b...) }

func (e *encoder) signed(n int64) {
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			e.bytes(b)
			return
		}
		e.bytes(b | 0x80)
	}
}

func (e *encoder) text(s string) {
	e.unsigned(uint64(len(s)))
	e.out = append(e.out, s...)
}

func (e *encoder) types(ts []Type) {
	e.unsigned(uint64(len(ts)))
	for _, t := range ts {
		e.bytes(byte(t))
	}
}

// section writes a section of items.
func (e *encoder) section(id byte, items int, body func(*encoder)) {
	var in encoder
	in.unsigned(uint64(items))
	body(&in)
	e.bytes(id)
	e.unsigned(uint64(len(in.out)))
	e.out = append(e.out, in.out...)
}

// The sections, and what is imported and exported.
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	exportSection   = 7
	codeSection     = 10
	aFunction       = 0
	aMemory         = 2
	functionType    = 0x60
	limited         = 1 // a memory with a largest size
)

// Binary returns the module in its binary form.
func (m *Module) Binary() []byte {
	var sigs []signature
	index := func(s signature) uint64 {
		i := slices.IndexFunc(sigs, s.equals)
		if i < 0 {
			i = len(sigs)
			sigs = append(sigs, s)
		}
		return uint64(i)
	}
	ofImports, ofFunctions := make([]uint64, len(m.imports)), make([]uint64, len(m.functions))
	for i, f := range m.imports {
		ofImports[i] = index(signature{f.Params, f.Results})
	}
	exported := 0
	for i, f := range m.functions {
		ofFunctions[i] = index(f.sig)
		if f.exported {
			exported++
		}
	}
	e := &encoder{out: []byte("\x00asm\x01\x00\x00\x00")}
	e.section(typeSection, len(sigs), func(e *encoder) {
		for _, s := range sigs {
			e.bytes(functionType)
			e.types(s.params)
			e.types(s.results)
		}
	})
	e.section(importSection, len(m.imports)+1, func(e *encoder) {
		e.text(MemoryModule)
		e.text(MemoryModule)
		e.bytes(aMemory, limited)
		e.unsigned(0)
		e.unsigned(MaxPages)
		for i, f := range m.imports {
			e.text(FunctionModule)
			e.text(f.Name)
			e.bytes(aFunction)
			e.unsigned(ofImports[i])
		}
	})
	e.section(functionSection, len(m.functions), func(e *encoder) {
		for _, i := range ofFunctions {
			e.unsigned(i)
		}
	})
	e.section(exportSection, exported, func(e *encoder) {
		for i, f := range m.functions {
			if f.exported {
				e.text(f.name)
				e.bytes(aFunction)
				e.unsigned(uint64(len(m.imports) + i))
			}
		}
	})
	e.section(codeSection, len(m.functions), func(e *encoder) {
		for _, f := range m.functions {
			body := m.code(f)
			e.unsigned(uint64(len(body)))
			e.out = append(e.out, body...)
		}
	})
	return e.out
}

// code encodes the locals and instructions of a function.
func (m *Module) code(f *code) []byte {
	var e encoder
	var runs [][]Type // locals of one type in a row
	for _, t := range f.locals {
		if n := len(runs); n > 0 && runs[n-1][0] == t {
			runs[n-1] = append(runs[n-1], t)
			continue
		}
		runs = append(runs, []Type{t})
	}
	e.unsigned(uint64(len(runs)))
	for _, r := range runs {
		e.unsigned(uint64(len(r)))
		e.bytes(byte(r[0]))
	}
	for _, i := range f.body {
		m.instruction(&e, i)
	}
	e.bytes(byte(end))
	return e.out
}

// instruction encodes an instruction.
func (m *Module) instruction(e *encoder, i instruction) {
	if prefix := byte(i.op >> 16); prefix != 0 {
		e.bytes(prefix)
		e.unsigned(uint64(i.op & 0xffff))
	} else {
		e.bytes(byte(i.op))
	}
	switch i.op.info().operands {
	case nothing:
	case blockType, lane:
		e.bytes(byte(i.a))
	case label, local:
		e.unsigned(i.a)
	case function:
		e.unsigned(m.callee(i.a))
	case access:
		e.unsigned(i.b)
		e.unsigned(i.a)
	case int32Constant:
		e.signed(int64(int32(i.a)))
	case int64Constant:
		e.signed(int64(i.a))
	case float32Constant:
		e.out = binary.LittleEndian.AppendUint32(e.out, uint32(i.a))
	case float64Constant:
		e.out = binary.LittleEndian.AppendUint64(e.out, i.a)
	case constant128:
		e.out = binary.LittleEndian.AppendUint64(e.out, i.a)
		e.out = binary.LittleEndian.AppendUint64(e.out, i.b)
	}
}
