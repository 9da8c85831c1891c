package wasm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Text returns the module in its text form, for people and for tools such as wat2wasm.
func (m *Module) Text() string {
	var b strings.Builder
	b.WriteString("(module\n")
	fmt.Fprintf(&b, "  (import %q %q (memory 0 %d))\n", MemoryModule, MemoryModule, MaxPages)
	for _, f := range m.imports {
		fmt.Fprintf(&b, "  (import %q %q (func $%s%s))\n", FunctionModule, f.Name, f.Name, signatureText(signature{f.Params, f.Results}, nil))
	}
	for _, f := range m.functions {
		m.functionText(&b, f)
	}
	b.WriteString(")\n")
	return b.String()
}

// signatureText is the parameters, with their names if there are any, and the results of a function.
func signatureText(s signature, names []string) string {
	var b strings.Builder
	for i, t := range s.params {
		if names == nil {
			fmt.Fprintf(&b, " (param %s)", t)
			continue
		}
		fmt.Fprintf(&b, " (param $%s %s)", names[i], t)
	}
	for _, t := range s.results {
		fmt.Fprintf(&b, " (result %s)", t)
	}
	return b.String()
}

func (m *Module) functionText(b *strings.Builder, f *code) {
	fmt.Fprintf(b, "  (func $%s", f.name)
	if f.exported {
		fmt.Fprintf(b, " (export %q)", f.name)
	}
	b.WriteString(signatureText(f.sig, f.names) + "\n")
	for i, t := range f.locals {
		fmt.Fprintf(b, "    (local $%s %s)\n", f.names[len(f.sig.params)+i], t)
	}
	depth := 2
	for _, i := range f.body {
		if i.op == end || i.op == elseOp {
			depth--
		}
		fmt.Fprintf(b, "%s%s\n", strings.Repeat("  ", depth), m.instructionText(f, i))
		if i.op == block || i.op == loop || i.op == ifOp || i.op == elseOp {
			depth++
		}
	}
	b.WriteString("  )\n")
}

// instructionText is an instruction as text.
func (m *Module) instructionText(f *code, i instruction) string {
	info := i.op.info()
	switch info.operands {
	case blockType:
		if t := Type(i.a); t != none {
			return fmt.Sprintf("%s (result %s)", info.name, t)
		}
	case label, lane:
		return fmt.Sprintf("%s %d", info.name, i.a)
	case function:
		return info.name + " $" + m.functionName(m.callee(i.a))
	case local:
		return info.name + " $" + f.names[i.a]
	case access:
		if i.a != 0 {
			return fmt.Sprintf("%s offset=%d align=%d", info.name, i.a, 1<<i.b)
		}
		return fmt.Sprintf("%s align=%d", info.name, 1<<i.b)
	case int32Constant:
		return fmt.Sprintf("%s %d", info.name, int32(i.a))
	case int64Constant:
		return fmt.Sprintf("%s %d", info.name, int64(i.a))
	case float32Constant:
		return info.name + " " + floatText(float64(math.Float32frombits(uint32(i.a))), 32, i.a&(1<<23-1))
	case float64Constant:
		return info.name + " " + floatText(math.Float64frombits(i.a), 64, i.a&(1<<52-1))
	case constant128:
		var b strings.Builder
		for _, w := range []uint64{i.a, i.b} {
			for at := range 8 {
				fmt.Fprintf(&b, " %d", w>>(8*at)&0xff)
			}
		}
		return info.name + b.String()
	case nothing:
	}
	return info.name
}

// floatText writes a number as the text form does; payload tells NaNs apart.
func floatText(f float64, bits int, payload uint64) string {
	sign := ""
	if math.Signbit(f) {
		sign = "-"
	}
	switch {
	case math.IsNaN(f):
		return fmt.Sprintf("%snan:%#x", sign, payload)
	case math.IsInf(f, 0):
		return sign + "inf"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}
