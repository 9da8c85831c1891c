package cfamily

import (
	"fmt"
	"strings"

	"skald/middle/imp"
)

// Note [Device functions in C]
//
// A device function of the low-level program is a function, which returns a struct of its results when it has several. One that may fail
// takes the failure buffer and the address of a flag: when an assertion in it fails it sets the flag and returns zeros; whoever called
// it then
// looks at the flag, and leaves as well.

// functionText prints a device function with the printer of a kernel that calls it.
func (p *Printer) functionText(r *imp.DeviceFunction) string {
	in := &Printer{
		Kernel: &imp.Kernel{Name: r.Name, Vars: r.Vars, Mems: r.Mems, Body: r.Body}, Code: p.Code,
		Module: p.Module, scope: r.Scope(), function: r,
	}
	in.collect()
	in.depth = 1
	in.stms(r.Body)
	var results []string
	for _, e := range r.Results {
		results = append(results, in.plain(e))
	}
	if in.err != nil {
		p.limit("device function %s: %w", r.Name, in.err)
	}
	var b strings.Builder
	typ := in.resultType()
	switch len(results) {
	case 0:
		in.line("return;")
	case 1:
		in.line("return %s;", results[0])
	default:
		fmt.Fprintf(&b, "typedef struct {\n")
		for i, e := range r.Results {
			fmt.Fprintf(&b, "  %s r%d;\n", p.RegType(in.scope.TypeOf(e)), i)
		}
		fmt.Fprintf(&b, "} %s;\n", typ)
		in.line("const %s results_t = {%s};", typ, strings.Join(results, ", "))
		in.line("return results_t;")
	}
	var params []string
	if r.Fails {
		params = append(params, "u32 *failure", "bool *function_failed")
	}
	for _, v := range r.Params {
		params = append(params, in.constness(v)+p.RegType(r.Vars[v].Type)+" "+in.vars[v])
	}
	fmt.Fprintf(&b, "%s %s %s(%s) {\n", p.lang.Function, typ, p.names[r], strings.Join(params, ", "))
	in.privateText(&b)
	b.WriteString(in.out.String())
	b.WriteString("}\n")
	return b.String()
}

// resultType is the type that the function being printed returns.
func (p *Printer) resultType() string {
	switch r := p.function; len(r.Results) {
	case 0:
		return "void"
	case 1:
		return p.RegType(p.scope.TypeOf(r.Results[0]))
	default:
		return p.names[r] + "m"
	}
}

// noResults is what the function being printed returns when it fails.
func (p *Printer) noResults() string {
	switch len(p.function.Results) {
	case 0:
		return ""
	case 1:
		return "0"
	default:
		p.line("const %s none_t = {0};", p.resultType())
		return "none_t"
	}
}

// invoke prints a call of a device function.
func (p *Printer) invoke(s *imp.Invoke) {
	var args []string
	flag := "function_failed"
	if s.DeviceFunction.Fails {
		if p.function == nil {
			flag = p.temp("failed")
			p.line("bool %s = false;", flag)
			args = append(args, "failure", "&"+flag)
		} else {
			args = append(args, "failure", flag)
			flag = "*" + flag
		}
	}
	for _, e := range s.Args {
		args = append(args, p.plain(e))
	}
	call := fmt.Sprintf("%s(%s)", p.names[s.DeviceFunction], strings.Join(args, ", "))
	switch len(s.Dst) {
	case 0:
		p.line("%s;", call)
	case 1:
		p.declare(s.Dst[0], call)
	default:
		t := p.temp("results")
		p.line("const %sm %s = %s;", p.names[s.DeviceFunction], t, call)
		for i, v := range s.Dst {
			p.declare(v, fmt.Sprintf("%s.r%d", t, i))
		}
	}
	if s.DeviceFunction.Fails {
		p.line("if (%s) {", flag)
		p.depth++
		p.leave()
		p.depth--
		p.line("}")
	}
}
