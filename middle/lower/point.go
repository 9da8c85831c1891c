package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
)

// segPoint generates a segmented map over no dimensions: one thread, whose scalars stay in blocks of one element, or nothing, where each
// reader computes them.
func (c *hostBuilder) segPoint(s *core.Stm, e *core.SegMap) {
	if e.Choice.Forms[0].Way == core.WayReaders {
		for i, d := range s.Dst {
			c.recomputed[d.Var] = recomputed{e.Body.Stms, e.Body.Res[i], c.out}
		}
		return
	}
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

// recomputed is a scalar that each of its readers computes: by some statements, of which it is a result. See Note [Recomputed scalars] of
// package choose.
type recomputed struct {
	stms []*core.Stm
	res  core.Operand
	out  *[]imp.Stm // the statements in which it is bound
}

// recompute computes a scalar on the host, which seldom needs one. It is computed again if this is in a branch or loop.
func (c *hostBuilder) recompute(v core.Var, r recomputed) value {
	c.stms(r.stms)
	val := c.operand(r.res)
	if c.out == r.out {
		c.vals[v] = val
	}
	return val
}

// recompute computes a scalar at the start of a kernel.
func (c *kernelBuilder) recompute(v core.Var, r recomputed) value {
	c.atStart(func() {
		for _, s := range r.stms {
			if _, done := c.vals[s.Dst[0].Var]; !done { // For another result of the same map.
				c.stm(s)
			}
		}
		c.vals[v] = c.operand(r.res)
	})
	return c.vals[v]
}

// atStart generates code at the start of a kernel.
func (c *kernelBuilder) atStart(f func()) {
	out, inner, small, together, lanes, loaded := c.out, c.inner, c.small, c.together, c.vector, c.loaded
	c.out, c.inner, c.small, c.together, c.vector, c.loaded = &c.prologue, nil, nil, false, vector{}, nil
	f()
	c.out, c.inner, c.small, c.together, c.vector, c.loaded = out, inner, small, together, lanes, loaded
}
