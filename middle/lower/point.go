package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
)

// segPoint generates a segmented map over no dimensions: one thread, whose scalars stay in blocks of one element.
func (c *hostBuilder) segPoint(s *core.Stm, e *core.SegMap) {
	outs := c.resultBlocks(s.Dst)
	c.kernel("scalars", 1, i64(1), func(k *kernelBuilder, _ *imp.Launch) {
		k.stms(e.Body.Stms)
		k.keep(s.Dst, e.Body.Res, nil)
		for i, d := range s.Dst {
			if d.Type.IsScalar() {
				x := asPrim(k.operand(e.Body.Res[i]))
				k.store(k.global(c.l.fun.Base(d.Var), d.Type.Elem, outs[i]), idx(0), x)
			}
		}
	})
	c.readResults(s.Dst, outs)
}
