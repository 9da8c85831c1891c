package wgsl

import (
	"errors"
	"fmt"
	"strings"

	"skald/backends/text"
	"skald/middle/imp"
	"skald/runtime/prim"
	"skald/shaders"
)

// Print prints a kernel that imp.Verify accepts. An error is a limitation (imp.Kernel.Limit): what the device has too little of.
func Print(k *imp.Kernel, o Options) (*imp.Code, error) {
	if o.MaxBuffers == 0 {
		o.MaxBuffers = 8
	}
	names := map[*imp.DeviceFunction]string{}
	text.NameDeviceFunctions(names, k)
	p := newPrinter(k, o, names, map[string]bool{}, map[string]bool{})
	p.code = &imp.Code{Entry: "main", Failure: k.Guarded || k.HasAssert()}
	p.code.Layout(k)
	p.code.Immediate = p.code.Bytes <= o.MaxImmediates
	if k.Room > 0 {
		return nil, k.Limit(errors.New("its arrays have sizes that are known at each launch only"))
	}
	buffers := k.Buffers()
	if p.code.Failure {
		buffers++
	}
	if buffers > o.MaxBuffers {
		return nil, k.Limit(fmt.Errorf("it needs %d buffers, the device allows %d", buffers, o.MaxBuffers))
	}
	p.Waits = k.HasCollective()
	p.Depth = 1
	p.guard()
	p.PairSines()
	p.Statements(k.Body)
	for _, f := range imp.DeviceFunctions(k.Body) {
		p.functions = append(p.functions, p.deviceFunction(f))
	}
	if p.Err != nil {
		return nil, k.Limit(p.Err)
	}
	source, err := p.module()
	if deep := nesting(source); err == nil && deep > maxNesting {
		return nil, k.Limit(fmt.Errorf("its branches and loops are nested %d deep, at most %d are compiled", deep, maxNesting))
	}
	p.code.Source = source
	return p.code, err
}

// maxNesting is how deep statements may be nested in a function. WGSL allows 127, but Dawn counts a branch or loop as two levels (and each
// `else if` of a chain as one), and lavapipe's compiler ends the process at some 80.
const maxNesting = 62

// nesting is how deep the statements of a program are nested.
func nesting(source string) int {
	depth, most := 0, 0
	var open []int // how many levels each open brace is
	levels := 1    // of the next
	for line := range strings.Lines(source) {
		code, _, _ := strings.Cut(line, "//") // Comments have names of files, which may have braces.
		for i := range len(code) {
			switch code[i] {
			case '{':
				open = append(open, levels)
				depth, levels = depth+levels, 1
				most = max(most, depth)
			case '}':
				last := open[len(open)-1]
				open, depth = open[:len(open)-1], depth-last
				if strings.HasPrefix(code[i:], "} else if ") {
					levels = last + 1
				}
			}
		}
	}
	return most
}

// newPrinter prepares a printer for a kernel, or for a device function of one, with which it has needed and helpers together.
func newPrinter(k *imp.Kernel, o Options, names map[*imp.DeviceFunction]string, needed, helpers map[string]bool) *printer {
	p := &printer{opts: o, helpers: helpers, accessed: map[string]bool{}}
	p.Printer = text.NewPrinter(k, p, &syntax, names, needed, local, reserved)
	for _, m := range k.Mems {
		p.chunks = append(p.chunks, m.Chunks)
	}
	p.chooseForms()
	return p
}

// deviceFunction prints a device function that the kernel calls.
func (p *printer) deviceFunction(f *imp.DeviceFunction) string {
	in := newPrinter(f.Kernel(), p.opts, p.Names, p.Needed, p.helpers)
	out := in.DeviceFunction(f, in.privateText)
	if in.Err != nil {
		p.Limit("device function %s: %w", f.Name, in.Err)
	}
	return out
}

// printer prints one kernel, or a device function of one. The body is printed first, which finds what must
// stand before it.
type printer struct {
	text.Printer
	opts Options
	code *imp.Code

	chunks []int  // by imp.Mem: see Note [Chunked buffers]
	forms  []form // by imp.Mem

	helpers   map[string]bool // see helpers.go
	accessors []string        // functions that access arrays, in order of first use
	accessed  map[string]bool
	functions []string // those of device functions
}

// guard lets the whole workgroup leave when an earlier kernel failed.
func (p *printer) guard() {
	asserts := p.Kernel.HasAssert()
	switch {
	case !p.Waits && p.Kernel.Guarded:
		p.Line("if (atomicLoad(&failure[0]) != 0u) { return; }")
	case p.Waits && (p.Kernel.Guarded || asserts):
		p.IDs[imp.LocalID] = true
		first := "0u"
		if p.Kernel.Guarded {
			first = "atomicLoad(&failure[0])"
		}
		p.Line("if (local_id == 0) { group_failed = %s; }", first)
		p.Line("if (workgroupUniformLoad(&group_failed) != 0u) { return; }")
	}
	if p.Waits && asserts {
		p.Line("var alive = true;")
	}
}

// module puts the parts together.
func (p *printer) module() (string, error) {
	var b strings.Builder
	for _, e := range p.opts.Enables {
		fmt.Fprintf(&b, "enable %s;\n", e)
	}
	b.WriteString(text.Title(p.Kernel))
	head := p.mainHead() // before the helpers that it asks for
	p.interfaceText(&b)
	p.printHelpers(&b)
	var names []string
	for n := range p.Needed {
		names = append(names, n)
	}
	dialect := shaders.Dialect{Language: shaders.WGSL, Int64: p.opts.I64, Float64: p.opts.F64, Float16: p.opts.F16, Fma: p.opts.Fma}
	library, err := shaders.Library(dialect, names) // in an order of its own
	if err != nil {
		return "", fmt.Errorf("kernel %s: %w", p.Kernel.Name, err)
	}
	body := p.Body()
	b.Grow(len(library) + len(head) + len(body))
	b.WriteString(library)
	for _, a := range p.accessors {
		b.WriteString(a)
	}
	for _, f := range p.functions {
		b.WriteString(f)
	}
	b.WriteString(head)
	b.WriteString(body)
	b.WriteString("}\n")
	return b.String(), nil
}

// interfaceText declares buffers, parameters and workgroup memory.
func (p *printer) interfaceText(b *strings.Builder) {
	binding := 0
	for i := range p.Kernel.Globals() {
		access := "read_write"
		if p.Kernel.Mems[i].Access == imp.Read {
			access = "read" // See Note [Arrays that are only read] of package webgpu.
		}
		for _, name := range p.bound(imp.Mem(i)) {
			fmt.Fprintf(b, "@group(0) @binding(%d) var<storage, %s> %s: array<%s>;\n", binding, access, name, p.forms[i].elem)
			binding++
		}
	}
	if p.code.Failure {
		fmt.Fprintf(b, "@group(0) @binding(%d) var<storage, read_write> failure: array<atomic<u32>>;\n", binding)
		binding++
	}
	b.WriteString("struct Params {\n")
	for _, v := range p.Kernel.Params {
		fmt.Fprintf(b, "  %s: %s,\n", p.Vars[v], p.paramType(p.Kernel.Vars[v].Type))
	}
	b.WriteString("  num_groups: u32,\n}\n")
	if p.code.Immediate {
		b.WriteString("var<immediate> params: Params;\n")
	} else {
		fmt.Fprintf(b, "@group(0) @binding(%d) var<uniform> params: Params;\n", binding)
	}
	if p.Waits && (p.Kernel.Guarded || p.Kernel.HasAssert()) {
		b.WriteString("var<workgroup> group_failed: u32;\n")
		p.code.Declared += workgroupAlign
	}
	for i, m := range p.Kernel.Mems {
		if m.Space == imp.Shared {
			f, count, elems := p.forms[i], (m.Count+p.forms[i].n-1)/p.forms[i].n, 1
			if f.kind == pairForm {
				elems = 2
			}
			fmt.Fprintf(b, "var<workgroup> %s: array<%s, %d>;\n", p.Mems[i], f.elem, elems*count)
			bytes := count * p.sharedBytes(m.Elem, f)
			p.code.Declared += (bytes + workgroupAlign - 1) / workgroupAlign * workgroupAlign
		}
	}
}

// workgroupAlign is what WebGPU rounds each variable of workgroup memory up to when it adds them up, in bytes.
const workgroupAlign = 16

// sharedBytes is how many bytes of workgroup memory the elements take that lie together in a form: at least a word, but for native f16.
func (p *printer) sharedBytes(t prim.Type, f form) int {
	if f.kind == plainForm && t == prim.F16 && p.opts.F16 {
		return t.Size()
	}
	return max(4, f.n*t.Size())
}

// mainHead is the entry point up to the body.
func (p *printer) mainHead() string {
	var b strings.Builder
	inputs := []string{"@builtin(workgroup_id) workgroup: vec3<u32>", "@builtin(num_workgroups) workgroups: vec3<u32>"}
	if p.IDs[imp.LocalID] {
		inputs = append(inputs, "@builtin(local_invocation_index) local_index: u32")
	}
	if p.IDs[imp.Lane] {
		inputs = append(inputs, "@builtin(subgroup_invocation_id) lane_index: u32")
	}
	if p.IDs[imp.SubgroupSize] {
		inputs = append(inputs, "@builtin(subgroup_size) lanes: u32")
	}
	if p.IDs[imp.SubgroupID] {
		inputs = append(inputs, "@builtin(subgroup_id) subgroup_index: u32")
	}
	fmt.Fprintf(&b, "@compute @workgroup_size(%d)\nfn main(%s) {\n", p.Kernel.GroupSize, strings.Join(inputs, ", "))
	b.WriteString("  let group_index = workgroup.y * workgroups.x + workgroup.x;\n")
	b.WriteString("  if (group_index >= params.num_groups) { return; }\n")
	for _, id := range []struct {
		kind imp.IdKind
		exp  string
	}{
		{imp.GroupID, "i32(group_index)"},
		{imp.LocalID, "i32(local_index)"},
		{imp.ThreadID, fmt.Sprintf("group_id * %d + local_id", p.Kernel.GroupSize)},
		{imp.NumGroups, "i32(params.num_groups)"},
		{imp.Lane, "i32(lane_index)"},
		{imp.SubgroupSize, "i32(lanes)"},
		{imp.SubgroupID, "i32(subgroup_index)"},
	} {
		if p.IDs[id.kind] {
			fmt.Fprintf(&b, "  let %s = %s;\n", id.kind, id.exp)
		}
	}
	for _, v := range p.Kernel.Params {
		mutable := "let"
		if p.Mutable[v] {
			mutable = "var"
		}
		fmt.Fprintf(&b, "  %s %s = %s;\n", mutable, p.Vars[v], p.paramValue("params."+p.Vars[v], p.Kernel.Vars[v].Type))
	}
	p.privateText(&b)
	for v, h := range p.Hoisted {
		if h {
			fmt.Fprintf(&b, "  var %s: %s;\n", p.Vars[v], p.RegType(p.Kernel.Vars[v].Type))
		}
	}
	return b.String()
}

// privateText declares a thread's own arrays.
func (p *printer) privateText(b *strings.Builder) {
	for i, m := range p.Kernel.Mems {
		if m.Space == imp.Private {
			fmt.Fprintf(b, "  var %s: array<%s, %d>;\n", p.Mems[i], p.forms[i].elem, m.Count)
		}
	}
}
