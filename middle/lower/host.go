package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// seg generates the launches of a segmented operation.
func (c *hostBuilder) seg(s *core.Stm, e core.Seg) {
	switch e := e.(type) {
	case *core.SegMap:
		if len(e.Space.Sizes) == 0 {
			c.segPoint(s, e)
		} else {
			c.segMap(s, e)
		}
	case *core.SegRed:
		c.segRed(s, e)
	case *core.SegScan:
		c.segScan(s, e)
	case *core.SegHist:
		c.segHist(s, e)
	}
}

// call generates a call of a host function.
func (c *hostBuilder) call(s *core.Stm, e *core.Call) {
	f := c.l.core.Fun(e.Fun)
	overflow := imp.Site{Where: siteText(c.where), Text: "Stack overflow: % calls are nested.", Types: []prim.Type{prim.I64}}
	out := &imp.Call{Fun: e.Fun, Site: c.l.site(overflow)}
	for i, p := range f.Params {
		switch p.Type.Kind {
		case core.KindScalar:
			out.Args = append(out.Args, asPrim(c.operand(e.Args[i])))
		case core.KindMem:
			out.Args = append(out.Args, use(c.block(e.Args[i].Var)))
		default:
		}
	}
	for _, d := range s.Dst {
		switch d.Type.Kind {
		case core.KindScalar:
			t := imp.Of(d.Type.Elem)
			v := c.fn.Fresh(c.l.fun.Base(d.Var), t)
			out.Dst = append(out.Dst, v)
			c.vals[d.Var] = unknown(use(v), t)
		case core.KindMem:
			v := c.fn.Fresh(c.l.memName(d.Var), imp.Block)
			out.Dst = append(out.Dst, v)
			c.blocks[d.Var] = v
		default:
		}
	}
	c.emit(out)
}

// globalConst binds a constant of the program to the variable of a function.
func (c *hostBuilder) globalConst(g core.GlobalRef) {
	index := 0 // arrays among the constants have no result of their own
	for _, r := range c.l.core.Consts.Ret[:g.Index] {
		if r.Type.Kind == core.KindScalar || r.Type.Kind == core.KindMem {
			index++
		}
	}
	name := c.l.fun.Base(g.Param.Var)
	switch g.Param.Type.Kind {
	case core.KindScalar:
		t := imp.Of(g.Param.Type.Elem)
		v := c.fn.Fresh(name, t)
		c.emit(&imp.GetConst{Var: v, Index: index})
		c.vals[g.Param.Var] = unknown(use(v), t)
	case core.KindMem:
		v := c.fn.Fresh(name, imp.Block)
		c.emit(&imp.GetConst{Var: v, Index: index})
		c.blocks[g.Param.Var] = v
	default:
	}
}
