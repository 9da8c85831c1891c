package imp

import (
	"fmt"
	"strconv"
	"strings"

	"skald/runtime/prim"
)

func (p *printer) stm(s Stm) {
	switch s := s.(type) {
	case SharedStm:
		p.sharedStm(s)
	case KernelStm:
		p.kernelStm(s)
	case HostStm:
		p.hostStm(s)
	}
}

func (p *printer) sharedStm(s SharedStm) {
	switch s := s.(type) {
	case *Let:
		p.put("let ", p.decl(s.Var), " = ", p.exp(s.Exp))
	case *Set:
		p.put(p.v(s.Var), " = ", p.exp(s.Exp))
	case *If:
		p.put("if ", p.exp(s.Cond), " {")
		p.stms(s.Then)
		if len(s.Else) > 0 {
			p.put("} else {")
			p.stms(s.Else)
		}
		p.put("}")
	case *For:
		word := "for"
		if s.Parallel {
			word = "parallel for"
		}
		p.block(fmt.Sprintf("%s %s < %s", word, p.decl(s.Var), p.exp(s.Bound)), s.Body)
	case *While:
		said := ""
		if s.Ahead > 0 {
			said = fmt.Sprintf(" ahead %d", s.Ahead)
		}
		if s.Ends {
			said += " ends"
		}
		p.block("while "+p.exp(s.Cond)+said, s.Body)
	case *Assert:
		p.line("assert %s site %d (%s)", p.exp(s.Cond), s.Site, p.exps(s.Values))
	case *Comment:
		p.line("comment %s", quote(s.Text))
	}
}

func (p *printer) kernelStm(s KernelStm) {
	switch s := s.(type) {
	case *Store:
		own := ""
		if s.Own {
			own = "own "
		}
		p.put(own, p.mem(s.Mem), "[", p.exp(s.Index), "] = ", p.exp(s.Value))
	case *LoadVec:
		once := ""
		if s.Once {
			once = " once"
		}
		p.line("loadvec %s = %s[%s]%s", p.decls(s.Vars), p.mem(s.Mem), p.exp(s.Index), once)
	case *StoreVec:
		p.line("storevec %s[%s] = %s", p.mem(s.Mem), p.exp(s.Index), p.exps(s.Values))
	case *Barrier:
		if s.Global {
			p.line("barrier global")
		} else {
			p.line("barrier")
		}
	case *UniformLoad:
		p.line("uniform %s = %s[%s]", p.decl(s.Var), p.mem(s.Mem), p.exp(s.Index))
	case *Atomic:
		old := ""
		if s.Old != 0 {
			old = p.decl(s.Old) + " = "
		}
		p.line("atomic %s%s %s[%s] %s", old, s.Op, p.mem(s.Mem), p.exp(s.Index), p.exp(s.Value))
	case *AtomicUpdate:
		p.line("update %s = %s[%s] {", p.decl(s.Old), p.mem(s.Mem), p.exp(s.Index))
		p.stms(s.Body)
		p.line("} new %s", p.exp(s.New))
	case *SubgroupUpdate:
		selects := ""
		if s.Selects {
			selects = " selects"
		}
		p.line("subgroup_update %s, %s = %s (%s) copies %s, %s with (%s)%s {",
			p.decl(s.X), p.decl(s.Y), p.mem(s.Mem), p.exps(s.Keys), p.exp(s.Copies), p.exp(s.Copy), p.exps(s.Values), selects)
		p.stms(s.Body)
		p.line("} new %s", p.exp(s.New))
	case *Subgroup:
		args := p.exp(s.X)
		if s.Lane != nil {
			args += ", " + p.exp(s.Lane)
		}
		p.line("subgroup %s = %s(%s)", p.decl(s.Dst), s.Op, args)
	case *Invoke:
		p.line("invoke %s = %s(%s)", p.decls(s.Dst), s.DeviceFunction.Name, p.exps(s.Args))
	}
}

func (p *printer) hostStm(s HostStm) {
	switch s := s.(type) {
	case *Alloc:
		mapped := ""
		if s.Mapped {
			mapped = " mapped"
		}
		p.line("alloc %s: %s[%s]%s", p.v(s.Var), s.Elem, p.exp(s.Count), mapped)
	case *Free:
		p.line("free %s", p.v(s.Var))
	case *Copy:
		p.line("copy %s %s[%s] = %s[%s], %s",
			s.Elem, p.v(s.Dst), p.exp(s.DstOff), p.v(s.Src), p.exp(s.SrcOff), p.exp(s.Count))
	case *Fill:
		p.line("fill %s %s[%s], %s = %s", s.Elem, p.v(s.Block), p.exp(s.Off), p.exp(s.Count), p.exp(s.Value))
	case *Data:
		p.line("data %s: %s %q", p.v(s.Var), s.Elem, s.Bytes)
	case *ReadScalar:
		p.line("read %s = %s[%s]", p.decl(s.Var), p.v(s.Block), p.exp(s.Index))
	case *WriteScalar:
		p.line("write %s %s[%s] = %s", s.Elem, p.v(s.Block), p.exp(s.Index), p.exp(s.Value))
	case *Launch:
		room := ""
		if len(s.Room) > 0 {
			room = " room(" + p.exps(s.Room) + ")"
		}
		p.line("launch %s<%s>(%s) blocks(%s)%s fits(%s)",
			s.Kernel, p.exp(s.Groups), p.exps(s.Args), p.vars(s.Blocks), room, p.exps(s.Fits))
	case *GetConst:
		p.line("const %s = %d", p.decl(s.Var), s.Index)
	case *GetTune:
		p.line("tune %s = %d", p.v(s.Var), s.Index)
	case *Trace:
		p.line("trace %s %s (%s)", quote(s.Text), quote(s.Form), strings.Join(p.traceParts(s.Parts), ", "))
	case *Call:
		dst := p.decls(s.Dst)
		if dst != "" {
			dst += " = "
		}
		p.line("call %s%s(%s) site %d", dst, s.Fun, p.exps(s.Args), s.Site)
	}
}

func (p *printer) exps(es []Exp) string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = p.exp(e)
	}
	return strings.Join(out, ", ")
}

func (p *printer) exp(e Exp) string {
	switch e := e.(type) {
	case *Const:
		return constText(e)
	case *VarExp:
		return p.v(e.Var)
	case *Un:
		return "un." + e.Op.String() + "." + e.Type.String() + "(" + p.exp(e.X) + ")"
	case *Bin:
		return e.Op.String() + "." + e.Type.String() + "(" + p.exp(e.X) + ", " + p.exp(e.Y) + ")"
	case *Cmp:
		return e.Op.String() + "." + e.Type.String() + "(" + p.exp(e.X) + ", " + p.exp(e.Y) + ")"
	case *Conv:
		return "conv." + e.From.String() + "." + e.To.String() + "(" + p.exp(e.X) + ")"
	case *CallFunc:
		return fmt.Sprintf("call.%s.%s(%s)", e.Func, e.Type, p.exps(e.Args))
	case *Select:
		return fmt.Sprintf("select.%s(%s, %s, %s)", e.Type, p.exp(e.Cond), p.exp(e.Then), p.exp(e.Else))
	case *Load:
		if e.Maybe {
			return p.mem(e.Mem) + "[maybe " + p.exp(e.Index) + "]"
		}
		return p.mem(e.Mem) + "[" + p.exp(e.Index) + "]"
	case *Id:
		return e.Kind.String()
	}
	panic(unknownNode)
}

// constText writes integers and booleans plainly and floats as their bits,
// so that every value, NaN included, reads back.
func constText(c *Const) string {
	switch {
	case c.Type == Block:
		return "none"
	case c.Type == Idx:
		return strconv.FormatInt(c.Value.Int(), 10) + ":idx"
	case c.Type == Bool:
		return strconv.FormatBool(c.Value.Bool())
	case c.Type.IsInt():
		if c.Type.Prim() == prim.U64 {
			return strconv.FormatUint(uint64(c.Value.Int()), 10) + ":" + c.Type.String()
		}
		return strconv.FormatInt(c.Value.Int(), 10) + ":" + c.Type.String()
	}
	return fmt.Sprintf("0x%x:%s", c.Value.Word(), c.Type)
}
