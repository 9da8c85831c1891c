package lower

import (
	"fmt"

	"skald/middle/core"
)

// stm generates one statement.
func (c *code) stm(s *core.Stm) {
	if c.own(s) {
		return
	}
	switch e := s.Exp.(type) {
	case core.Scalar:
		c.bind(s.Dst[0].Var, c.scalar(e))
	case core.View:
		c.view(s.Dst[0], e)
	case core.Memory:
		c.memory(s.Dst[0], e)
	case core.Control:
		c.control(s, e)
	case core.SOAC:
		c.soac(s, e)
	case core.Seg:
		c.seg(s, e)
	}
}

// unknownNode is what switches over nodes end with, which have a case for each.
const unknownNode = "lower: no known node"

// bugAt is a panic because of a node that is foreign to the memory stage.
func bugAt(e core.Exp) { panic(fmt.Sprintf("lower: %T at the memory stage", e)) }

// view generates what reads scalars; the layouts of arrays say all.
func (c *code) view(dst core.Param, e core.View) {
	switch e := e.(type) {
	case *core.Use:
		c.use(dst, e.X)
	case *core.Index:
		if dst.Type.IsScalar() {
			c.indexScalar(dst.Var, e)
		}
	case *core.Rearrange, *core.Reshape:
	}
}

// use makes another name for a scalar or a block.
func (c *code) use(dst core.Param, x core.Operand) {
	switch {
	case dst.Type.IsScalar():
		c.bind(dst.Var, c.operand(x))
	case dst.Type.Kind == core.KindMem:
		c.rename(dst.Var, x.Var)
	}
}

func (c *code) memory(dst core.Param, e core.Memory) {
	switch e := e.(type) {
	case *core.Update:
		c.update(e)
	case *core.Copy:
		c.copyArray(dst.Type, c.l.typeOf(e.Array))
	case *core.ArrayLit:
		c.arrayLit(dst.Type, e)
	case *core.Scratch:
		// The layout of the result says all.
	case *core.Alloc:
		c.alloc(dst.Var, e)
	case *core.Iota, *core.Replicate, *core.Concat:
		bugAt(e)
	}
}

func (c *code) control(s *core.Stm, e core.Control) {
	switch e := e.(type) {
	case *core.Assert:
		c.assert(e)
	case *core.Trace:
		c.trace(e)
	case *core.If:
		c.ifStm(s, e)
	case *core.Switch:
		c.switchStm(s, e)
	case *core.Loop:
		c.loop(s, e)
	case *core.Call:
		c.call(s, e)
	case *core.Derivative, *core.WithVjp:
		bugAt(e)
	}
}

func (c *code) soac(s *core.Stm, e core.SOAC) {
	switch e := e.(type) {
	case *core.UpdateAcc:
		c.updateAcc(e)
	case *core.WithAcc:
		c.withAcc(s, e)
	case *core.Screma, *core.Hist, *core.FlatMap:
		bugAt(e)
	}
}
