package imp

import (
	"fmt"
	"strconv"
	"strings"
)

// Print returns the text form of p.
func Print(p *Prog) string {
	var pr printer
	for _, t := range p.Tunes {
		pr.line("tune %s %s %d", quote(t.Name), quote(t.Class), t.Default)
	}
	for _, o := range p.Opaques {
		pr.line("opaque %s", quote(o))
	}
	for _, s := range p.Sites {
		ts := make([]string, len(s.Types))
		for i, t := range s.Types {
			ts[i] = t.String()
		}
		pr.line("site %s %s (%s)", quote(s.Where), quote(s.Text), strings.Join(ts, ", "))
	}
	if p.Init != "" {
		pr.line("init %s", p.Init)
	}
	for i := range p.Entries {
		pr.entry(&p.Entries[i])
	}
	var bodies []Stm
	for _, k := range p.Kernels {
		bodies = append(bodies, k.Body...)
	}
	pr.deviceFunctions(bodies)
	for _, k := range p.Kernels {
		pr.kernel(k)
	}
	for _, f := range p.Funs {
		pr.fun(f)
	}
	return pr.String()
}

// PrintKernel returns the text form of one kernel, behind the device functions that it calls.
func PrintKernel(k *Kernel) string {
	var pr printer
	pr.deviceFunctions(k.Body)
	pr.kernel(k)
	return pr.String()
}

type printer struct {
	strings.Builder
	depth int
	scope Scope
}

func quote(s string) string { return strconv.Quote(s) }

// Indent is what lines in a nest of some depth begin with. It is bounded: more would be most of the text of a deep nest.
func Indent(depth int) string { return strings.Repeat("  ", min(depth, 40)) }

func (p *printer) line(format string, args ...any) {
	p.WriteString(Indent(p.depth))
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// put prints one line of several parts. Most lines are printed so: formats are read again for each.
func (p *printer) put(parts ...string) {
	p.WriteString(Indent(p.depth))
	for _, part := range parts {
		p.WriteString(part)
	}
	p.WriteByte('\n')
}

// block prints a line that starts a block, and body as the block's lines.
func (p *printer) block(head string, body []Stm) {
	p.put(head, " {")
	p.stms(body)
	p.put("}")
}

func (p *printer) stms(body []Stm) {
	p.depth++
	for _, s := range body {
		p.stm(s)
	}
	p.depth--
}

func (p *printer) entry(e *Entry) {
	p.line("entry %s %s %s {", quote(e.Name), e.Fun, quote(e.Doc))
	p.depth++
	for _, v := range e.Params {
		p.entryValue("param", v)
	}
	for _, v := range e.Results {
		p.entryValue("result", v)
	}
	p.depth--
	p.line("}")
}

func (p *printer) entryValue(role string, v EntryValue) {
	star := ""
	if v.Unique {
		star = " unique"
	}
	parts := make([]string, len(v.Parts))
	for i, t := range v.Parts {
		dims := ""
		for _, d := range t.Shape {
			dims += "[" + [...]string{"", "param ", "result "}[d.Kind] + strconv.FormatInt(d.N, 10) + "]"
		}
		parts[i] = fmt.Sprintf("%d: %s%s", t.At, dims, t.Elem)
	}
	p.line("%s%s %s %s %d (%s)", role, star, quote(v.Name), quote(v.Type), v.Opaque, strings.Join(parts, ", "))
}

func (p *printer) kernel(k *Kernel) {
	p.scope = k.Scope()
	var ps []string
	for _, v := range k.Params {
		ps = append(ps, p.decl(v))
	}
	globals := k.Globals()
	for i := range globals {
		m := k.Mems[i]
		decl := fmt.Sprintf("%s %s: %s", accessNames[m.Access], p.mem(Mem(i)), m.Elem)
		if m.Chunks > 1 {
			decl += fmt.Sprintf(" chunks %d %d", m.Chunks, m.ChunkLog)
		}
		ps = append(ps, decl)
	}
	head := fmt.Sprintf("kernel %s(%s) group %d", k.Name, strings.Join(ps, ", "), k.GroupSize)
	if k.Room > 0 {
		head += fmt.Sprintf(" room %d", k.Room)
	}
	if k.Guarded {
		head += " guarded"
	}
	if k.Where != "" {
		head += " at " + quote(k.Where)
	}
	p.line("%s {", head)
	p.ownMems(globals)
	p.stms(k.Body)
	p.line("}")
}

// ownMems declares the arrays from number first on, which are not global.
func (p *printer) ownMems(first int) {
	p.depth++
	for i := first; i < len(p.scope.Mems); i++ {
		m := p.scope.Mems[i]
		count := "room"
		if !m.Sized {
			count = strconv.Itoa(m.Count)
		}
		p.line("%s %s: %s[%s]", [...]string{"", "shared", "private"}[m.Space], p.mem(Mem(i)), m.Elem, count)
	}
	p.depth--
}

// deviceFunctions prints what statements call.
func (p *printer) deviceFunctions(body []Stm) {
	for _, r := range DeviceFunctions(body) {
		p.scope = r.Scope()
		fails := ""
		if r.Fails {
			fails = " fails"
		}
		p.line("device %s(%s) -> (%s)%s {", r.Name, p.decls(r.Params), p.exps(r.Results), fails)
		p.ownMems(0)
		p.stms(r.Body)
		p.line("}")
	}
}

var accessNames = [...]string{"read", "write", "atomic"}

func (p *printer) fun(f *Fun) {
	p.scope = f.Scope()
	ps := make([]string, len(f.Params))
	for i, v := range f.Params {
		ps[i] = p.decl(v)
	}
	p.block(fmt.Sprintf("fun %s(%s) -> (%s)", f.Name, strings.Join(ps, ", "), p.exps(f.Results)), f.Body)
}

func (p *printer) v(v Var) string { return p.scope.Vars[v].Name + "_" + strconv.Itoa(int(v)) }

func (p *printer) vars(vs []Var) string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = p.v(v)
	}
	return strings.Join(out, ", ")
}

// decl is a binding occurrence of v.
func (p *printer) decl(v Var) string { return p.v(v) + ": " + p.scope.Vars[v].Type.String() }

func (p *printer) decls(vs []Var) string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = p.decl(v)
	}
	return strings.Join(out, ", ")
}

// mem is the name of an array; "@" sets it apart from variables.
func (p *printer) mem(m Mem) string { return "@" + p.scope.Mems[m].Name + "_" + strconv.Itoa(int(m)) }
