package wgsl

import (
	"fmt"
	"strings"

	"skald/middle/imp"
	"skald/shaders"
)

// Print prints a kernel that imp.Verify accepts. An error is a limitation (imp.Kernel.Limit): what the device has too little of.
func Print(k *imp.Kernel, o Options) (*imp.Code, error) {
	if o.MaxBuffers == 0 {
		o.MaxBuffers = 8
	}
	p := &printer{
		k: k, scope: k.Scope(), opts: o, need: map[string]bool{}, helpers: map[string]bool{}, deviceFunctions: nameDeviceFunctions(k),
	}
	p.code = &imp.Code{Entry: "main", Failure: k.Guarded || k.HasAssert()}
	p.code.Layout(k)
	p.code.Immediate = p.code.Bytes <= o.MaxImmediates
	buffers := k.Buffers()
	if p.code.Failure {
		buffers++
	}
	if buffers > o.MaxBuffers {
		return nil, k.Limit(fmt.Errorf("it needs %d buffers, the device allows %d", buffers, o.MaxBuffers))
	}
	p.collective = k.HasCollective()
	p.collect()
	p.body()
	for _, r := range imp.DeviceFunctions(k.Body) {
		p.functions = append(p.functions, p.deviceFunctionText(r))
	}
	if p.err != nil {
		return nil, k.Limit(p.err)
	}
	source, err := p.module()
	p.code.Source = source
	return p.code, err
}

// collect finds what is to be known of variables and arrays before code is printed.
func (p *printer) collect() {
	p.nameVars()
	for _, m := range p.k.Mems {
		p.pieces = append(p.pieces, m.Pieces)
	}
	p.findMutable()
	p.chooseForms()
}

// printer prints one kernel, or a device function of one. The body is printed first, which finds what must
// stand before it.
type printer struct {
	k     *imp.Kernel
	scope imp.Scope
	opts  Options
	code  *imp.Code
	err   error // the first limit that is exceeded

	out        strings.Builder // the body
	depth      int
	temps      int
	collective bool // the kernel has barriers
	inRegion   bool // see Note [Failing threads]
	loops      int  // loops around the current statement within its region

	vars, mems []string
	pieces     []int  // by imp.Mem: see Note [Chunked buffers]
	mutable    []bool // variables that are set again
	hoisted    []bool // variables that are declared at the top
	forms      []form // by imp.Mem

	ids       [imp.SubgroupSize + 1]bool
	need      map[string]bool // functions of the support library
	helpers   map[string]bool // see helpers.go
	accessors []string        // functions that access arrays, in order of first use
	accessed  map[string]bool
	functions []string // those of device functions

	deviceFunctions map[*imp.DeviceFunction]string // their names
	deviceFunction  *imp.DeviceFunction            // that is being printed
}

func (p *printer) line(format string, args ...any) {
	p.out.WriteString(strings.Repeat("  ", p.depth))
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}

// limit notes what the target cannot do; the first one is reported.
func (p *printer) limit(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// findMutable finds the variables that are set after their declaration.
func (p *printer) findMutable() {
	p.mutable = make([]bool, len(p.k.Vars))
	p.hoisted = make([]bool, len(p.k.Vars))
	p.accessed = map[string]bool{}
	imp.Walk(p.k.Body, func(s imp.Stm) bool {
		if s, ok := s.(*imp.Set); ok {
			p.mutable[s.Var] = true
		}
		return true
	})
}

// body prints the statements of main.
func (p *printer) body() {
	p.depth = 1
	p.guard()
	if p.collective {
		p.groupStms(p.k.Body)
	} else {
		p.stms(p.k.Body)
	}
}

// guard lets the whole workgroup leave when an earlier kernel failed.
func (p *printer) guard() {
	asserts := p.k.HasAssert()
	switch {
	case !p.collective && p.k.Guarded:
		p.line("if (atomicLoad(&failure[0]) != 0u) { return; }")
	case p.collective && (p.k.Guarded || asserts):
		p.ids[imp.LocalID] = true
		first := "0u"
		if p.k.Guarded {
			first = "atomicLoad(&failure[0])"
		}
		p.line("if (local_id == 0) { group_failed = %s; }", first)
		p.line("if (workgroupUniformLoad(&group_failed) != 0u) { return; }")
	}
	if p.collective && asserts {
		p.line("var alive = true;")
	}
}

// module puts the parts together.
func (p *printer) module() (string, error) {
	var b strings.Builder
	for _, e := range p.opts.Enables {
		fmt.Fprintf(&b, "enable %s;\n", e)
	}
	if p.k.Where != "" {
		fmt.Fprintf(&b, "// %s, from %s\n", p.k.Name, strings.ReplaceAll(p.k.Where, "\n", "\n//   called from "))
	} else {
		fmt.Fprintf(&b, "// %s\n", p.k.Name)
	}
	var main strings.Builder
	p.mainText(&main) // before the helpers that it asks for
	p.interfaceText(&b)
	p.printHelpers(&b)
	var names []string
	for n := range p.need {
		names = append(names, n)
	}
	dialect := shaders.Dialect{Language: shaders.WGSL, Int64: p.opts.I64, Float64: p.opts.F64, Float16: p.opts.F16}
	library, err := shaders.Library(dialect, names) // in an order of its own
	if err != nil {
		return "", fmt.Errorf("kernel %s: %w", p.k.Name, err)
	}
	b.WriteString(library)
	for _, a := range p.accessors {
		b.WriteString(a)
	}
	for _, f := range p.functions {
		b.WriteString(f)
	}
	b.WriteString(main.String())
	return b.String(), nil
}

// interfaceText declares buffers, parameters and workgroup memory.
func (p *printer) interfaceText(b *strings.Builder) {
	binding := 0
	for i := range p.k.Globals() {
		for _, name := range p.bound(imp.Mem(i)) {
			fmt.Fprintf(b, "@group(0) @binding(%d) var<storage, read_write> %s: array<%s>;\n", binding, name, p.forms[i].elem)
			binding++
		}
	}
	if p.code.Failure {
		fmt.Fprintf(b, "@group(0) @binding(%d) var<storage, read_write> failure: array<atomic<u32>>;\n", binding)
		binding++
	}
	b.WriteString("struct Params {\n")
	for _, v := range p.k.Params {
		fmt.Fprintf(b, "  %s: %s,\n", p.v(v), p.paramType(p.k.Vars[v].Type))
	}
	b.WriteString("  num_groups: u32,\n}\n")
	if p.code.Immediate {
		b.WriteString("var<immediate> params: Params;\n")
	} else {
		fmt.Fprintf(b, "@group(0) @binding(%d) var<uniform> params: Params;\n", binding)
	}
	if p.collective && (p.k.Guarded || p.k.HasAssert()) {
		b.WriteString("var<workgroup> group_failed: u32;\n")
	}
	for i, m := range p.k.Mems {
		if m.Space == imp.Shared {
			count := m.Count
			switch f := p.forms[i]; f.kind { //nolint:exhaustive // the others hold one element each
			case pairForm:
				count *= 2
			case vecForm:
				count = (count + f.n - 1) / f.n
			}
			fmt.Fprintf(b, "var<workgroup> %s: array<%s, %d>;\n", p.mems[i], p.forms[i].elem, count)
		}
	}
}

// mainText prints the entry point around the body.
func (p *printer) mainText(b *strings.Builder) {
	inputs := []string{"@builtin(workgroup_id) workgroup: vec3<u32>", "@builtin(num_workgroups) workgroups: vec3<u32>"}
	if p.ids[imp.LocalID] {
		inputs = append(inputs, "@builtin(local_invocation_index) local_index: u32")
	}
	if p.ids[imp.Lane] {
		inputs = append(inputs, "@builtin(subgroup_invocation_id) lane_index: u32")
	}
	if p.ids[imp.SubgroupSize] {
		inputs = append(inputs, "@builtin(subgroup_size) lanes: u32")
	}
	if p.ids[imp.SubgroupID] {
		inputs = append(inputs, "@builtin(subgroup_id) subgroup_index: u32")
	}
	fmt.Fprintf(b, "@compute @workgroup_size(%d)\nfn main(%s) {\n", p.k.GroupSize, strings.Join(inputs, ", "))
	b.WriteString("  let group_index = workgroup.y * workgroups.x + workgroup.x;\n")
	b.WriteString("  if (group_index >= params.num_groups) { return; }\n")
	for _, id := range []struct {
		kind imp.IdKind
		exp  string
	}{
		{imp.GroupID, "i32(group_index)"},
		{imp.LocalID, "i32(local_index)"},
		{imp.ThreadID, fmt.Sprintf("group_id * %d + local_id", p.k.GroupSize)},
		{imp.NumGroups, "i32(params.num_groups)"},
		{imp.Lane, "i32(lane_index)"},
		{imp.SubgroupSize, "i32(lanes)"},
		{imp.SubgroupID, "i32(subgroup_index)"},
	} {
		if p.ids[id.kind] {
			fmt.Fprintf(b, "  let %s = %s;\n", id.kind, id.exp)
		}
	}
	for _, v := range p.k.Params {
		mutable := "let"
		if p.mutable[v] {
			mutable = "var"
		}
		fmt.Fprintf(b, "  %s %s = %s;\n", mutable, p.v(v), p.paramValue("params."+p.v(v), p.k.Vars[v].Type))
	}
	p.privateText(b)
	for v, h := range p.hoisted {
		if h {
			fmt.Fprintf(b, "  var %s: %s;\n", p.vars[v], p.regType(p.k.Vars[v].Type))
		}
	}
	b.WriteString(p.out.String())
	b.WriteString("}\n")
}

// privateText declares a thread's own arrays.
func (p *printer) privateText(b *strings.Builder) {
	for i, m := range p.k.Mems {
		if m.Space == imp.Private {
			fmt.Fprintf(b, "  var %s: array<%s, %d>;\n", p.mems[i], p.forms[i].elem, m.Count)
		}
	}
}

// temp makes a name for an intermediate value.
func (p *printer) temp(base string) string {
	p.temps++
	return fmt.Sprintf("%s_t%d", base, p.temps)
}
