package core

import (
	"fmt"
	"strconv"
	"strings"
)

// printer writes the text form of a program. Names come from fun; a nil fun
// prints every variable with the base name "v". See Note [Text form].
type printer struct {
	PrintOptions
	out    strings.Builder
	fun    *Fun
	indent int
}

// PrintOptions say what is left out of the text form.
type PrintOptions struct {
	// HideLocations leaves out where statements come from: most of a line, in code that has been inlined.
	HideLocations bool
}

// Print is the text form of p, which Parse reads back.
func Print(p *Prog) string { return PrintOptions{}.Print(p) }

// Print is the text form of p, which Parse reads back but for what is left out.
func (o PrintOptions) Print(p *Prog) string {
	pr := &printer{PrintOptions: o}
	pr.writef("stage %s\n", p.Stage)
	for _, t := range p.Types {
		pr.opaque(t)
	}
	if p.Consts != nil {
		pr.nl()
		pr.out.WriteString("consts ")
		pr.function(p.Consts)
	}
	for _, f := range p.Funs {
		pr.nl()
		pr.function(f)
	}
	for _, e := range p.Entries {
		pr.nl()
		pr.entry(e)
	}
	return pr.out.String()
}

// PrintFun is the text form of one function.
func PrintFun(f *Fun) string {
	pr := &printer{}
	pr.function(f)
	return pr.out.String()
}

// PrintExp is the text form of an expression of f, for messages.
func PrintExp(f *Fun, e Exp) string {
	pr := &printer{fun: f}
	e.print(pr)
	return pr.out.String()
}

// PrintAlike is a text of an expression of f that expressions have in common which differ only in the names of what they bind, and in where
// they come from.
func PrintAlike(f *Fun, e Exp) string {
	sub, bound := Subst{}, Var(len(f.Names))
	m := sub.mapper()
	m.Bind = func(v Var) Var {
		sub[v] = V(bound)
		bound++
		return sub[v].Var
	}
	m.Body = func(b *Body) *Body { return m.MapBody(b) }
	pr := &printer{PrintOptions: PrintOptions{HideLocations: true}}
	MapExp(e, m).print(pr)
	return pr.out.String()
}

// PrintType is the text form of a type that occurs in f.
func PrintType(f *Fun, t Type) string {
	pr := &printer{fun: f}
	return pr.typ(t)
}

func (p *printer) writef(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

func (p *printer) nl() {
	p.out.WriteByte('\n')
	for range p.indent {
		p.out.WriteString("  ")
	}
}

func (p *printer) v(v Var) string {
	if p.fun == nil {
		return "v_" + strconv.Itoa(int(v))
	}
	return p.fun.Base(v) + "_" + strconv.Itoa(int(v))
}

func (p *printer) op(o Operand) string {
	if o.Var != 0 {
		return p.v(o.Var)
	}
	return o.Const.String()
}

func join[T any](xs []T, f func(T) string) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = f(x)
	}
	return strings.Join(parts, ", ")
}

func (p *printer) ops(os []Operand) string { return join(os, p.op) }
func (p *printer) vars(vs []Var) string    { return join(vs, p.v) }

func (p *printer) typ(t Type) string {
	switch t.Kind {
	case KindScalar:
		return t.Elem.String()
	case KindAcc:
		return "acc(" + p.v(t.Acc) + ")"
	case KindCert:
		return "cert"
	case KindMem:
		return "mem(" + t.Elem.String() + ", " + t.Space.String() + ")"
	case KindArray:
		var b strings.Builder
		for _, n := range t.Shape {
			b.WriteString("[" + p.op(n) + "]")
		}
		b.WriteString(t.Elem.String())
		if l := t.Layout; l != nil {
			fmt.Fprintf(&b, " @%s{%s; %s}", p.v(l.Mem), p.poly(l.Offset), join(l.Strides, p.poly))
		}
		return b.String()
	}
	panic(fmt.Sprintf("core: type of kind %d", t.Kind))
}

func (p *printer) types(ts []Type) string { return join(ts, p.typ) }

func (p *printer) poly(q Poly) string {
	if len(q.Terms) == 0 {
		return "0"
	}
	terms := make([]string, len(q.Terms))
	for i, t := range q.Terms {
		var fs []string
		if t.Coef != 1 || len(t.Vars) == 0 {
			fs = append(fs, strconv.FormatInt(t.Coef, 10))
		}
		for _, v := range t.Vars {
			fs = append(fs, p.v(v))
		}
		terms[i] = strings.Join(fs, "*")
	}
	return strings.Join(terms, " + ")
}

func (p *printer) param(q Param) string {
	star := ""
	if q.Unique {
		star = "*"
	}
	return p.v(q.Var) + ": " + star + p.typ(q.Type)
}

func (p *printer) params(ps []Param) string { return join(ps, p.param) }

func (p *printer) function(f *Fun) {
	p.fun = f
	for _, a := range f.Attrs {
		p.writef("#[%s]", string(a))
		p.nl()
	}
	keyword := "fun"
	if f.DeviceFunction {
		keyword = "device"
	}
	p.writef("%s %s (%s): (%s)", keyword, f.Name, p.params(f.Params), p.params(f.Ret))
	if len(f.Globals) > 0 {
		p.writef(" globals (%s)", join(f.Globals, func(g GlobalRef) string {
			return fmt.Sprintf("%d %s", g.Index, p.param(g.Param))
		}))
	}
	p.out.WriteString(" = ")
	p.body(f.Body)
	p.out.WriteByte('\n')
	p.fun = nil
}

func (p *printer) body(b *Body) {
	p.out.WriteByte('{')
	p.indent++
	for _, s := range b.Stms {
		p.nl()
		p.stm(s)
	}
	p.nl()
	p.writef("in (%s)", p.ops(b.Res))
	p.indent--
	p.nl()
	p.out.WriteByte('}')
}

func (p *printer) stm(s *Stm) {
	p.writef("let (%s) = ", p.params(s.Dst))
	s.Exp.print(p)
	if len(s.Aux.Certs) > 0 {
		p.writef(" certs(%s)", p.vars(s.Aux.Certs))
	}
	for _, a := range s.Aux.Attrs {
		p.writef(" #[%s]", string(a))
	}
	if p.HideLocations {
		return
	}
	for w, sep := s.Aux.Where, " at "; w != nil; w, sep = w.Caller, " from " {
		p.writef("%s%q", sep, w.Loc)
	}
}

func (p *printer) lambda(l *Lambda) {
	p.writef("fn (%s): (%s) ", p.params(l.Params), p.types(l.Ret))
	p.body(l.Body)
}

func (p *printer) slice(s Slice) string {
	return join(s, func(d Dim) string {
		if d.Fix {
			return p.op(d.Off)
		}
		return p.op(d.Off) + ":" + p.op(d.Len) + ":" + p.op(d.Stride)
	})
}

func (p *printer) operators(ops []Operator) {
	p.out.WriteByte('(')
	for i, op := range ops {
		if i > 0 {
			p.out.WriteString(", ")
		}
		if op.Commutative {
			p.out.WriteString("comm ")
		}
		p.writef("neutral (%s) ", p.ops(op.Neutral))
		p.lambda(op.Lambda)
	}
	p.out.WriteByte(')')
}

func (p *printer) opaque(t OpaqueType) {
	p.writef("type %q (%s)", t.Name, join(t.Parts, OpaquePart.String))
	if t.Rank > 0 {
		p.writef(" array %d %q", t.Rank, t.Elem)
	}
	for _, f := range t.Fields {
		p.writef(" field %q %q %d %d", f.Name, f.Type, f.First, f.Count)
	}
	for _, v := range t.Variants {
		p.writef(" variant %q (%s) (%s)", v.Name, join(v.Payload, strconv.Quote), join(v.Rep, strconv.Itoa))
	}
	p.nl()
}

func (p *printer) entry(e Entry) {
	p.writef("entry %q %s %q\n", e.Name, e.Fun, e.Doc)
	for _, v := range e.Params {
		p.entryValue("param", v)
	}
	for _, v := range e.Results {
		p.entryValue("result", v)
	}
	if len(e.Results) != 1 { // else it is the result
		p.entryValue("output", e.Output)
	}
	for _, a := range e.Attrs {
		p.writef("  attr %q\n", string(a))
	}
}

// String returns a part as the text form has it.
func (o OpaquePart) String() string {
	var b strings.Builder
	for _, n := range o.Sizes {
		b.WriteString("[" + strconv.Itoa(n) + "]")
	}
	return b.String() + o.Elem.String()
}

func (p *printer) entryValue(kind string, v EntryValue) {
	star := ""
	if v.Unique {
		star = "*"
	}
	p.writef("  %s %q %s%q %d %d %d\n", kind, v.Name, star, v.Type, v.Opaque, v.First, v.Count)
}

var stageNames = [...]string{"soacs", "kernels", "memory", "chosen"}

// String is the stage's name in the text form.
func (s Stage) String() string { return stageNames[s] }

var spaceNames = [...]string{"device", "group", "private"}

// String is the memory space's name in the text form.
func (s MemSpace) String() string { return spaceNames[s] }

var levelNames = [...]string{"grid", "group", "ingroup"}

// String is the level's name in the text form.
func (l Level) String() string { return levelNames[l] }
