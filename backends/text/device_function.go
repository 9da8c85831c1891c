package text

import (
	"fmt"
	"strings"

	"skald/middle/imp"
)

// Note [Device functions as text]
//
// A device function of the low-level program is a function, which returns a struct of its results when it has several. When an assertion
// in it fails it sets a flag and returns zeros; its caller then looks at the flag, and leaves as well. The flag is a private variable of
// the module in WGSL, and in C a variable of the kernel, whose address is passed on.

// NameDeviceFunctions names the device functions that a kernel calls, beside those that have names. No other name ends so: see Clean.
func NameDeviceFunctions(names map[*imp.DeviceFunction]string, k *imp.Kernel) {
	for _, f := range imp.DeviceFunctions(k.Body) {
		names[f] = fmt.Sprintf("%s_%dm", Clean(f.Name), len(names))
	}
}

// DeviceFunction prints a device function, and what its results need before it. Private declares its arrays.
func (p *Printer) DeviceFunction(f *imp.DeviceFunction, private func(b *strings.Builder)) string {
	p.Function, p.Depth = f, 1
	p.Stms(f.Body)
	var results, types []string
	for _, e := range f.Results {
		results = append(results, p.lang.Initial(e))
		types = append(types, p.lang.RegType(p.TypeOf(e)))
	}
	var b strings.Builder
	result := p.resultType()
	switch len(results) {
	case 0:
		p.Line("return;")
	case 1:
		p.Line("return %s;", results[0])
	default:
		b.WriteString(p.syntax.Struct(result, types))
		p.lines(p.syntax.Return(result, results))
	}
	params := make([]Param, len(f.Params))
	for i, v := range f.Params {
		params[i] = Param{p.Vars[v], p.lang.RegType(f.Vars[v].Type)}
	}
	b.WriteString(p.syntax.Head(f, p.Names[f], result, params))
	private(&b)
	b.WriteString(p.out.String())
	b.WriteString("}\n")
	return b.String()
}

func (p *Printer) lines(lines []string) {
	for _, l := range lines {
		p.put(l)
	}
}

// resultType is the type that the device function being printed returns; "" for none.
func (p *Printer) resultType() string {
	switch results := p.Function.Results; len(results) {
	case 0:
		return ""
	case 1:
		return p.lang.RegType(p.TypeOf(results[0]))
	default:
		return structName(p.Names[p.Function])
	}
}

// structName is the struct of the results of a device function.
func structName(function string) string { return function + "m" }

// ReturnNothing leaves the device function being printed, which has failed.
func (p *Printer) ReturnNothing() {
	switch t := p.resultType(); len(p.Function.Results) {
	case 0:
		p.Line("return ;")
	case 1:
		p.Line("return %s;", p.syntax.ZeroResult(t))
	default:
		p.lines(p.syntax.Return(t, nil))
	}
}

// invoke prints a call of a device function.
func (p *Printer) invoke(s *imp.Invoke) {
	f := s.DeviceFunction
	var args []string
	var failed string
	if f.Fails {
		args, failed = p.lang.FailureArgs()
	}
	for _, e := range s.Args {
		args = append(args, p.Plain(e))
	}
	call := fmt.Sprintf("%s(%s)", p.Names[f], strings.Join(args, ", "))
	switch len(s.Dst) {
	case 0:
		p.Line("%s;", call)
	case 1:
		p.Declare(s.Dst[0], call)
	default:
		t := p.constant("results", structName(p.Names[f]), call)
		for i, v := range s.Dst {
			p.Declare(v, fmt.Sprintf("%s.r%d", t, i))
		}
	}
	if f.Fails {
		p.Line("if (%s) {", failed)
		p.Depth++
		p.leave()
		p.Depth--
		p.Line("}")
	}
}
