package core

import (
	"fmt"
	"strconv"
)

// exp writes scalar and control expressions, and hands on the others.
func (p *printer) exp(e Exp) {
	switch e := e.(type) {
	case *Use:
		p.writef("use %s", p.op(e.X))
	case *Un:
		p.writef("%s.%s %s", e.Op, e.Type, p.op(e.X))
	case *Bin:
		p.writef("%s.%s %s %s", e.Op, e.Type, p.op(e.X), p.op(e.Y))
	case *Cmp:
		p.writef("%s.%s %s %s", e.Op, e.Type, p.op(e.X), p.op(e.Y))
	case *Conv:
		p.writef("conv.%s.%s %s", e.From, e.To, p.op(e.X))
	case *CallFunc:
		p.writef("%s.%s (%s)", e.Func, e.Type, p.ops(e.Args))
	case *Assert:
		p.writef("assert %s (%s)", p.op(e.Cond), join(e.Msg, func(m MsgPart) string {
			if m.IsOp {
				return p.op(m.X)
			}
			return strconv.Quote(m.Text)
		}))
	case *If:
		p.writef("if %s ", p.op(e.Cond))
		p.body(e.Then)
		p.out.WriteString(" else ")
		p.body(e.Else)
	case *Switch:
		p.switchExp(e)
	case *Loop:
		p.loop(e)
	case *Call:
		p.writef("call %s (%s)", e.Fun, p.ops(e.Args))
	case *Tune:
		p.writef("tune %q %q", e.Name, e.Class)
	case *Fact:
		p.writef("fact %q", e.Name)
	case *Alloc:
		p.writef("alloc %s %s %s", e.Elem, p.op(e.Count), e.Space)
	default:
		p.arrayExp(e)
	}
}

func (p *printer) switchExp(e *Switch) {
	p.writef("switch %s {", p.op(e.On))
	for _, c := range e.Cases {
		p.writef(" case %s ", c.Value)
		p.body(c.Body)
	}
	p.out.WriteString(" default ")
	p.body(e.Default)
	p.out.WriteString(" }")
}

func (p *printer) loop(e *Loop) {
	p.out.WriteString("loop (")
	for i, q := range e.Params {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.writef("%s = %s", p.param(q), p.op(e.Init[i]))
	}
	p.out.WriteString(") ")
	if e.IsFor() {
		p.writef("for %s < %s ", p.param(e.Index), p.op(e.Bound))
	} else {
		p.writef("while %s ", p.v(e.While))
	}
	p.body(e.Body)
}

func (p *printer) slice(s Slice) string {
	return join(s, func(d Dim) string {
		if d.Fix {
			return p.op(d.Off)
		}
		return p.op(d.Off) + ":" + p.op(d.Len) + ":" + p.op(d.Stride)
	})
}

// arrayExp writes expressions on arrays, and hands on the others.
func (p *printer) arrayExp(e Exp) {
	switch e := e.(type) {
	case *ArrayLit:
		p.writef("array %s (%s)", p.typ(e.Row), p.ops(e.Elems))
	case *Index:
		p.writef("index %s [%s]", p.v(e.Array), p.slice(e.Slice))
	case *Update:
		p.writef("update %s [%s] %s", p.v(e.Array), p.slice(e.Slice), p.op(e.Value))
	case *Concat:
		p.writef("concat %s (%s)", p.op(e.Size), p.vars(e.Arrays))
	case *Iota:
		p.writef("iota.%s %s %s %s", e.Type, p.op(e.N), p.op(e.Start), p.op(e.Step))
	case *Replicate:
		p.writef("replicate [%s] %s", p.ops(e.Shape), p.op(e.X))
	case *Scratch:
		p.writef("scratch %s [%s]", e.Elem, p.ops(e.Shape))
	case *Rearrange:
		p.writef("rearrange (%s) %s", join(e.Perm, strconv.Itoa), p.v(e.Array))
	case *Reshape:
		p.writef("reshape [%s] %s", p.ops(e.Shape), p.v(e.Array))
	case *Copy:
		p.writef("copy %s", p.v(e.Array))
	default:
		p.parallelExp(e)
	}
}

// parallelExp writes combinators and segmented operations.
func (p *printer) parallelExp(e Exp) {
	switch e := e.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *Screma:
		p.screma(e)
	case *Hist:
		p.writef("hist %s (%s) ops", p.op(e.Size), p.vars(e.Arrays))
		p.histOps(e.Ops)
		p.out.WriteString("bucket ")
		p.lambda(e.Bucket)
	case *WithAcc:
		p.withAcc(e)
	case *UpdateAcc:
		p.writef("updateacc %s [%s] (%s)", p.v(e.Acc), p.ops(e.Index), p.ops(e.Values))
	case *SegMap:
		p.segHead("segmap", e.Level, e.Space, e.Ret)
		p.body(e.Body)
	case *SegRed:
		p.segHead("segred", e.Level, e.Space, e.Ret)
		p.out.WriteString("ops ")
		p.operators(e.Ops)
		p.out.WriteByte(' ')
		p.body(e.Body)
	case *SegScan:
		p.segHead("segscan", e.Level, e.Space, e.Ret)
		p.out.WriteString("ops ")
		p.operators(e.Ops)
		p.out.WriteByte(' ')
		p.body(e.Body)
	case *SegHist:
		p.segHead("seghist", e.Level, e.Space, e.Ret)
		p.out.WriteString("ops")
		p.histOps(e.Ops)
		p.body(e.Body)
	default:
		panic(fmt.Sprintf("core: no text form for %T", e))
	}
}

// screma writes a combinator with its parts on lines of their own.
func (p *printer) screma(e *Screma) {
	p.writef("screma %s (%s)", p.op(e.Size), p.vars(e.Arrays))
	p.indent++
	p.nl()
	p.out.WriteString("map ")
	p.lambda(e.Map)
	if len(e.Scans) > 0 {
		p.nl()
		p.out.WriteString("scans ")
		p.operators(e.Scans)
	}
	if len(e.Reds) > 0 {
		p.nl()
		p.out.WriteString("reds ")
		p.operators(e.Reds)
	}
	if e.Post != nil {
		p.nl()
		p.out.WriteString("post ")
		p.lambda(e.Post)
	}
	p.indent--
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

func (p *printer) histOps(ops []HistOp) {
	p.out.WriteString(" (")
	for i, op := range ops {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.writef("[%s] (%s) neutral (%s) ", p.ops(op.Shape), p.vars(op.Dests), p.ops(op.Neutral))
		p.lambda(op.Lambda)
	}
	p.out.WriteString(") ")
}

func (p *printer) withAcc(e *WithAcc) {
	p.out.WriteString("withacc (")
	for i, in := range e.Inputs {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.writef("[%s] (%s)", p.ops(in.Shape), p.vars(in.Arrays))
		if in.Op != nil {
			p.writef(" neutral (%s) ", p.ops(in.Neutral))
			p.lambda(in.Op)
		}
	}
	p.out.WriteString(") ")
	p.lambda(e.Lambda)
}

func (p *printer) segHead(name string, l Level, s Space, ret []Type) {
	p.writef("%s.%s (", name, l)
	for i, id := range s.Ids {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.writef("%s < %s", p.v(id), p.op(s.Sizes[i]))
	}
	p.out.WriteString(")")
	if s.Slot != 0 {
		p.writef(" slots (%s < %s)", p.v(s.Slot), p.op(s.Slots))
	}
	p.writef(" (%s) ", p.types(ret))
}
