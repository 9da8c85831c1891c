package wgsl

import (
	"fmt"
	"strings"

	"skald/backends/text"
	"skald/middle/imp"
)

// Note [Device functions in WGSL]
//
// A device function is a function, which gives a struct of its results when it has several. When an assertion in it fails it sets a
// private variable of the module and leaves, with zeros; whoever called it then looks at the variable, and leaves as well.

// functionFailed is the variable.
const functionFailed = "function_failed"

// nameDeviceFunctions names the functions of the device functions that k calls. No other name ends so: see text.Clean.
func nameDeviceFunctions(k *imp.Kernel) map[*imp.DeviceFunction]string {
	names := map[*imp.DeviceFunction]string{}
	for i, r := range imp.DeviceFunctions(k.Body) {
		names[r] = fmt.Sprintf("%s_%dm", text.Clean(r.Name), i)
	}
	return names
}

// deviceFunctionText prints a device function with the printer of a kernel that calls it.
func (p *printer) deviceFunctionText(r *imp.DeviceFunction) string {
	in := &printer{
		k: &imp.Kernel{Name: r.Name, Vars: r.Vars, Mems: r.Mems, Body: r.Body}, scope: r.Scope(), opts: p.opts,
		need: p.need, helpers: p.helpers, deviceFunctions: p.deviceFunctions, deviceFunction: r,
	}
	in.collect()
	in.depth = 1
	in.stms(r.Body)
	var results []string
	for _, e := range r.Results {
		results = append(results, in.typed(e))
	}
	params := make([]string, len(r.Params))
	for i, v := range r.Params {
		params[i] = in.v(v) + ": " + in.regType(r.Vars[v].Type)
	}
	if in.err != nil {
		p.limit("device function %s: %w", r.Name, in.err)
	}
	var b strings.Builder
	arrow := ""
	switch typ := in.resultType(); len(results) {
	case 0:
		in.line("return;")
	case 1:
		arrow = " -> " + typ
		in.line("return %s;", results[0])
	default:
		arrow = " -> " + typ
		fmt.Fprintf(&b, "struct %s {\n", typ)
		for i, e := range r.Results {
			fmt.Fprintf(&b, "  %s: %s,\n", resultField(i), in.regType(in.scope.TypeOf(e)))
		}
		b.WriteString("}\n")
		in.line("return %s(%s);", typ, strings.Join(results, ", "))
	}
	fmt.Fprintf(&b, "fn %s(%s)%s {\n", p.deviceFunctions[r], strings.Join(params, ", "), arrow)
	in.privateText(&b)
	b.WriteString(in.out.String())
	b.WriteString("}\n")
	return b.String()
}

func resultField(i int) string { return fmt.Sprintf("r%d", i) }

// resultType is the type that the device function being printed gives; "" for none.
func (p *printer) resultType() string {
	switch r := p.deviceFunction; len(r.Results) {
	case 0:
		return ""
	case 1:
		return p.regType(p.scope.TypeOf(r.Results[0]))
	default:
		return p.deviceFunctions[r] + "m"
	}
}

// noResults is what the device function being printed gives when it fails.
func (p *printer) noResults() string {
	if t := p.resultType(); t != "" {
		return t + "()"
	}
	return ""
}

// invoke prints a call of a device function.
func (p *printer) invoke(s *imp.Invoke) {
	args := make([]string, len(s.Args))
	for i, e := range s.Args {
		args[i] = p.plain(e)
	}
	call := fmt.Sprintf("%s(%s)", p.deviceFunctions[s.DeviceFunction], strings.Join(args, ", "))
	switch len(s.Dst) {
	case 0:
		p.line("%s;", call)
	case 1:
		p.declare(s.Dst[0], call)
	default:
		t := p.temp("results")
		p.line("let %s = %s;", t, call)
		for i, v := range s.Dst {
			p.declare(v, t+"."+resultField(i))
		}
	}
	if s.DeviceFunction.Fails {
		p.helper(functionFailed)
		p.line("if (%s) {", functionFailed)
		p.depth++
		p.leave()
		p.depth--
		p.line("}")
	}
}
